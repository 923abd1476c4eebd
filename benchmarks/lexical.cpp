// SPDX-License-Identifier: MIT
// BM25 over collections in memory, one thread: time of a query (mean and p99), of building, size of
// the file; beside Lucene, Tantivy, bm25s, Xapian and SQLite's FTS5 where they are installed. Times
// are CPU times, which neighbours on the machine disturb little.
//
// A peer is a program that is started with a folder and answers each input line with one line:
//     build        CPU seconds, bytes of the index, its name; or "- reason"
//     KIND FILE K  microseconds of each query of FOLDER/FILE, or their mean; or "- reason".
//                  KIND: or, and, phrase, filter (or, among the documents that FOLDER/filter
//                  lists), or-full (no pruning)
// FOLDER/documents has the documents, one a line, words separated by blanks. Positions are needed
// if FOLDER/phrases exists.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/storage.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>

#include "coprocess.hpp"
#include "harness.hpp"
#include "lexical_corpus.hpp"

namespace {

using bench::numbers;
using trawl::doc_id;
using index_type = trawl::basic_bm25_index<trawl::whitespace_analyzer>;

double allocated() {
    auto const info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// What anyone would write first: lists of documents and counts, a sum for each document, a heap.
/// It checks that ours finds the right documents.
class exhaustive {
public:
    explicit exhaustive(bench::corpus const& data)
        : lists_(data.words.size()), sums_(data.documents.size()) {
        double total = 0;
        for (auto const& document : data.documents) total += static_cast<double>(document.size());
        auto const average = total / static_cast<double>(data.documents.size());
        for (doc_id id = 0; id < data.documents.size(); ++id) {
            auto const& document = data.documents[id];
            norms_.push_back(static_cast<float>(
                1.2 * (0.25 + 0.75 * static_cast<double>(document.size()) / average)));
            for (auto const word : document) {
                auto& list = lists_[word];
                if (list.empty() || list.back().first != id) list.emplace_back(id, 0u);
                ++list.back().second;
            }
        }
        for (auto const& list : lists_) postings_ += list.size();
    }

    [[nodiscard]] std::size_t postings() const { return postings_; }

    /// @param all  whether a document must hold all words.
    [[nodiscard]] trawl::ranking search(
        numbers const& asked, bool all, std::size_t k, trawl::filter where) {
        std::fill(sums_.begin(), sums_.end(), 0.0f);
        std::vector<unsigned char> held(all ? sums_.size() : 0);
        auto const n = static_cast<double>(norms_.size());
        for (auto const word : asked) {
            auto const df = static_cast<double>(lists_[word].size());
            auto const idf = static_cast<float>(std::log(1 + (n - df + 0.5) / (df + 0.5)));
            for (auto const& [id, tf] : lists_[word]) {
                auto const count = static_cast<float>(tf);
                sums_[id] += idf * count / (count + norms_[id]);
                if (all) ++held[id];
            }
        }
        trawl::top_k best(k);
        for (doc_id id = 0; id < sums_.size(); ++id) {
            if (sums_[id] > 0 && where.admits(id) && (!all || held[id] == asked.size()))
                best.push({id, sums_[id]});
        }
        return best.take();
    }

private:
    std::vector<std::vector<std::pair<doc_id, std::uint32_t>>> lists_;
    std::vector<float> norms_;
    std::vector<float> sums_;
    std::size_t postings_ = 0;
};

/// Times of each question in several rounds.
class latencies {
public:
    /// @return the mean of this round.
    double add(std::vector<double> each) {
        double total = 0;
        for (double const value : each) total += value;
        rounds_.push_back(std::move(each));
        return total / static_cast<double>(rounds_.back().size());
    }

    /// Of the questions' medians; nothing if only means are known.
    [[nodiscard]] std::optional<double> percentile(double part) const {
        if (rounds_.empty() || rounds_.back().size() < 2) return std::nullopt;
        std::vector<double> medians;
        for (std::size_t i = 0; i < rounds_.back().size(); ++i) {
            bench::samples of_one;
            for (auto const& round : rounds_) of_one.push_back(round[i]);
            medians.push_back(bench::median(of_one));
        }
        std::sort(medians.begin(), medians.end());
        return medians[static_cast<std::size_t>(part * static_cast<double>(medians.size() - 1))];
    }

private:
    std::vector<std::vector<double>> rounds_;
};

struct wanted {
    std::optional<double> lucene, tantivy, bm25s, xapian, fts5;

    [[nodiscard]] std::optional<double> of(std::string const& peer) const {
        return peer == "lucene"    ? lucene
               : peer == "tantivy" ? tantivy
               : peer == "bm25s"   ? bm25s
               : peer == "xapian"  ? xapian
                                   : fts5;
    }
};

/// One collection, ours and the peers' indexes of it.
class comparison {
public:
    comparison(bench::report& report, bench::corpus const& data)
        : report_(report),
          data_(data),
          theirs_(data),
          folder_(std::filesystem::temp_directory_path()) {
        folder_ /= "trawl_bench_lexical_" + std::to_string(getpid());
        std::filesystem::create_directories(folder_);
        for (auto const& [file, lines] :
            {std::pair{"documents", &data.documents}, {"questions", &data.questions},
                {"terms", &data.terms}, {"most", &data.most}, {"phrases", &data.phrases}}) {
            if (!lines->empty()) data.write(folder_ / file, *lines);
        }
        std::ofstream filter(folder_ / "filter");
        data.some.for_each([&](doc_id id) { filter << id << '\n'; });
    }
    ~comparison() {
        peers_.clear();
        std::filesystem::remove_all(folder_);
    }
    comparison(comparison const&) = delete;
    comparison& operator=(comparison const&) = delete;

    /// Builds ours from the file, and every peer's index.
    void build(std::vector<std::string> const& left_out) {
        auto const before = allocated();
        bench::samples ours; // of the processor
        bench::samples alone;
        bench::samples together;
        trawl::thread_executor const two(2);
        trawl::index_options const options{.positions = !data_.phrases.empty()}; // as the peers
        for (std::size_t round = 0; round < 2; ++round) {
            index_ = index_type();
            alone.push_back(bench::seconds([&] {
                ours.push_back(bench::cpu_seconds([&] { index_ = built(options, nullptr); }));
            }));
            if (round == 0)
                together.push_back(
                    bench::seconds([&] { static_cast<void>(built(options, &two)); }));
        }
        report_.compare(
            named("build, two threads"), together, "one thread", alone, {.target = 1.8});
        report_.note(named("") + std::to_string(data_.documents.size()) + " documents, "
                     + std::to_string(theirs_.postings()) + " postings; in memory "
                     + std::to_string((allocated() - before) / 1e6) + " MB");
        auto const file = folder_ / "trawl";
        trawl::save(index_, file.string());
        auto const bytes = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
        if (data_.name == "zipf") {
            report_.bound(named("file"), bytes, report_.quick() ? 9 : 85, "MB");
        }
        auto const opened = bench::interleave(
            5, {[&] { static_cast<void>(trawl::open<index_type>(file.string())); }});
        report_.bound(named("opening the file"), bench::scaled(opened[0], 1e3), 10, "ms");
        for (auto const& [name, variable, target] : {std::tuple{"lucene", "BENCH_LUCENE", 1.3},
                 {"tantivy", "BENCH_TANTIVY", 1.3}, {"bm25s", "BENCH_PYTHON", 1.3},
                 {"xapian", "BENCH_XAPIAN", 1.3}, {"fts5", "BENCH_FTS5", 1.3}}) {
            if (std::find(left_out.begin(), left_out.end(), name) != left_out.end()) continue;
            char const* const command = std::getenv(variable);
            if (command == nullptr) {
                report_.note(std::string("no ") + name);
                continue;
            }
            start(name, command, ours, bytes, target);
        }
    }

    /// @param how  asks ours.
    void run(std::string const& kind, std::string const& file,
        std::vector<numbers> const& questions, std::size_t k, wanted const& targets) {
        bool const filtered = kind == "filter";
        bool const all = kind == "and";
        trawl::filter const where = filtered ? trawl::filter(data_.some) : trawl::filter();
        auto const ask = asked(kind, questions, k, where);
        if (kind != "phrase") agree(questions, ask, all, k, where);

        std::vector<latencies> times(1 + peers_.size());
        std::vector<std::function<double()>> works{[&] {
            std::vector<double> each;
            for (std::size_t i = 0; i < questions.size(); ++i) {
                each.push_back(1e6 * bench::cpu_seconds([&] { static_cast<void>(ask(i)); }));
            }
            return times[0].add(std::move(each));
        }};
        std::vector<peer const*> answering;
        for (auto const& other : peers_) {
            auto const line = kind + ' ' + file + ' ' + std::to_string(k);
            if (other.program->ask(line).front() == '-') continue;
            answering.push_back(&other);
            works.push_back([&, line, i = answering.size()] {
                std::istringstream answer(other.program->ask(line));
                std::vector<double> each;
                for (double value = 0; answer >> value;) each.push_back(value);
                return times[i].add(std::move(each));
            });
        }
        auto const means = bench::interleave_values(report_.quick() ? 2 : 3, works);
        auto const work = named(kind == "or" ? file == "questions" ? "or" : file : kind) + ", k "
                          + std::to_string(k);
        for (std::size_t i = 0; i < answering.size(); ++i) {
            report_.compare(work, means[0], answering[i]->shown, means[i + 1],
                {.unit = "us", .target = targets.of(answering[i]->name)});
        }
        for (std::size_t i = 0; i < answering.size(); ++i) {
            auto const theirs = times[i + 1].percentile(0.99);
            if (!theirs || !targets.of(answering[i]->name)) continue;
            report_.compare(work + ", p99", {*times[0].percentile(0.99)}, answering[i]->shown,
                {*theirs}, {.unit = "us", .target = 1.0});
        }
        report_.note(work + ": mean " + std::to_string(bench::median(means[0])) + " us, p50 "
                     + std::to_string(times[0].percentile(0.5).value_or(0)) + " us, p99 "
                     + std::to_string(times[0].percentile(0.99).value_or(0)) + " us");
        if (kind == "or" && file == "questions" && k == 10) unfiltered_ = means[0];
        if (filtered)
            report_.compare(named("filter, by the time without"), means[0], "ours, no filter",
                unfiltered_, {.unit = "us", .target = 4.0});
    }

private:
    struct peer {
        std::string name;
        std::string shown;
        std::unique_ptr<bench::coprocess> program;
    };

    [[nodiscard]] std::string named(std::string const& work) const {
        return data_.name + ": " + work;
    }

    /// From the file, as the peers do.
    [[nodiscard]] index_type built(
        trawl::index_options options, trawl::executor const* where) const {
        index_type index({}, options);
        std::ifstream in(folder_ / "documents");
        std::vector<std::string> lines;
        auto const add = [&] {
            std::vector<std::string_view> const texts(lines.begin(), lines.end());
            index.add_all(texts, where);
            lines.clear();
        };
        for (std::string line; std::getline(in, line);) {
            lines.push_back(line);
            if (lines.size() == 131'072) add();
        }
        add();
        index.freeze(where);
        return index;
    }

    void start(std::string const& name, std::string const& command, bench::samples const& ours,
        double our_bytes, double target) {
        std::vector<std::string> words;
        std::istringstream split(command);
        for (std::string word; split >> word;) words.push_back(word);
        if (name == "bm25s") words.emplace_back(BENCH_SOURCE "/lexical_peers.py");
        words.push_back(folder_.string());
        peer made{name, name, std::make_unique<bench::coprocess>(words)};
        auto const answer = made.program->ask("build");
        std::istringstream parts(answer);
        double seconds = 0;
        double bytes = 0;
        if (!(parts >> seconds >> bytes)) {
            report_.note("no " + name + ": " + answer);
            return;
        }
        std::getline(parts >> std::ws, made.shown);
        report_.compare(named("build"), ours, made.shown, {seconds}, {.target = target});
        report_.compare(named("size"), {our_bytes}, made.shown, {bytes / 1e6}, {.unit = "MB"});
        peers_.push_back(std::move(made));
    }

    /// What finds the documents of the i-th question.
    [[nodiscard]] std::function<trawl::ranking(std::size_t)> asked(std::string const& kind,
        std::vector<numbers> const& questions, std::size_t k, trawl::filter where) const {
        if (kind == "and" || kind == "phrase") {
            auto prepared = std::make_shared<std::vector<trawl::lexical_query>>();
            for (auto const& words : questions) {
                auto const text = data_.text(words);
                prepared->push_back(
                    kind == "and" ? trawl::ask::every(text) : trawl::ask::phrase(text));
            }
            return [this, k, prepared](
                       std::size_t i) { return index_.search((*prepared)[i], {.k = k}); };
        }
        auto prepared = std::make_shared<std::vector<std::vector<trawl::weighted_term>>>();
        for (auto const& words : questions) {
            prepared->emplace_back();
            for (auto const word : words) prepared->back().push_back({data_.words[word]});
        }
        return [this, k, where, prepared](std::size_t i) {
            return index_.search({.terms = (*prepared)[i]}, {.k = k, .where = where});
        };
    }

    /// Both find the same documents, but where floats added in another order tie differently.
    void agree(std::vector<numbers> const& questions,
        std::function<trawl::ranking(std::size_t)> const& ask, bool all, std::size_t k,
        trawl::filter where) {
        std::size_t shared = 0;
        std::size_t expected = 0;
        for (std::size_t i = 0; i < (std::min)(questions.size(), std::size_t{100}); ++i) {
            std::unordered_set<doc_id> found;
            for (auto const& h : ask(i)) found.insert(h.id);
            for (auto const& h : theirs_.search(questions[i], all, k, where)) {
                shared += found.count(h.id);
                ++expected;
            }
        }
        if (static_cast<double>(shared) < 0.995 * static_cast<double>(expected)) {
            std::fprintf(stderr, "%s, k %zu: other documents: %zu of %zu\n", data_.name.c_str(), k,
                shared, expected);
            std::exit(1);
        }
    }

    bench::report& report_;
    bench::corpus const& data_;
    exhaustive theirs_;
    std::filesystem::path folder_;
    index_type index_;
    std::vector<peer> peers_;
    bench::samples unfiltered_;
};

void measure(
    bench::report& report, bench::corpus const& data, std::vector<std::string> const& left_out) {
    comparison compared(report, data);
    compared.build(left_out);
    bool const zipf = data.name == "zipf";
    wanted or_wanted{1.5, 1.5, 1.2, zipf ? 20.0 : 8.0, zipf ? 1000.0 : 500.0};
    if (data.documents.size() < 50'000) or_wanted.bm25s = 2;
    compared.run("or", "questions", data.questions, 10, or_wanted);
    or_wanted.xapian = or_wanted.fts5 = {};
    compared.run("or", "questions", data.questions, 100, or_wanted);
    compared.run("or", "questions", data.questions, 1000, or_wanted);
    compared.run("and", "questions", data.questions, 10, {1.2, 1.2, {}, {}, {}});
    compared.run("or", "terms", data.terms, 10, {1.0, 1.0, {}, {}, {}});
    compared.run("or", "most", data.most, 10, {1.0, 1.0, {}, {}, {}});
    compared.run("filter", "questions", data.questions, 10, {3.0, 3.0, {}, {}, {}});
    if (!data.phrases.empty())
        compared.run("phrase", "phrases", data.phrases, 10, {1.2, 1.2, {}, {}, {}});
}

} // namespace

int main(int argc, char** argv) {
    bench::report report("lexical", bench::parse(argc, argv));
    bool const quick = report.quick();
    if (auto const scifact = bench::scifact_corpus("../shared/data/scifact")) {
        measure(report, *scifact, {});
    } else {
        report.note("no SciFact");
    }
    if (char const* const file = std::getenv("BENCH_PACKAGES"); !quick && file != nullptr) {
        if (auto const packages = bench::package_corpus(file, 1000)) {
            measure(report, *packages, {});
        } else {
            report.note("no texts of packages");
        }
    }
    report.note("zipf: Xapian (minutes to build) and FTS5 (a second a question) are left out");
    measure(report, bench::zipf_corpus(quick ? 100'000 : 1'000'000, quick ? 200 : 1000),
        {"xapian", "fts5"});
    return report.finish();
}
