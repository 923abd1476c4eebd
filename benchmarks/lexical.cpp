// SPDX-License-Identifier: MIT
// BM25 over a collection in memory: time of a question, of building, bytes of a posting; beside scoring every
// posting into an array, and beside bm25s and Tantivy where Python has them.
#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include <trawl/lexical/bm25_index.hpp>

#include "coprocess.hpp"
#include "harness.hpp"
#include "zipf.hpp"

namespace {

using trawl::doc_id;
using question = std::vector<std::uint32_t>;

/// What anyone would write first: lists of documents and counts, a sum for each document, a heap.
class exhaustive {
public:
    explicit exhaustive(bench::zipf_collection const& data)
        : lists_(data.words.size()), sums_(data.documents.size()) {
        double total = 0;
        for (auto const& document : data.documents) total += static_cast<double>(document.size());
        auto const average = total / static_cast<double>(data.documents.size());
        for (doc_id id = 0; id < data.documents.size(); ++id) {
            auto const& document = data.documents[id];
            norms_.push_back(
                static_cast<float>(1.2 * (0.25 + 0.75 * static_cast<double>(document.size()) / average)));
            for (auto const word : document) {
                auto& list = lists_[word];
                if (list.empty() || list.back().first != id) list.emplace_back(id, 0u);
                ++list.back().second;
            }
        }
    }

    [[nodiscard]] std::size_t df(std::uint32_t word) const { return lists_[word].size(); }
    [[nodiscard]] std::size_t postings() const {
        std::size_t count = 0;
        for (auto const& list : lists_) count += list.size();
        return count;
    }

    [[nodiscard]] trawl::ranking search(question const& asked, std::size_t k, trawl::filter where) {
        std::fill(sums_.begin(), sums_.end(), 0.0f);
        auto const n = static_cast<double>(norms_.size());
        for (auto const word : asked) {
            auto const df = static_cast<double>(lists_[word].size());
            auto const idf = static_cast<float>(std::log(1 + (n - df + 0.5) / (df + 0.5)));
            for (auto const& [id, tf] : lists_[word]) {
                auto const count = static_cast<float>(tf);
                sums_[id] += idf * count / (count + norms_[id]);
            }
        }
        trawl::top_k best(k);
        for (doc_id id = 0; id < sums_.size(); ++id) {
            if (sums_[id] > 0 && where.admits(id)) best.push({id, sums_[id]});
        }
        return best.take();
    }

private:
    std::vector<std::vector<std::pair<doc_id, std::uint32_t>>> lists_;
    std::vector<float> norms_;
    std::vector<float> sums_;
};

/// CPU seconds of this thread, so that neighbours on the machine disturb little.
double cpu_seconds(std::function<void()> const& work) {
    auto const now = [] {
        timespec time = {};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    auto const start = now();
    work();
    return now() - start;
}

double allocated() {
    auto const info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

trawl::bm25_index built(bench::zipf_collection const& data) {
    trawl::bm25_index index;
    std::vector<std::string_view> terms;
    for (auto const& document : data.documents) {
        terms.clear();
        for (auto const word : document) terms.push_back(data.words[word]);
        index.add_terms(terms);
    }
    index.compact();
    return index;
}

struct question_set {
    std::string name;
    std::vector<question> questions = {};
    trawl::filter where = {};
    std::vector<std::size_t> ks{10};
};

class comparison {
public:
    comparison(bench::report& report, bench::zipf_collection const& data)
        : report_(report), data_(data), theirs_(data), folder_(std::filesystem::temp_directory_path()) {
        folder_ /= "trawl_bench_lexical_" + std::to_string(getpid());
        std::filesystem::create_directories(folder_);
        write("documents", data.documents);
    }
    ~comparison() {
        peers_.reset();
        std::filesystem::remove_all(folder_);
    }
    comparison(comparison const&) = delete;
    comparison& operator=(comparison const&) = delete;

    void build() {
        auto const before = allocated();
        auto const times = bench::interleave_values(
            report_.quick() ? 1 : 3, {[&] { return cpu_seconds([&] { index_ = built(data_); }); }});
        index_ = built(data_);
        auto const bytes = allocated() - before;
        auto const postings = static_cast<double>(theirs_.postings());
        report_.note(std::to_string(data_.documents.size()) + " documents, "
                     + std::to_string(theirs_.postings()) + " postings; memory " + std::to_string(bytes / 1e6)
                     + " MB");
        report_.bound("memory of a posting", bytes / postings, 4, "bytes");
        if (char const* const python = std::getenv("BENCH_PYTHON")) {
            peers_ = std::make_unique<bench::coprocess>(
                std::vector<std::string>{python, BENCH_SOURCE "/lexical_peers.py", folder_.string()});
            for (std::string const name : {"bm25s", "tantivy"}) {
                auto const answer = peers_->ask(name + " build 0");
                if (answer.empty() || answer.front() == '-') {
                    report_.note("no " + name + ": " + answer);
                    continue;
                }
                auto const blank = answer.find(' ');
                names_.push_back({name, name + answer.substr(blank)});
                report_.compare("build", times[0], names_.back().shown, {std::stod(answer.substr(0, blank))},
                    {.target = 1.3});
            }
        } else {
            report_.note("BENCH_PYTHON names no Python: without bm25s and Tantivy");
        }
    }

    [[nodiscard]] exhaustive const& lists() const { return theirs_; }

    void run(question_set const& set) {
        bool const filtered = !set.where.admits_all();
        if (!filtered) write(set.name, set.questions);
        for (auto const k : set.ks) {
            agree(set, k);
            auto const count = static_cast<double>(set.questions.size());
            std::vector<double> each;
            std::vector<std::function<double()>> works{
                [&] { return ours(set, k, each) / count; },
                [&] {
                    return cpu_seconds([&] {
                        for (auto const& asked : set.questions)
                            static_cast<void>(theirs_.search(asked, k, set.where));
                    }) * 1e6
                           / count;
                },
            };
            std::vector<std::string> names{"all postings"};
            if (!filtered) {
                for (auto const& other : names_) {
                    works.push_back([&, name = other.name] {
                        return std::stod(peers_->ask(name + ' ' + set.name + ' ' + std::to_string(k))) * 1e6
                               / count;
                    });
                    names.push_back(other.shown);
                }
            }
            auto const times = bench::interleave_values(report_.rounds(), works);
            auto const work = set.name + ", k " + std::to_string(k);
            for (std::size_t i = 0; i < names.size(); ++i) {
                report_.compare(work, times[0], names[i], times[i + 1],
                    {.unit = "us", .target = i == 0 ? std::optional<double>() : 1.5});
            }
            std::sort(each.begin(), each.end());
            report_.note(work + ": p50 " + std::to_string(each[each.size() / 2]) + " us, p99 "
                         + std::to_string(each[each.size() * 99 / 100]) + " us");
        }
    }

private:
    struct peer {
        std::string name;
        std::string shown;
    };

    void write(std::string const& name, std::vector<question> const& lines) {
        std::ofstream file(folder_ / name);
        for (auto const& line : lines) {
            for (auto const word : line) file << data_.words[word] << ' ';
            file << '\n';
        }
    }

    [[nodiscard]] trawl::ranking search(question const& asked, std::size_t k, trawl::filter where) const {
        std::vector<trawl::weighted_term> terms;
        for (auto const word : asked) terms.push_back({data_.words[word]});
        return index_.search({.terms = terms}, {.k = k, .where = where});
    }

    /// Microseconds; those of each question go into `each`.
    double ours(question_set const& set, std::size_t k, std::vector<double>& each) const {
        double total = 0;
        each.clear();
        for (auto const& asked : set.questions) {
            each.push_back(1e6 * cpu_seconds([&] { static_cast<void>(search(asked, k, set.where)); }));
            total += each.back();
        }
        return total;
    }

    /// Both find the same documents, but where floats added in another order tie differently.
    void agree(question_set const& set, std::size_t k) {
        std::size_t shared = 0;
        std::size_t wanted = 0;
        for (auto const& asked : set.questions) {
            std::unordered_set<doc_id> found;
            for (auto const& h : search(asked, k, set.where)) found.insert(h.id);
            for (auto const& h : theirs_.search(asked, k, set.where)) {
                shared += found.count(h.id);
                ++wanted;
            }
        }
        if (static_cast<double>(shared) < 0.995 * static_cast<double>(wanted)) {
            std::fprintf(
                stderr, "%s, k %zu: other documents: %zu of %zu\n", set.name.c_str(), k, shared, wanted);
            std::exit(1);
        }
    }

    bench::report& report_;
    bench::zipf_collection const& data_;
    exhaustive theirs_;
    std::filesystem::path folder_;
    trawl::bm25_index index_;
    std::unique_ptr<bench::coprocess> peers_;
    std::vector<peer> names_;
};

} // namespace

int main(int argc, char** argv) {
    bench::report report("lexical", bench::parse(argc, argv));
    std::size_t const documents = report.quick() ? 100'000 : 1'000'000;
    auto const data = bench::make_zipf(documents, documents, report.quick() ? 200 : 1000, 42);
    comparison compared(report, data);
    compared.build();

    auto const words = static_cast<std::uint32_t>(data.words.size());
    std::uint32_t most = 0;
    for (std::uint32_t word = 0; word < words; ++word) {
        if (compared.lists().df(word) > compared.lists().df(most)) most = word;
    }
    std::vector<question> first;
    for (auto const& asked : data.questions) first.push_back({asked.front()});
    trawl::detail::random random(7);
    trawl::doc_set some(documents);
    for (doc_id id = 0; id < documents; ++id) {
        if (random.uniform() < 0.01) some.insert(id);
    }

    compared.run({.name = "or", .questions = data.questions, .ks = {10, 100, 1000}});
    compared.run({.name = "term", .questions = first});
    compared.run({.name = "most", .questions = std::vector<question>(100, question{most})});
    compared.run({.name = "or + 1 % filter", .questions = data.questions, .where = some});
    return report.finish();
}
