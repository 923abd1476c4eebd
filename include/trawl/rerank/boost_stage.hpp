// SPDX-License-Identifier: MIT
#pragma once

/// Boosting: combines the scores of candidates with a number that each document has beside its
/// text.

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <trawl/core/holding.hpp>
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

/// How a boost changes a score.
enum class boost_mode : unsigned char {
    multiply, ///< score * weight * f(value)
    add,      ///< score + weight * f(value)
};

template <>
inline constexpr std::size_t enum_count<boost_mode> = 2;

/// "multiply", "add".
[[nodiscard]] constexpr std::string_view name_of(boost_mode mode) noexcept {
    constexpr std::string_view names[enum_count<boost_mode>] = {"multiply", "add"};
    return names[static_cast<std::size_t>(mode)];
}

struct boost_options {
    boost_mode mode = boost_mode::multiply;
    double weight = 1; ///< of the function; finite
    /// f's value for documents without a number; none: they are not boosted, their score stays
    std::optional<double> missing = {};
    /// of the scores before, over the candidates with a score of their own; min_max makes them >= 0
    normaliser norm = normaliser::none;
};

namespace detail {

/// Numbers and a function, their types erased.
struct boost_calls {
    std::string_view function_name;
    function_ref<std::optional<double>(doc_id)> number;
    function_ref<double(double)> function;
};

void check_boost(boost_options const& options);

[[nodiscard]] ranking boost(
    boost_calls const& calls, ranking candidates, boost_options const& how, trace_ref trace);

[[nodiscard]] explanation explain_boost(boost_calls const& calls, boost_options const& how,
    stage_step const& step, std::size_t position, explanation given);

} // namespace detail

/// Changes every candidate's score by a function of its number and sorts again, ties in the order
/// given:
///
///     .then(trawl::boost_stage(trawl::decay{.origin = today, .scale = 30}, published))
///
/// It changes only scores that are a candidate's own (score_origin): what a reranker did not read
/// follows in its old order, each hit one float step below the one before. Where a reranker failed,
/// the scores are on another scale: add without a norm leaves them as they are.
///
/// The source of numbers is held as pipelines hold their parts (core/holding.hpp); function and
/// options are copied.
/// @throws trawl::error (invalid_argument) for options or a function out of range, and, under
/// multiply, for a negative score, which a factor below 1 would raise: set norm, or add;
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
        detail::check_boost(options);
    }

    [[nodiscard]] ranking operator()(
        query const&, ranking candidates, search_options const& = {}, trace_ref trace = {}) const {
        return call([&](detail::boost_calls const& calls) {
            return detail::boost(calls, std::move(candidates), options_, trace);
        });
    }

    [[nodiscard]] explanation explain(
        query const&, stage_step const& step, std::size_t position, explanation given) const {
        return call([&](detail::boost_calls const& calls) {
            return detail::explain_boost(calls, options_, step, position, std::move(given));
        });
    }

private:
    template <class Use>
    [[nodiscard]] auto call(Use const& use) const {
        auto const number = [&](doc_id id) -> std::optional<double> { return numbers_.get()(id); };
        auto const function = [&](double value) -> double { return function_(value); };
        std::string_view name = "function";
        if constexpr (requires { Function::name(); }) name = Function::name();
        return use(detail::boost_calls{name, number, function});
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

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/boost_stage_inl.hpp>
#endif
