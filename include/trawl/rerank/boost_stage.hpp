// SPDX-License-Identifier: MIT
#pragma once

/// Boosting: the scores of candidates and a number that each document has beside its text.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/fusion/detail/arm_scale.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/rerank/decay.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

template <class S>
concept number_source = requires(S const& s, doc_id id) {
    /** The document's number, if it has one. */
    { s(id) } -> std::convertible_to<std::optional<double>>;
};

template <class F>
concept boost_function = std::copy_constructible<F> && requires(F const& f, double value) {
    { f(value) } -> std::convertible_to<double>;
};

enum class boost_mode : unsigned char {
    multiply, ///< score * weight * f(value)
    add,      ///< score + weight * f(value)
};

template <>
inline constexpr std::size_t enum_count<boost_mode> = 2;

/// "multiply", "add".
[[nodiscard]] constexpr std::string_view name_of(boost_mode mode) noexcept {
    return mode == boost_mode::multiply ? "multiply" : "add";
}

struct boost_options {
    boost_mode mode = boost_mode::multiply;
    double weight = 1; ///< of the function; finite
    /// f's value for documents without a number; none: they are not boosted, their score stays
    std::optional<double> missing = {};
    /// of the scores of all candidates, before; min_max makes them >= 0
    normaliser norm = normaliser::none;
};

/// Changes every candidate's score by a function of its number and sorts anew, ties in the order
/// given.
///
///     .then(trawl::boost_stage(trawl::decay{.origin = today, .scale = 30}, published))
///
/// The source is borrowed, owned or shared as it is given; function and options are copied.
/// @throws trawl::error (invalid_argument) for options or a function out of range, and, under
/// multiply, for a negative score, which a factor below 1 would raise: normalise (norm) or add;
/// (not_finite) naming the document whose number, factor or score is NaN or infinite.
/// @par Complexity O(n log n).
template <boost_function Function, class Numbers>
class boost_stage {
public:
    template <class N>
        requires(std::same_as<detail::held<N>, Numbers> && number_source<detail::held_target<N>>)
    boost_stage(Function function, N&& numbers, boost_options options = {})
        : function_(std::move(function)),
          numbers_(
              (detail::require_object(numbers, "boost: the numbers"), std::forward<N>(numbers))),
          options_(options) {
        if constexpr (requires { function_.validate(); }) function_.validate();
        if (!detail::is_finite(options.weight))
            detail::fail(errc::invalid_argument,
                detail::join("boost: weight is ", options.weight, ", must be finite"));
        if (!detail::is_finite(options.missing.value_or(0)))
            detail::fail(errc::invalid_argument,
                detail::join("boost: missing is ", *options.missing, ", must be finite"));
    }

    [[nodiscard]] ranking operator()(
        query const& q, ranking candidates, search_options const& options = {}) const {
        stage_trace trace;
        return (*this)(q, std::move(candidates), options, trace);
    }

    [[nodiscard]] ranking operator()(
        query const&, ranking candidates, search_options const&, stage_trace& trace) const {
        trace.name = "boost";
        trace.scored = candidates.size();
        auto const scale = scale_of(candidates);
        std::size_t rank = 0;
        std::size_t absent = 0;
        for (auto& h : candidates) {
            auto const before = scale(h.score, ++rank);
            if (options_.mode == boost_mode::multiply && before < 0) {
                detail::fail(errc::invalid_argument,
                    detail::join("boost: the score of document ", h.id, " is ", before,
                        ", multiply needs scores >= 0: set norm to min_max, or mode to add"));
            }
            auto const number = number_of(h.id);
            absent += number ? 0u : 1u;
            auto const score = combine(before, number);
            if (!detail::is_finite(score)) {
                detail::fail(errc::not_finite, detail::join("boost: the score of document ", h.id,
                                                   " becomes ", score, ", must be finite"));
            }
            h.score = score;
        }
        if (absent > 0) trace.notes.push_back(detail::join(absent, " documents have no number"));
        std::stable_sort(candidates.begin(), candidates.end(),
            [](hit const& a, hit const& b) { return a.score > b.score; });
        return candidates;
    }

    [[nodiscard]] explanation explain(
        query const&, stage_step const& step, std::size_t position, explanation given) const {
        auto const id = step.out[position].id;
        auto const rank = detail::position_of(step.in, id);
        auto before = std::move(given);
        if (options_.norm != normaliser::none) {
            explanation scaled{operation::opaque,
                detail::join("score before, ", name_of(options_.norm)),
                scale_of(step.in)(step.in[rank].score, rank + 1), {}};
            scaled.children.push_back(std::move(before));
            before = std::move(scaled);
        }
        auto const number = number_of(id);
        if (!number && !options_.missing) {
            explanation same{operation::round, "boost: no number, nothing changes", 0, {}};
            same.children.push_back(std::move(before));
            same.value = recompute(same);
            return same;
        }
        explanation boost{operation::product, "boost", 0, {}};
        boost.children.push_back({operation::leaf, "weight", options_.weight, {}});
        boost.children.push_back({operation::leaf,
            number ? detail::join(name(), " of ", *number)
                   : std::string("for documents without a number"),
            factor(number), {}});
        boost.value = recompute(boost);
        auto const multiply = options_.mode == boost_mode::multiply;
        explanation both{multiply ? operation::product : operation::sum, "boosted", 0, {}};
        both.children.push_back(std::move(before));
        both.children.push_back(std::move(boost));
        both.value = recompute(both);
        explanation score{operation::round, "boost", 0, {}};
        score.children.push_back(std::move(both));
        score.value = recompute(score);
        return score;
    }

private:
    [[nodiscard]] detail::arm_scale scale_of(ranking const& candidates) const {
        std::vector<float> scores;
        if (options_.norm != normaliser::none)
            for (auto const& h : candidates) scores.push_back(h.score);
        return detail::scale_of(options_.norm, scores, scores.size());
    }

    [[nodiscard]] std::optional<double> number_of(doc_id id) const {
        std::optional<double> const number = numbers_.get()(id);
        if (number && !detail::is_finite(*number)) {
            detail::fail(errc::not_finite, detail::join("boost: the number of document ", id,
                                               " is ", *number, ", must be finite"));
        }
        return number;
    }

    [[nodiscard]] double factor(std::optional<double> number) const {
        return number ? static_cast<double>(function_(*number)) : *options_.missing;
    }

    // As the explanation computes it.
    [[nodiscard]] float combine(double before, std::optional<double> number) const {
        if (!number && !options_.missing) return static_cast<float>(before);
        auto const boost = detail::rounded(options_.weight * factor(number));
        if (options_.mode == boost_mode::multiply)
            return static_cast<float>(detail::rounded(before * boost));
        double const parts[] = {before, boost};
        return static_cast<float>(detail::sum_of(parts));
    }

    [[nodiscard]] static std::string_view name() noexcept {
        if constexpr (requires { Function::name(); }) {
            return Function::name();
        } else {
            return "function";
        }
    }

    Function function_;
    Numbers numbers_;
    boost_options options_;
};

template <class F, class N>
boost_stage(F, N&&) -> boost_stage<F, detail::held<N>>;
template <class F, class N>
boost_stage(F, N&&, boost_options) -> boost_stage<F, detail::held<N>>;

TRAWL_END_NAMESPACE
