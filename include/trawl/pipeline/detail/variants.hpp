// SPDX-License-Identifier: MIT
#pragma once

/// Checks the variants of a query and drops those that repeat another.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/pipeline/variants.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Checks the variants, drops those of weight 0, those that ask what the original does, and all but
/// the first of equal text and vector.
/// @return how many were dropped as repeated.
/// @throws trawl::error (model) naming the variant and what is wrong with it.
inline std::size_t keep_distinct(
    std::vector<query_variant>& variants, query const& original, bool with_original, bool embeds) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
        auto const& v = variants[i];
        if (!is_finite(v.weight) || v.weight < 0) {
            fail(errc::model, join("variants: the weight of variant ", i + 1, " is ", v.weight,
                                  ", must be finite and >= 0"));
        }
        if (v.text.empty() && v.vector.empty())
            fail(errc::model, join("variants: variant ", i + 1, " has neither text nor vector"));
        if (v.hypothetical && v.vector.empty() && !embeds) {
            fail(errc::model,
                join("variants: variant ", i + 1,
                    " is hypothetical and has no vector: give it one, or the pipeline an "
                    "embedder"));
        }
    }
    auto const same = [](query_variant const& a, query_variant const& b) {
        return a.text == b.text && a.vector == b.vector && a.hypothetical == b.hypothetical;
    };
    auto const repeats = [&](query_variant const& v, std::size_t before) {
        if (with_original && !v.hypothetical && v.text == original.text
            && (v.vector.empty()
                || std::equal(v.vector.begin(), v.vector.end(), original.vector.begin(),
                    original.vector.end())))
            return true;
        return std::any_of(variants.begin(), variants.begin() + static_cast<std::ptrdiff_t>(before),
            [&](query_variant const& other) { return same(other, v); });
    };
    std::size_t kept = 0;
    std::size_t repeated = 0;
    for (auto& v : variants) {
        if (v.weight == 0) continue;
        if (repeats(v, kept)) {
            ++repeated;
            continue;
        }
        if (&v != &variants[kept]) variants[kept] = std::move(v);
        ++kept;
    }
    while (variants.size() > kept) variants.pop_back();
    return repeated;
}

} // namespace detail
TRAWL_END_NAMESPACE
