// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of set_measures.hpp.

#include <trawl/eval/set_measures.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

#include <trawl/error.hpp>
#include <trawl/eval/assessment.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline double ratio(double part, std::size_t whole) noexcept {
    return whole == 0 ? 0 : part / static_cast<double>(whole);
}

} // namespace detail

TRAWL_INLINE double set_precision::operator()(assessment const& a) const {
    return detail::ratio(static_cast<double>(a.found()), a.retrieved);
}

TRAWL_INLINE double set_precision::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double set_relative_precision::operator()(assessment const& a) const {
    return detail::ratio(static_cast<double>(a.found()), (std::min)(a.retrieved, a.relevant));
}

TRAWL_INLINE double set_relative_precision::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double set_average_precision::operator()(assessment const& a) const {
    auto const found = static_cast<double>(a.found());
    auto const over = static_cast<double>(a.retrieved) * static_cast<double>(a.relevant);
    return over > 0 ? found * found / over : 0;
}

TRAWL_INLINE double set_average_precision::operator()(
    std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double set_f::operator()(assessment const& a) const {
    if (!(x >= 0))
        detail::fail(errc::invalid_argument, detail::join("set_f: x must be >= 0, is ", x));
    auto const found = static_cast<double>(a.found());
    if (!(found > 0)) return 0;
    auto const p = found / static_cast<double>(a.retrieved);
    auto const r = found / static_cast<double>(a.relevant);
    return (x + 1) * p * r / (x * p + r);
}

TRAWL_INLINE double set_f::operator()(std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_INLINE double utility::operator()(assessment const& a) const {
    auto const found = static_cast<double>(a.found());
    auto const retrieved = static_cast<double>(a.retrieved);
    auto const relevant = static_cast<double>(a.relevant);
    return relevant_retrieved * found + other_retrieved * (retrieved - found)
           + relevant_missed * (relevant - found)
           + other_left * (collection_size + found - retrieved - relevant);
}

TRAWL_INLINE double utility::operator()(std::span<hit const> hits, judgements const& judged) const {
    return (*this)(assess(hits, judged));
}

TRAWL_END_NAMESPACE
