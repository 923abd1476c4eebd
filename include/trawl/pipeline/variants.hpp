// SPDX-License-Identifier: MIT
#pragma once

/// A question asked in several ways: paraphrases, translations, made-up answers. All variants are
/// put to all arms, and everything that comes back is fused once.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// Another way to ask. At least one of text and vector is there; where the vector is not, the
/// pipeline's embedder makes it, if there is one.
struct query_variant {
    std::string text = {};
    std::vector<float> vector = {};
    double weight = 1; ///< times that of each arm; >= 0, 0: not asked
    /// a made-up answer: its text is embedded as a passage and kept from the arms
    bool hypothetical = false;
    friend bool operator==(query_variant const&, query_variant const&) = default;
};

template <class E>
concept query_expander = requires(E const& e, query const& q) {
    /** The other ways to ask q, in any number. */
    { e(q) } -> std::same_as<std::vector<query_variant>>;
};

struct variant_options {
    /// the question itself is asked too, with weight 1; it is where no variant is left
    bool original = true;
};

namespace detail {

/// A pipeline without .variants().
struct no_expander {};

template <class Held>
struct question_expander {
    Held expand;
    variant_options options;
};

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
    std::erase_if(variants, [](query_variant const& v) { return v.weight == 0; });
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
    for (std::size_t i = 0; i < variants.size(); ++i) {
        if (repeats(variants[i], kept)) continue;
        if (kept != i) variants[kept] = std::move(variants[i]);
        ++kept;
    }
    auto const dropped = variants.size() - kept;
    variants.resize(kept);
    return dropped;
}

} // namespace detail
TRAWL_END_NAMESPACE
