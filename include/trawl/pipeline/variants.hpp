// SPDX-License-Identifier: MIT
#pragma once

/// Several ways to ask one query: paraphrases, translations, hypothetical answers. Every arm is
/// asked all of them, and everything that comes back is fused once.

#include <concepts>
#include <string>
#include <vector>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Another way to ask. It has a text, a vector or both; a missing vector is made by the pipeline's
/// embedder, if there is one.
struct query_variant {
    std::string text = {};
    std::vector<float> vector = {};
    double weight = 1; ///< multiplies the weight of each arm; >= 0, 0: not asked
    /// a hypothetical answer: its text is embedded as a passage, and the arms do not see it
    bool hypothetical = false;
    friend bool operator==(query_variant const&, query_variant const&) = default;
};

template <class E>
concept query_expander = requires(E const& e, query const& q) {
    /** Other ways to ask q, any number of them. */
    { e(q) } -> std::same_as<std::vector<query_variant>>;
};

struct variant_options {
    /// ask the query itself too, with weight 1; it is also asked where no variant is left
    bool original = true;
};

TRAWL_END_NAMESPACE
