// SPDX-License-Identifier: MIT
#pragma once

/// What stands between an analyzer and its tokens: filters that rewrite terms or leave them out.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <trawl/text/folding.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

[[nodiscard]] inline bool is_lower_ascii(std::string_view term) noexcept {
    return std::all_of(term.begin(), term.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

} // namespace detail

template <class F>
concept token_filter = std::copy_constructible<F> && requires(F const& f, std::string& term) {
    /** Rewrites the term in place; false, or a term made empty, leaves the token out. Thread-safe. */
    { f(term) } -> std::same_as<bool>;
};

/// Folds terms as the analyzers do: for a base analyzer that does not.
struct folding {
    bool operator()(std::string& term) const {
        term = folded(term);
        return true;
    }
};

/// Unicode's lower case, character by character; accents stay.
struct lower_case {
    bool operator()(std::string& term) const {
        auto const ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
        if (std::all_of(term.begin(), term.end(), ascii)) {
            for (auto& c : term) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
            return true;
        }
        std::string out;
        for (std::size_t at = 0; at < term.size();) {
            auto const c = detail::decode_utf8(term, at);
            if (c.bytes == 0) {
                out.push_back(term[at++]);
                continue;
            }
            detail::append_utf8(detail::lower(c.code), out);
            at += c.bytes;
        }
        term = std::move(out);
        return true;
    }
};

/// Takes the English possessive 's off the end: dog's becomes dog.
struct possessive {
    bool operator()(std::string& term) const {
        if (std::string_view(term).ends_with("'s")) term.resize(term.size() - 2);
        return true;
    }
};

/// Leaves out the words of a list. Copies share the list.
class stop_words {
public:
    /// Any words, folded here as the analyzers fold terms; repeated ones are fine. O(words).
    explicit stop_words(std::span<std::string_view const> words) {
        auto list = std::make_shared<std::unordered_set<std::string>>();
        for (auto const word : words) {
            auto term = folded(word);
            if (!term.empty()) first_bytes_[row(term)] |= bit(term);
            list->insert(std::move(term));
        }
        words_ = std::move(list);
    }
    stop_words(std::initializer_list<std::string_view> words)
        : stop_words(std::span(words.begin(), words.size())) {}

    /// The words between the blanks of a list.
    [[nodiscard]] static stop_words parse(std::string_view list) {
        std::vector<std::string_view> words;
        for (std::size_t at = 0; at < list.size();) {
            auto const end = (std::min)(list.find(' ', at), list.size());
            if (end > at) words.push_back(list.substr(at, end - at));
            at = end + 1;
        }
        return stop_words(std::span<std::string_view const>(words));
    }

    /// The 33 words of Lucene's English list.
    [[nodiscard]] static stop_words english() {
        return parse("a an and are as at be but by for if in into is it no not of on or such that "
                     "the their then "
                     "there these they this to was will with");
    }

    bool operator()(std::string& term) const {
        return term.empty() || (first_bytes_[row(term)] & bit(term)) == 0
               || !words_->contains(term);
    }

private:
    // Most words are told apart by their length and first byte, without a look into the set.
    [[nodiscard]] static std::size_t row(std::string_view term) noexcept {
        return (std::min)(term.size(), std::size_t{15});
    }
    [[nodiscard]] static std::uint32_t bit(std::string_view term) noexcept {
        return 1u << (static_cast<unsigned char>(term.front()) & 31);
    }

    std::shared_ptr<std::unordered_set<std::string> const> words_;
    std::array<std::uint32_t, 16> first_bytes_{};
};

static_assert(token_filter<folding> && token_filter<lower_case> && token_filter<possessive>
              && token_filter<stop_words>);

TRAWL_END_NAMESPACE
