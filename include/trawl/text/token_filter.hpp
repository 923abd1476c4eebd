// SPDX-License-Identifier: MIT
#pragma once

/// Token filters stand between an analyzer and its user: they rewrite terms or drop them.

#include <concepts>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

template <class F>
concept token_filter = std::copy_constructible<F> && requires(F const& f, std::string& term) {
    /** Rewrites the term in place. False, or an empty term, drops the token. Thread-safe. */
    { f(term) } -> std::same_as<bool>;
};

/// Folds terms as the analyzers do (see folding.hpp): for a base analyzer that does not.
struct folding {
    bool operator()(std::string& term) const;
};

/// Unicode's simple lower case of each character; accents are kept.
struct lower_case {
    bool operator()(std::string& term) const;
};

/// Removes the English possessive 's: dog's becomes dog.
struct possessive {
    bool operator()(std::string& term) const;
};

namespace detail {
class word_set;
}

/// Drops the words of a list. Copies share the list. O(length) for a term.
class stop_words {
public:
    static constexpr bool reduces_words = true; ///< see surface.hpp

    /// @param words  folded here as the analyzers fold terms; duplicates are allowed
    /// @par Complexity O(bytes of the words).
    explicit stop_words(std::span<std::string_view const> words);
    stop_words(std::initializer_list<std::string_view> words)
        : stop_words(std::span<std::string_view const>(words.begin(), words.size())) {}

    /// Splits a list of words at blanks.
    [[nodiscard]] static stop_words parse(std::string_view list);

    /// The 33 words of Lucene's English list.
    [[nodiscard]] static stop_words english();

    bool operator()(std::string& term) const;

private:
    std::shared_ptr<detail::word_set const> words_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/token_filter_inl.hpp>
#endif
