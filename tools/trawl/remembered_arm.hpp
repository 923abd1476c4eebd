// SPDX-License-Identifier: MIT
#pragma once

/// An arm that asks each query once, however many settings are tried behind it.

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/pipeline/any_retriever.hpp>

namespace cli {

/// For searches without a filter, by one thread.
class remembered_arm {
public:
    explicit remembered_arm(trawl::any_retriever arm) : arm_(std::move(arm)) {}

    [[nodiscard]] trawl::ranking search(
        trawl::query const& q, trawl::search_options const& options) const {
        auto& known = rankings_[{std::string(q.text), options.k}];
        if (!known) known = arm_.search(q, options);
        return *known;
    }

    [[nodiscard]] std::vector<trawl::hit> score(trawl::query const& q,
        std::span<trawl::doc_id const> ids, trawl::search_options const& options) const {
        auto& known = scores_[std::string(q.text)];
        std::vector<trawl::doc_id> missing;
        for (auto const id : ids)
            if (!known.contains(id)) missing.push_back(id);
        if (!missing.empty()) {
            for (auto const id : missing) known[id] = std::nullopt;
            for (auto const& h : arm_.score(q, missing, options)) known[h.id] = h.score;
        }
        std::vector<trawl::hit> out;
        for (auto const id : ids)
            if (auto const score = known[id]) out.push_back({id, *score});
        return out;
    }

private:
    using scores = std::map<trawl::doc_id, std::optional<float>>; // none: the arm lacks it

    trawl::any_retriever arm_;
    std::map<std::pair<std::string, std::size_t>, std::optional<trawl::ranking>> mutable rankings_;
    std::map<std::string, scores> mutable scores_;
};

} // namespace cli
