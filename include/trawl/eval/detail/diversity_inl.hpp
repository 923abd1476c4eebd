// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of diversity.hpp.

#include <trawl/eval/diversity.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>

#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/detail/assess.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE double alpha_ndcg::operator()(
    std::span<hit const> hits, std::span<subtopic_judgement const> judged) const {
    detail::check_cutoff("alpha_ndcg", k);
    if (!(alpha >= 0 && alpha <= 1)) {
        detail::fail(errc::invalid_argument,
            detail::join("alpha_ndcg: alpha must be in [0, 1], is ", alpha));
    }
    std::map<doc_id, std::set<std::uint32_t>> about;
    for (auto const& j : judged) about[j.id].insert(j.subtopic);
    std::map<std::uint32_t, std::size_t> seen;
    auto const gain_of = [&](std::set<std::uint32_t> const& subtopics) {
        double gain = 0;
        for (auto const s : subtopics) {
            auto const before = seen.find(s);
            gain +=
                before == seen.end() ? 1 : std::pow(1 - alpha, static_cast<double>(before->second));
        }
        return gain;
    };
    auto const take = [&](std::set<std::uint32_t> const& subtopics) {
        for (auto const s : subtopics) ++seen[s];
    };

    double found = 0;
    std::set<doc_id> passed;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        if (!passed.insert(hits[i].id).second) {
            detail::fail(errc::invalid_argument,
                detail::join("alpha_ndcg: document ", hits[i].id, " is in the ranking twice"));
        }
        auto const at = about.find(hits[i].id);
        if (i >= k || at == about.end()) continue;
        found += gain_of(at->second) / std::log2(static_cast<double>(i + 2));
        take(at->second);
    }
    seen.clear();
    double ideal = 0;
    for (std::size_t i = 0; i < k && !about.empty(); ++i) {
        auto best = about.begin();
        double highest = gain_of(best->second);
        for (auto other = std::next(best); other != about.end(); ++other) {
            auto const gain = gain_of(other->second);
            if (gain >= highest) {
                best = other;
                highest = gain;
            }
        }
        ideal += highest / std::log2(static_cast<double>(i + 2));
        take(best->second);
        about.erase(best);
    }
    return ideal > 0 ? found / ideal : 0;
}

TRAWL_INLINE double intra_list_diversity(
    std::span<hit const> hits, std::size_t k, function_ref<double(doc_id, doc_id)> similarity) {
    auto const n = (std::min)(k, hits.size());
    if (n < 2) return 0;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            auto const s = similarity(hits[i].id, hits[j].id);
            if (!detail::is_finite(s)) {
                detail::fail(
                    errc::not_finite, detail::join("intra_list_diversity: the similarity of ",
                                          hits[i].id, " and ", hits[j].id, " is ", s));
            }
            sum += 1 - s;
        }
    }
    return sum / (static_cast<double>(n) * static_cast<double>(n - 1) / 2);
}

TRAWL_END_NAMESPACE
