// SPDX-License-Identifier: MIT
// The work of every public function of text, query syntax and the readers of files, on inputs of n
// and 2n bytes that are, or have been, hard: none takes much more than twice the work or memory.
//
// Counted, not timed: work_counts.sh compiles this program with -fsanitize-coverage=trace-pc, so that
// each basic block counts one. What is allocated is counted too.
#include <trawl/lexical/highlight.hpp>
#include <trawl/lexical/query_syntax.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>
#include <trawl/text/analyzers/word_analyzer.hpp>
#include <trawl/text/elision.hpp>
#include <trawl/text/folding.hpp>
#include <trawl/text/passages/chunker.hpp>
#include <trawl/text/passages/citations.hpp>
#include <trawl/text/passages/context.hpp>
#include <trawl/text/passages/extractive_answerer.hpp>
#include <trawl/text/passages/highlight.hpp>
#include <trawl/text/stemmers/porter2_stemmer.hpp>
#include <trawl/text/stemmers/porter_stemmer.hpp>
#include <trawl/text/synonyms.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/formats/fvecs.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/formats/trec.hpp>
#if __has_include(<nlohmann/json.hpp>)
#include <trawl/formats/beir.hpp>
#include <trawl/formats/ranx.hpp>
#endif

namespace {

unsigned long long blocks = 0;
unsigned long long bytes = 0;

} // namespace

#ifdef __clang__
#define NOT_COUNTED __attribute__((no_sanitize("coverage")))
#else
#define NOT_COUNTED __attribute__((no_sanitize_coverage))
#endif

// The compiler calls it from each basic block, but for its own.
extern "C" NOT_COUNTED void __sanitizer_cov_trace_pc() { ++blocks; }

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
void* operator new(std::size_t size) {
    bytes += size;
    if (auto* const at = std::malloc(size == 0 ? 1 : size)) return at;
    throw std::bad_alloc();
}
void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }

namespace {

std::string repeated(std::string_view piece, std::size_t size) {
    std::string out;
    while (out.size() < size) out += piece;
    return out;
}

// What is hard for one of the functions, over and over.
constexpr std::string_view pieces[] = {"[", "[a] ", "[a", "]", "[ ", "[,", "[a,", ". ", "a. ", ".",
    " ", "\n", "a\n", "- a\n", "# a\n", "# ", "#", "<!--\n", "<!--", "<pre>", "</", "<", "`",
    "```\n", "|\n", "|-|\n", "|", "> ", "    a\n", "--\n", "---\n", "===\n", "k: v\n", "<div>\n",
    "a b\n\n", "\u3002", "\u2588 ", "\U0001F600", "\U0001F1E9", "\U0001F469\u200D", "\xFF",
    "\xE3\x80", "\u0301", "a\u0301", "\u0300\u0345", "\uFDFA", "\uAC00", "\u1100", "\u6771",
    "\u6771\u3005", "\u0E2A", "\u3042", "\u30A2\u30FC", "\u05D0\u05F4", "\u0640", "\u0661", "a",
    "ab ", "A", "aB", "aBc1", "Ab", "1", "1.", "1,", "1a", "a/", "/a", "a-", "a_", "a.", "A.",
    "a:", "a'", "l'", "a+", "a-b ", "http://a.b/c?d=e&", "https://", "user@host.", "\"", "\"a",
    "\"a\" ", "\u201C", "\u201Ca\u201D ", "'", "+", "-", "+a ", "-a ", "*", "a* ", "a~", "a~2 ",
    "a^", "a^2 ", "\\", "\\\"", "a:b ", ":", "\"a b\"~2 ", "(", ")", "{", "{\"a\":", "{\"a\":{}},",
    "\"a\":1,", "[[", "1 ", "a\t", "q Q0 d 1 2 t\n", "\t", "\r", "\r\n", "\v", "sses", "ing", "eed",
    "yyy", "ational", "qu", "'s", "\u00DF", "\u0130", "\u01C5", "\u1E9E"};

std::string with_keys_cited(std::size_t size) {
    std::string out;
    for (std::size_t i = 0; out.size() < size; ++i) out += "[" + std::to_string(i) + "] ";
    return out;
}

std::string distinct_words(std::size_t size) {
    std::string out;
    for (std::size_t i = 0; out.size() < size; ++i) out += "w" + std::to_string(i) + " ";
    return out;
}

std::string run_of(std::size_t size) {
    std::string out;
    for (std::size_t i = 0; out.size() < size; ++i)
        out += "q" + std::to_string(i % 9) + " Q0 d" + std::to_string(i) + " 1 2.5 t\n";
    return out;
}

std::string qrels_of(std::size_t size) {
    std::string out;
    for (std::size_t i = 0; out.size() < size; ++i)
        out += "q" + std::to_string(i % 9) + " 0 d" + std::to_string(i) + " 1\n";
    return out;
}

std::string json_run_of(std::size_t size) {
    std::string out = "{\"q\": {";
    for (std::size_t i = 0; out.size() < size; ++i)
        out += "\"d" + std::to_string(i) + "\": " + std::to_string(i % 7) + ", ";
    return out + "\"z\": 1}}";
}

std::string corpus_of(std::size_t size) {
    std::string out;
    for (std::size_t i = 0; out.size() < size; ++i)
        out += "{\"_id\": \"d" + std::to_string(i) + "\", \"title\": \"t\", \"text\": \"words\"}\n";
    return out;
}

struct input {
    std::string name;
    std::function<std::string(std::size_t)> make;
};

std::vector<input> const& inputs() {
    static auto const all = [] {
        std::vector<input> made;
        for (auto const piece : pieces) {
            made.push_back({std::string(piece), [=](std::size_t n) { return repeated(piece, n); }});
            made.push_back({"text, then " + std::string(piece), [=](std::size_t n) {
                                return "---\nkey: v\n---\n# A\n\nA b. [c \"d" + repeated(piece, n);
                            }});
        }
        for (auto const make :
            {with_keys_cited, distinct_words, run_of, qrels_of, json_run_of, corpus_of})
            made.push_back({make(30), make});
        made.push_back({"a heading as long as its text", [](std::size_t n) {
                            return "# " + repeated("x", n / 2) + "\n\n" + repeated("word ", n / 2);
                        }});
        return made;
    }();
    return all;
}

struct function {
    std::string name;
    std::function<void(std::string const&)> run;
    std::size_t n = 1024;
};

struct cost {
    unsigned long long blocks;
    unsigned long long bytes;
};

cost cost_of(function const& f, std::string const& text) {
    blocks = bytes = 0;
    try {
        f.run(text);
    } catch (trawl::error const&) { // a reader refuses it
    }
    return {blocks, bytes};
}

int failures = 0;

void require(
    bool holds, char const* what, function const& f, input const& each, cost once, cost twice) {
    if (holds) return;
    ++failures;
    std::printf("%s: not %s, of \"%s\": %llu and %llu blocks, %llu and %llu bytes\n",
        f.name.c_str(), what, each.name.c_str(), once.blocks, twice.blocks, once.bytes,
        twice.bytes);
}

void check(function const& f) {
    for (auto const& each : inputs()) {
        auto const once = cost_of(f, each.make(f.n));
        auto const twice = cost_of(f, each.make(2 * f.n));
        // Of n log n, twice is 2.17 times as much; memory doubles at some size between.
        auto const linear = [&](auto one, auto two, double factor, double more) {
            return static_cast<double>(two) <= factor * static_cast<double>(one) + more;
        };
        require(linear(once.blocks, twice.blocks, 2.4, 3e3), "work that grows as the input", f,
            each, once, twice);
        require(linear(once.bytes, twice.bytes, 3.1, 8e4), "memory that grows as the input", f,
            each, once, twice);
        // And no large part of either is paid at any length.
        require(twice.blocks <= 6000 * 2 * f.n, "little work a byte", f, each, once, twice);
        require(twice.bytes <= 600 * 2 * f.n, "little memory a byte", f, each, once, twice);
    }
}

constexpr auto ignore = [](trawl::token const&) {};

trawl::context with_keys(std::string const& text) {
    trawl::context out;
    for (std::size_t i = 0; i * 10 < text.size(); ++i)
        out.passages.push_back({static_cast<trawl::doc_id>(i), std::to_string(i), "a"});
    return out;
}

} // namespace

static void check_counters() {
    auto const quadratic = [](std::string const& t) {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < t.size(); i += 16)
            for (std::size_t j = 0; j < i; j += 16) sum += t[i] == t[j] ? 1u : 0u;
        if (sum == 1) throw std::bad_alloc();
    };
    std::string const text(4096, 'x');
    auto const once = cost_of({"", quadratic}, text);
    auto const twice = cost_of({"", quadratic}, text + text);
    auto const copied =
        cost_of({"", [](std::string const& t) { static_cast<void>(std::string(t)); }}, text);
    if (twice.blocks > 3 * once.blocks && copied.bytes > 4096) return;
    ++failures;
    std::puts("the counters do not count");
}

static void check_analyzers() {
    for (auto const name : trawl::any_analyzer::names()) {
        auto const a = trawl::any_analyzer::named(name);
        check({std::string(name), [&](std::string const& t) { a.analyze(t, ignore); }});
    }
    check(
        {"word_analyzer", [](std::string const& t) { trawl::word_analyzer{}.analyze(t, ignore); }});
    trawl::composed_analyzer const composed{trawl::whitespace_analyzer{}, trawl::elision::french(),
        trawl::possessive{}, trawl::lower_case{}, trawl::porter2_stemmer{}, trawl::folding{}};
    check({"composed_analyzer", [&](std::string const& t) { composed.analyze(t, ignore); }});
    trawl::synonym_analyzer const synonyms{
        trawl::standard_analyzer{}, {{"a", "b", "c d"}, {"a", "1", "x"}, {"w1", "w2"}}};
    check({"synonym_analyzer", [&](std::string const& t) { synonyms.analyze(t, ignore); }});
    check({"analyze_surface", [](std::string const& t) {
               trawl::analyze_surface(
                   trawl::english_analyzer{}, t, [](trawl::surface_token const&) {});
           }});
}

static void check_words() {
    check({"folded", [](std::string const& t) { static_cast<void>(trawl::folded(t)); }});
    auto const filter = [](char const* name, auto const& f) {
        check({name, [&f](std::string const& t) {
                   auto term = t;
                   static_cast<void>(f(term));
               }});
    };
    filter("porter_stemmer", trawl::porter_stemmer{});
    filter("porter2_stemmer", trawl::porter2_stemmer{});
    filter("elision", trawl::elision::french());
    filter("possessive", trawl::possessive{});
    filter("lower_case", trawl::lower_case{});
    filter("folding", trawl::folding{});
    check({"a group of synonyms", [](std::string const& t) {
               std::vector<std::string> group;
               for (std::size_t at = 0; at + 8 <= t.size(); at += 8)
                   group.push_back("w" + t.substr(at, 8));
               trawl::synonym_analyzer const made{trawl::whitespace_analyzer{}, {group, group}};
               made.analyze("w1 x w2", ignore);
           }});
}

static void check_passages() {
    check({"parse_markdown",
        [](std::string const& t) { static_cast<void>(trawl::parse_markdown(t)); }});
    check({"chunk_markdown",
        [](std::string const& t) { static_cast<void>(trawl::chunk_markdown("D", t)); },
        20000}); // many chunks
    check({"chunk_markdown of few tokens", [](std::string const& t) {
               static_cast<void>(
                   trawl::chunk_markdown("D", t, {.tokens = 5}, trawl::whitespace_analyzer{}));
           }});
    check({"check_citations", [](std::string const& t) {
               auto const given = with_keys(t);
               static_cast<void>(trawl::to_text(trawl::check_citations(t, given)));
           }});
    check({"make_context", [](std::string const& t) {
               trawl::hit const hits[] = {{0, 3.0f}, {1, 2.0f}, {2, 1.0f}};
               auto const made = trawl::make_context(
                   hits, [](trawl::doc_id id) { return std::to_string(id); },
                   [&](trawl::doc_id) { return std::string_view(t); }, {.tokens = 1'000'000});
               static_cast<void>(trawl::make_prompt(made, t));
           }});
    check({"make_context of many", [](std::string const& t) {
               std::vector<trawl::hit> hits;
               for (trawl::doc_id id = 0; id < t.size() / 8; ++id) hits.push_back({id, 0});
               static_cast<void>(trawl::make_context(
                   hits, [](trawl::doc_id id) { return std::to_string(id); },
                   [&](trawl::doc_id id) { return t.substr(8 * std::size_t{id}, 8); },
                   {.passages = 1'000'000, .tokens = 1'000'000}));
           }});
    check({"extractive_answerer", [](std::string const& t) {
               trawl::context given;
               given.passages = {{0, "a", t}, {1, "b", "x. " + t}};
               static_cast<void>(trawl::extractive_answerer{}(t, given));
           }});
    for (std::size_t const length : {std::size_t{240}, std::size_t{1'000'000}}) {
        trawl::highlight_options const options{.length = length};
        check({"highlight, the query is the text", [&](std::string const& t) {
                   static_cast<void>(trawl::highlight(
                       t, trawl::query{.text = t}, trawl::standard_analyzer{}, options));
               }});
        check({"highlight", [&](std::string const& t) {
                   static_cast<void>(trawl::highlight(t, trawl::query{.text = "a b 1 \u6771"},
                       trawl::english_analyzer{}, options));
               }});
        using namespace trawl::ask;
        auto const tree = any_of({phrase("a a"), phrase("a b", 3), prefix("a"), fuzzy("ab", 1),
            every("open-source"), phrase("\u6771\u6771")});
        check({"highlight of a structured query", [&](std::string const& t) {
                   static_cast<void>(trawl::highlight(t, tree, trawl::english_analyzer{}, options));
               }});
    }
    check({"diagnose", [](std::string const& t) {
               std::vector<trawl::hit> hits;
               std::vector<trawl::doc_id> answering;
               for (trawl::doc_id id = 0; id < t.size() / 8; ++id) {
                   hits.push_back({id, 0});
                   answering.push_back(1'000'000 - id);
               }
               static_cast<void>(trawl::diagnose(hits, with_keys(t), {}, answering, false));
           }});
}

static void check_query_syntax() {
    std::vector<trawl::bm25_field> const fields{{"title"}, {"a"}};
    for (auto const mode : {trawl::syntax_mode::strict, trawl::syntax_mode::lenient}) {
        check({"parse_query",
            [&](std::string const& t) { static_cast<void>(trawl::parse_query(t, {}, mode)); }});
        check({"parse_query with fields",
            [&](std::string const& t) { static_cast<void>(trawl::parse_query(t, fields, mode)); }});
    }
    check({"highlight of a query that is the text", [](std::string const& t) {
               auto const q = trawl::parse_query(t.substr(0, 60), {}, trawl::syntax_mode::lenient);
               static_cast<void>(trawl::highlight(t, q));
           }});
}

static void check_files() {
    check({"parse_run",
        [](std::string const& t) { static_cast<void>(trawl::to_text(trawl::parse_run(t, "f"))); }});
    check({"parse_run, the last of repeated documents", [](std::string const& t) {
               static_cast<void>(trawl::parse_run(t, "f", trawl::repeated_documents::keep_last));
           }});
    check({"parse_qrels", [](std::string const& t) {
               static_cast<void>(trawl::to_text(trawl::parse_qrels(t, "f")));
           }});
    check({"parse_npy",
        [](std::string const& t) { static_cast<void>(trawl::parse_npy<float>(t, "f")); }});
    check({"parse_npy, a header", [](std::string const& t) {
               auto header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + t + "), }\n";
               header.resize((std::min)(header.size(), std::size_t{60000}));
               std::string file("\x93NUMPY\1\0", 8);
               file += static_cast<char>(header.size() % 256);
               file += static_cast<char>(header.size() / 256);
               static_cast<void>(trawl::parse_npy<float>(file + header, "f"));
           }});
    check({"parse_fvecs",
        [](std::string const& t) { static_cast<void>(trawl::parse_fvecs(t, "f")); }});
#if __has_include(<nlohmann/json.hpp>)
    check({"parse_json_run",
        [](std::string const& t) { static_cast<void>(trawl::parse_json_run(t, "f")); }});
    check({"parse_json_qrels",
        [](std::string const& t) { static_cast<void>(trawl::parse_json_qrels(t, "f")); }});
    check({"parse_corpus",
        [](std::string const& t) { static_cast<void>(trawl::parse_corpus(t, "f")); }});
    check({"parse_queries",
        [](std::string const& t) { static_cast<void>(trawl::parse_queries(t, "f.jsonl")); }});
    check({"parse_queries of columns",
        [](std::string const& t) { static_cast<void>(trawl::parse_queries(t, "f.tsv")); }});
#endif
}

int main() {
    check_counters();
    check_analyzers();
    check_words();
    check_passages();
    check_query_syntax();
    check_files();
    return failures == 0 ? 0 : 1;
}
