// SPDX-License-Identifier: MIT
#pragma once

/// Measures of what was retrieved as a set, whatever its order. A question without relevant
/// documents, or without retrieved ones, has 0 (utility: the sum of its terms).

#include <algorithm>
#include <cstddef>
#include <span>

#include <trawl/eval/assessment.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline double ratio(double part, std::size_t whole) noexcept {
    return whole == 0 ? 0 : part / static_cast<double>(whole);
}

} // namespace detail

/// Relevant retrieved over retrieved. trec_eval: set_P.
struct set_precision {
    [[nodiscard]] double operator()(assessment const& a) const {
        return detail::ratio(static_cast<double>(a.found()), a.retrieved);
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// Relevant retrieved over min(retrieved, relevant). trec_eval: set_relative_P.
struct set_relative_precision {
    [[nodiscard]] double operator()(assessment const& a) const {
        return detail::ratio(static_cast<double>(a.found()), (std::min)(a.retrieved, a.relevant));
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// Precision times recall of the set. trec_eval: set_map.
struct set_average_precision {
    [[nodiscard]] double operator()(assessment const& a) const {
        auto const found = static_cast<double>(a.found());
        auto const over = static_cast<double>(a.retrieved) * static_cast<double>(a.relevant);
        return over > 0 ? found * found / over : 0;
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// (x + 1) P R / (x P + R) of the set. trec_eval: set_F.
struct set_f {
    double x = 1; ///< weight of recall, >= 0; beta squared in other books

    [[nodiscard]] double operator()(assessment const& a) const {
        if (!(x >= 0))
            detail::fail(errc::invalid_argument, detail::join("set_f: x must be >= 0, is ", x));
        auto const found = static_cast<double>(a.found());
        if (!(found > 0)) return 0;
        auto const p = found / static_cast<double>(a.retrieved);
        auto const r = found / static_cast<double>(a.relevant);
        return (x + 1) * p * r / (x * p + r);
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

/// A weighted count of the four kinds of documents; any real number. trec_eval: utility.
struct utility {
    double relevant_retrieved = 1;
    double other_retrieved = -1;
    double relevant_missed = 0;
    double other_left = 0;      ///< needs collection_size
    double collection_size = 0; ///< documents

    [[nodiscard]] double operator()(assessment const& a) const {
        auto const found = static_cast<double>(a.found());
        auto const retrieved = static_cast<double>(a.retrieved);
        auto const relevant = static_cast<double>(a.relevant);
        return relevant_retrieved * found + other_retrieved * (retrieved - found)
               + relevant_missed * (relevant - found)
               + other_left * (collection_size + found - retrieved - relevant);
    }
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const {
        return (*this)(assess(hits, judged));
    }
};

TRAWL_END_NAMESPACE
