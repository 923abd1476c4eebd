// SPDX-License-Identifier: MIT

#include "support/scoreboard.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <trawl/eval/average_precision.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/eval/validity.hpp>

namespace learn {
namespace {

double ndcg_of(trawl::ranking const& hits, question const& q) {
    return trawl::ndcg{.k = 10}(hits, q.judged);
}

} // namespace

void scoreboard::add(
    std::string name, std::function<trawl::ranking(question const&)> const& search) {
    technique t{std::move(name), {}};
    for (auto const& q : corpus_.questions) t.rankings.push_back(search(q));
    techniques_.push_back(std::move(t));
}

double scoreboard::mean(technique const& t, std::string const& label,
    std::function<double(trawl::ranking const&, question const&)> const& measure) const {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < corpus_.questions.size(); ++i) {
        auto const& q = corpus_.questions[i];
        if (label.empty() ? !q.has_answer() : q.label != label) continue;
        sum += measure(t.rankings[i], q);
        ++count;
    }
    return sum / count;
}

double scoreboard::ndcg(std::size_t index, std::string const& label) const {
    return mean(techniques_[index], label, ndcg_of);
}

std::vector<std::string> scoreboard::labels() const {
    std::vector<std::string> all;
    for (auto const& q : corpus_.questions) {
        if (q.has_answer() && std::find(all.begin(), all.end(), q.label) == all.end())
            all.push_back(q.label);
    }
    return all;
}

void scoreboard::print_measures() const {
    std::printf("%-16s %6s %6s %6s %6s %6s %6s %8s %13s\n", "", "Hit@1", "Hit@3", "P@5", "R@10",
        "MRR", "MAP", "nDCG@10", "ineligible@5");
    for (auto const& t : techniques_) {
        auto const row = [&](auto const& measure) {
            return mean(t, {}, [&](trawl::ranking const& hits, question const& q) {
                return measure(hits, q.judged);
            });
        };
        double outside = 0;
        for (std::size_t i = 0; i < t.rankings.size(); ++i) {
            outside += trawl::ineligible{.k = 5}(
                t.rankings[i], corpus_.of_version(corpus_.questions[i].version));
        }
        std::printf("%-16s %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %8.3f %13.3f\n", t.name.c_str(),
            row(trawl::hit_rate{.k = 1}), row(trawl::hit_rate{.k = 3}),
            row(trawl::precision{.k = 5}), row(trawl::recall{.k = 10}),
            row(trawl::reciprocal_rank{}), row(trawl::average_precision{}),
            row(trawl::ndcg{.k = 10}), outside / static_cast<double>(t.rankings.size()));
    }
}

void scoreboard::print_labels() const {
    std::printf("%-16s", "");
    for (auto const& t : techniques_) std::printf(" %15s", t.name.c_str());
    std::puts("");
    auto const line = [&](std::string const& label, std::string const& shown) {
        std::printf("%-16s", shown.c_str());
        std::vector<double> values;
        for (std::size_t i = 0; i < techniques_.size(); ++i) values.push_back(ndcg(i, label));
        auto const best = *std::max_element(values.begin(), values.end());
        for (double const value : values)
            std::printf(" %14.3f%c", value, value > best - 5e-4 ? '<' : ' ');
        std::puts("");
    };
    for (auto const& label : labels()) {
        auto const count = std::count_if(corpus_.questions.begin(), corpus_.questions.end(),
            [&](question const& q) { return q.label == label; });
        line(label, label + " (" + std::to_string(count) + ")");
    }
    line({}, "all");
}

void scoreboard::print_changes(std::size_t from) const {
    for (auto i = from; i + 1 < techniques_.size(); ++i) {
        auto const& before = techniques_[from];
        auto const& after = techniques_[i + 1];
        std::size_t better = 0, worse = 0;
        for (std::size_t q = 0; q < corpus_.questions.size(); ++q) {
            if (!corpus_.questions[q].has_answer()) continue;
            auto const gain = ndcg_of(after.rankings[q], corpus_.questions[q])
                              - ndcg_of(before.rankings[q], corpus_.questions[q]);
            if (gain > 1e-9) ++better;
            if (gain < -1e-9) ++worse;
        }
        std::printf("%s, against \"%s\": %zu questions better, %zu worse, nDCG@10 %+.3f\n",
            after.name.c_str(), before.name.c_str(), better, worse, ndcg(i + 1) - ndcg(from));
    }
}

} // namespace learn
