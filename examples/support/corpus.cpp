// SPDX-License-Identifier: MIT

#include "support/corpus.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/error.hpp>
#include <trawl/eval/validity.hpp>
#include <trawl/formats/json.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/storage/file.hpp>

namespace learn {
namespace {

// Calls visit(object) for each line of a file of JSON lines.
template <class Visit>
void for_each_line(std::string const& path, Visit&& visit) {
    auto const text = trawl::read_file(path);
    trawl::line_reader lines(text);
    for (std::string_view line; lines.next(line);) visit(nlohmann::json::parse(line));
}

template <class Items>
std::size_t position(Items const& items, std::string_view key) {
    auto const at =
        std::find_if(items.begin(), items.end(), [&](auto const& item) { return item.key == key; });
    if (at == items.end())
        throw trawl::error(trawl::errc::unknown_id, "there is no " + std::string(key));
    return static_cast<std::size_t>(at - items.begin());
}

// Ends the program, with what to do, where the corpus is not here: it was started elsewhere.
trawl::matrix<float> read_vectors(std::string const& path) {
    if (std::FILE* const file = std::fopen(path.c_str(), "rb")) {
        static_cast<void>(std::fclose(file));
        return trawl::read_npy(path);
    }
    std::fprintf(
        stderr, "there is no %s here: start the examples at the project's root\n", path.c_str());
    std::exit(1);
}

} // namespace

trawl::doc_id question::expected() const {
    auto const best = judged.grades().empty() ? 0 : judged.grades().front();
    for (auto const& j : judged.all()) {
        if (j.grade == best && best > 0) return j.id;
    }
    return trawl::no_doc;
}

std::string corpus::default_folder() {
#ifdef LEARN_CORPUS
    return LEARN_CORPUS;
#else
    return "examples/corpus";
#endif
}

corpus::corpus(std::string const& folder)
    : vectors(read_vectors(folder + "/minilm_chunks.npy")),
      question_vectors(trawl::read_npy(folder + "/minilm_queries.npy")) {
    for_each_line(folder + "/chunks.jsonl", [&](auto const& line) {
        chunks.push_back({line["_id"], line["title"], line["text"], line["version"], line["status"],
            line["lang"]});
    });
    for_each_line(folder + "/queries.jsonl", [&](auto const& line) {
        questions.push_back({line["_id"], line["text"], line["label"], line["version"], {},
            std::as_const(question_vectors).view().row(questions.size())});
    });
    auto const qrels = trawl::read_qrels(folder + "/qrels.tsv");
    for (std::size_t i = 0; i < qrels.size(); ++i) {
        std::vector<trawl::judgement> judged;
        for (auto const& j : qrels.judgements(i).all()) {
            judged.push_back({id(qrels.documents().key(j.id)), j.grade});
        }
        questions[position(questions, qrels.query(i))].judged =
            trawl::judgements(std::move(judged));
    }
}

question const& corpus::asked(std::string_view key) const {
    return questions[position(questions, key)];
}

trawl::doc_id corpus::id(std::string_view key) const {
    return static_cast<trawl::doc_id>(position(chunks, key));
}

trawl::doc_set corpus::of_version(std::string_view version) const {
    trawl::doc_set set(chunks.size());
    for (trawl::doc_id id = 0; id < chunks.size(); ++id) {
        if (chunks[id].version == version) set.insert(id);
    }
    return set;
}

trawl::bm25_index corpus::lexical() const {
    trawl::bm25_index index;
    for (auto const& c : chunks) index.add(c.searched());
    return index;
}

trawl::flat_index corpus::dense(trawl::metric how) const {
    trawl::flat_index index(vectors.cols, how);
    index.add_all(vectors.view());
    return index;
}

void print_question(question const& q) {
    std::printf("%s (%s, asks about version %s): %s\n", q.key.c_str(), q.label.c_str(),
        q.version.c_str(), q.text.c_str());
}

void print_hits(corpus const& c, question const& q, trawl::ranking const& hits,
    char const* score_name, std::size_t rows) {
    auto const eligible = c.of_version(q.version);
    std::printf("     rank  %-14s %9s  version         ineligible@%zu: %.2f\n", "id", score_name,
        rows, trawl::ineligible{rows}(hits, eligible));
    for (std::size_t i = 0; i < hits.size() && i < rows; ++i) {
        auto const& found = c.chunks[hits[i].id];
        auto const grade = q.judged.grade(hits[i].id).value_or(0);
        bool const tied = (i > 0 && hits[i - 1].score == hits[i].score)
                          || (i + 1 < hits.size() && hits[i + 1].score == hits[i].score);
        std::printf("  %-2s %4zu  %-14s %9.4f  %s %-10s  %s%s\n",
            grade >= 2   ? "**"
            : grade == 1 ? "*"
                         : "",
            i + 1, found.key.c_str(), static_cast<double>(hits[i].score), found.version.c_str(),
            found.status.c_str(), found.path.c_str(), tied ? "  (tied)" : "");
    }
    if (hits.empty()) std::printf("     nothing found\n");
}

void take_away(char const* sentence) { std::printf("\nTo take away: %s\n", sentence); }

std::string shortened(std::string_view text, std::size_t width) {
    if (text.size() <= width) return std::string(text);
    auto end = width - 1;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
    return std::string(text.substr(0, end)) + "…";
}

std::size_t rank_of(trawl::ranking const& hits, trawl::doc_id id) {
    auto const at =
        std::find_if(hits.begin(), hits.end(), [id](trawl::hit const& h) { return h.id == id; });
    return at == hits.end() ? 0 : static_cast<std::size_t>(at - hits.begin()) + 1;
}

} // namespace learn
