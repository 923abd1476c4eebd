// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of token_filter.hpp.

#include <trawl/text/token_filter.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/text/detail/unicode.hpp>
#include <trawl/text/folding.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A set of words in a table with open addressing. Most terms are told from all words by their length
/// and first byte alone.
class word_set {
public:
    explicit word_set(std::size_t words) {
        std::size_t slots = 8;
        while (slots < 2 * words) slots *= 2;
        slots_.resize(slots);
    }

    /// Adds a word; the empty one is ignored.
    void add(std::string word) {
        if (word.empty()) return;
        first_bytes_[row(word)] |= bit(word);
        auto& slot = slots_[place(word)];
        if (slot.empty()) slot = std::move(word);
    }

    [[nodiscard]] bool contains(std::string_view word) const noexcept {
        return !word.empty() && (first_bytes_[row(word)] & bit(word)) != 0
               && !slots_[place(word)].empty();
    }

private:
    [[nodiscard]] static std::size_t row(std::string_view word) noexcept {
        return word.size() < 15 ? word.size() : 15;
    }
    [[nodiscard]] static std::uint32_t bit(std::string_view word) noexcept {
        return 1u << (static_cast<unsigned char>(word.front()) & 31);
    }

    // The slot that holds the word, or else the free one where it belongs.
    [[nodiscard]] std::size_t place(std::string_view word) const noexcept {
        std::uint32_t hash = 2166136261u; // FNV-1a
        for (char const c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
        auto const mask = slots_.size() - 1;
        auto at = std::size_t{hash ^ hash >> 15} & mask;
        while (!slots_[at].empty() && slots_[at] != word) at = (at + 1) & mask;
        return at;
    }

    std::array<std::uint32_t, 16> first_bytes_{};
    std::vector<std::string> slots_; // a power of two, at most half of them taken
};

} // namespace detail

TRAWL_INLINE bool folding::operator()(std::string& term) const {
    term = folded(term);
    return true;
}

TRAWL_INLINE bool lower_case::operator()(std::string& term) const {
    std::size_t at = 0;
    for (; at < term.size() && static_cast<unsigned char>(term[at]) < 0x80; ++at) {
        if (term[at] >= 'A' && term[at] <= 'Z') term[at] = static_cast<char>(term[at] + 32);
    }
    if (at == term.size()) return true;
    auto out = term.substr(0, at);
    while (at < term.size()) {
        auto const c = decode_utf8(term, at);
        if (c.bytes == 0) {
            out.push_back(term[at++]);
            continue;
        }
        append_utf8(detail::lower(c.code), out);
        at += c.bytes;
    }
    term = std::move(out);
    return true;
}

TRAWL_INLINE bool possessive::operator()(std::string& term) const {
    if (std::string_view(term).ends_with("'s")) term.resize(term.size() - 2);
    return true;
}

TRAWL_INLINE stop_words::stop_words(std::span<std::string_view const> words) {
    auto list = std::make_shared<detail::word_set>(words.size());
    for (auto const word : words) list->add(folded(word));
    words_ = std::move(list);
}

TRAWL_INLINE stop_words stop_words::parse(std::string_view list) {
    std::vector<std::string_view> words;
    while (!list.empty()) {
        auto const word = list.substr(0, list.find(' '));
        if (!word.empty()) words.push_back(word);
        list.remove_prefix(word.size() < list.size() ? word.size() + 1 : word.size());
    }
    return stop_words(words);
}

TRAWL_INLINE stop_words stop_words::english() {
    return parse("a an and are as at be but by for if in into is it no not of on or such that the "
                 "their then there these they this to was will with");
}

TRAWL_INLINE bool stop_words::operator()(std::string& term) const {
    return !words_->contains(term);
}

TRAWL_END_NAMESPACE
