// SPDX-License-Identifier: MIT
#pragma once

/// Techniques side by side: measures over all questions and per label, and validity beside them.

#include <functional>
#include <string>
#include <vector>

#include <trawl/core/words.hpp>

#include "support/corpus.hpp"

namespace learn {

class scoreboard {
public:
    explicit scoreboard(corpus const& c) : corpus_(c) {}

    /// Asks a technique every question.
    void add(std::string name, std::function<trawl::ranking(question const&)> const& search);

    /// A row a technique: every measure over the questions that have an answer, ineligible@5 over
    /// all.
    void print_measures() const;
    /// A row a label: nDCG@10 of each technique, the best of the row marked.
    void print_labels() const;
    /// What technique `from` (counted from 0) and every later one changed against the one before:
    /// questions that got better and worse.
    void print_changes(std::size_t from) const;
    /// Mean nDCG@10 of technique `index` (counted from 0) over the questions of a label; of all
    /// that have an answer if it is empty.
    [[nodiscard]] double ndcg(std::size_t index, std::string const& label = {}) const;

private:
    struct technique {
        std::string name;
        std::vector<trawl::ranking> rankings; ///< one a question
    };
    [[nodiscard]] double mean(technique const& t, std::string const& label,
        std::function<double(trawl::ranking const&, question const&)> const& measure) const;
    [[nodiscard]] std::vector<std::string> labels() const;

    corpus const& corpus_;
    std::vector<technique> techniques_;
};

} // namespace learn
