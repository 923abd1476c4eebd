// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of ndcg.hpp.

#include <trawl/eval/ndcg.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/detail/assess.hpp>
#include <trawl/eval/detail/sort_numbers.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline double gain_of(int grade, gain rule, array_ref<grade_gain const> table) {
    for (auto const& entry : table) {
        if (entry.grade == grade) return entry.gain;
    }
    if (grade <= 0) return 0;
    if (rule == gain::linear) return grade;
    if (rule == gain::binary) return 1;
    if (grade > 500) {
        fail(errc::invalid_argument,
            join("ndcg: grade ", grade, " is above 500, too high for exponential gain"));
    }
    return math::exp2(grade) - 1;
}

[[nodiscard]] inline double discounted(double value, std::size_t rank) {
    return value / math::log2(static_cast<double>(rank + 1));
}

// The gains above 0 of all judged documents, best first; grades as they are, best first.
[[nodiscard]] inline std::vector<double> ideal_gains(
    std::span<int const> grades, gain rule, array_ref<grade_gain const> table) {
    std::vector<double> gains;
    for (int const grade : grades) {
        auto const value = gain_of(grade, rule, table);
        if (value > 0) gains.push_back(value);
        if (value <= 0 && table.empty()) break;
    }
    if (table.empty()) return gains;
    // Positive numbers have the order of their bits.
    std::vector<std::uint64_t> bits;
    for (double const value : gains) bits.push_back(std::bit_cast<std::uint64_t>(value));
    sort_numbers(bits);
    for (std::size_t i = 0; i < bits.size(); ++i)
        gains[i] = std::bit_cast<double>(bits[bits.size() - 1 - i]);
    return gains;
}

// The discounted gain of the best possible first k.
[[nodiscard]] inline double ideal_gain(
    std::span<int const> grades, std::size_t k, gain rule, array_ref<grade_gain const> table) {
    double best = 0;
    auto const ideal = ideal_gains(grades, rule, table);
    for (std::size_t i = 0; i < k && i < ideal.size(); ++i) best += discounted(ideal[i], i + 1);
    return best;
}

} // namespace detail

TRAWL_INLINE double ndcg::operator()(assessment const& a) const {
    detail::check_cutoff("ndcg", k);
    auto const best = detail::ideal_gain(a.grades, k, gain, gains);
    if (!(best > 0)) return 0;
    double sum = 0;
    for (auto const& h : a.known) {
        if (h.rank > k) break;
        auto const value = detail::gain_of(h.grade, gain, gains);
        if (value != 0) sum += detail::discounted(value, h.rank);
    }
    return sum / best;
}

TRAWL_INLINE double ndcg::operator()(tied_assessment const& a) const {
    detail::check_cutoff("ndcg", k);
    auto const best = detail::ideal_gain(a.grades, k, gain, gains);
    if (!(best > 0)) return 0;
    double sum = 0;
    for (auto const& g : a.groups) {
        double total = 0;
        for (int const grade : g.grades) total += detail::gain_of(grade, gain, gains);
        if (total == 0) continue;
        for (std::size_t i = 0; i < g.within(k); ++i) {
            sum += detail::discounted(total / static_cast<double>(g.size), g.before + i + 1);
        }
    }
    return sum / best;
}

TRAWL_INLINE double ndcg::operator()(std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double ndcg_at_relevant::operator()(assessment const& a) const {
    auto const ideal = detail::ideal_gains(a.grades, gain::linear, gains);
    if (ideal.empty()) return 0;
    double best = 0;
    std::size_t next = 0;
    auto const best_at = [&](std::size_t rank) {
        for (; next < rank && next < ideal.size(); ++next) {
            best += detail::discounted(ideal[next], next + 1);
        }
        return best;
    };
    double sum = 0;
    double dcg = 0;
    std::size_t seen = 0;
    for (auto const& h : a.known) {
        auto const value = detail::gain_of(h.grade, gain::linear, gains);
        if (value != 0) dcg += detail::discounted(value, h.rank);
        if (value > 0) {
            sum += dcg / best_at(h.rank);
            ++seen;
        }
    }
    sum += static_cast<double>(ideal.size() - seen) * dcg / best_at(ideal.size());
    return (sum > 0 ? sum : 0) / static_cast<double>(ideal.size());
}

TRAWL_INLINE double ndcg_at_relevant::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double r_ndcg::operator()(assessment const& a) const {
    auto const ideal = detail::ideal_gains(a.grades, gain::linear, gains);
    if (ideal.empty() || a.relevant == 0) return 0;
    double sum = 0;
    double points = 0;
    double dcg = 0;
    double best = 0;
    auto next = a.known.begin();
    auto const add_hits_to = [&](std::size_t rank) {
        for (; next != a.known.end() && next->rank <= rank; ++next) {
            auto const value = detail::gain_of(next->grade, gain::linear, gains);
            if (value != 0) dcg += detail::discounted(value, next->rank);
        }
    };
    for (std::size_t i = 0; i < ideal.size(); ++i) {
        best += detail::discounted(ideal[i], i + 1);
        if (i + 1 == ideal.size() || ideal[i + 1] != ideal[i]) {
            add_hits_to(i + 1);
            sum += dcg / best;
            ++points;
        }
    }
    if (a.retrieved > ideal.size() + 1) {
        add_hits_to(a.retrieved);
        sum += dcg / best;
        ++points;
    }
    return sum / points;
}

TRAWL_INLINE double r_ndcg::operator()(std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double normalised_gain::operator()(assessment const& a) const {
    auto const ideal = detail::ideal_gains(a.grades, gain::linear, gains);
    double total = 0;
    for (double const value : ideal) total += value;
    if (!(total > 0)) return 0;
    double sum = 0;
    double gained = 0;
    double cost = 0;
    std::size_t rank = 0;
    for (auto const& h : a.known) {
        for (; rank < h.rank; ++rank)
            cost += rank < ideal.size() ? (ideal[rank] > 1 ? ideal[rank] : 1.0) : 1.0;
        auto const value = detail::gain_of(h.grade, gain::linear, gains);
        gained += value;
        if (value != 0) sum += value / detail::math::log2(2 + cost - gained);
    }
    return sum / total;
}

TRAWL_INLINE double normalised_gain::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double binary_gain::operator()(assessment const& a) const {
    double sum = 0;
    std::size_t seen = 0;
    for (auto const& h : a.known) {
        if (!a.is_relevant(h)) continue;
        ++seen;
        sum += 1 / detail::math::log2(static_cast<double>(2 + h.rank - seen));
    }
    return a.relevant == 0 ? 0 : sum / static_cast<double>(a.relevant);
}

TRAWL_INLINE double binary_gain::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_END_NAMESPACE
