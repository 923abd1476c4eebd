// SPDX-License-Identifier: MIT
#pragma once

/// Which documents hold which terms, how often: all that BM25 needs to know, whatever its formula.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/key_table.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

namespace trawl::inline v0_1::detail {

/// Terms and documents have consecutive numbers of their own (a document's is its row), for ids may have
/// gaps. Posting lists hold live documents only, so that a term's df is the length of its list, also after
/// erasing.
class inverted_index {
public:
    using number = std::uint32_t;

    struct posting {
        number row;
        std::uint32_t tf;
    };

    struct document {
        doc_id id = no_doc;
        std::uint32_t length = 0; ///< positions that hold a term
        bool live = true;
        std::vector<number> terms = {}; ///< each once, ascending
    };

    /// A document's terms on their way into the index.
    struct contents {
        std::vector<number> tokens = {};
        std::uint32_t length = 0;
    };

    /// The number of a term, a new one if it is new.
    [[nodiscard]] number intern(std::string_view term) {
        if (auto const known = terms_.find(term)) return *known;
        if (postings_.size() == terms_.size()) postings_.emplace_back();
        return terms_.add(term);
    }

    [[nodiscard]] std::optional<number> find(std::string_view term) const { return terms_.find(term); }

    [[nodiscard]] std::string_view term(number term) const { return terms_.key(term); }

    /// Adds a document under the id, which must not be below next_id().
    void append(doc_id id, contents words) {
        auto const counts = counted(std::move(words.tokens));
        grow(documents_);
        for (auto const& [term, tf] : counts) grow(postings_[term]);
        documents_.push_back({.id = id, .length = words.length, .terms = terms_of(counts)});
        // Nothing fails from here on.
        auto const row = static_cast<number>(documents_.size() - 1);
        for (auto const& [term, tf] : counts) postings_[term].push_back({row, tf});
        ++live_;
        total_length_ += words.length;
    }

    /// Gives a live document other contents.
    void replace(number row, contents words) {
        auto const counts = counted(std::move(words.tokens));
        auto terms = terms_of(counts);
        for (auto const& [term, tf] : counts) grow(postings_[term]);
        // Nothing fails from here on.
        remove(row);
        for (auto const& [term, tf] : counts) {
            postings_[term].insert(lower_bound(postings_[term], row), posting{row, tf});
        }
        documents_[row] = {.id = documents_[row].id, .length = words.length, .terms = std::move(terms)};
        ++live_;
        total_length_ += words.length;
    }

    /// Takes a live document out of every list.
    void remove(number row) noexcept {
        auto& gone = documents_[row];
        for (number const term : gone.terms) postings_[term].erase(lower_bound(postings_[term], row));
        --live_;
        total_length_ -= gone.length;
        gone = {.id = gone.id, .live = false};
    }

    /// The row of a live document.
    [[nodiscard]] std::optional<number> row_of(doc_id id) const noexcept {
        // Without gaps a document's row is its id; gaps only lower it.
        auto const last =
            documents_.begin() + static_cast<std::ptrdiff_t>((std::min)(std::size_t{id}, documents_.size()));
        auto at = last;
        if (at == documents_.end() || at->id != id) {
            at = std::lower_bound(
                documents_.begin(), last, id, [](document const& d, doc_id wanted) { return d.id < wanted; });
        }
        if (at == documents_.end() || at->id != id || !at->live) return std::nullopt;
        return static_cast<number>(at - documents_.begin());
    }

    /// All rows, erased documents among them.
    [[nodiscard]] std::span<document const> documents() const noexcept { return documents_; }

    /// The live documents that hold the term, rows ascending.
    [[nodiscard]] std::span<posting const> postings(number term) const noexcept { return postings_[term]; }

    /// How often a document holds the term; 0 if not at all.
    [[nodiscard]] std::uint32_t tf(number term, number row) const noexcept {
        auto const& list = postings_[term];
        auto const at = lower_bound(list, row);
        return at != list.end() && at->row == row ? at->tf : 0;
    }

    /// Terms seen so far, those of erased documents among them.
    [[nodiscard]] std::size_t terms() const noexcept { return terms_.size(); }

    [[nodiscard]] std::size_t live() const noexcept { return live_; }
    [[nodiscard]] std::uint64_t total_length() const noexcept { return total_length_; }

    [[nodiscard]] doc_id next_id() const noexcept {
        return documents_.empty() ? 0 : documents_.back().id + 1;
    }

private:
    using term_count = std::pair<number, std::uint32_t>;

    [[nodiscard]] static std::vector<term_count> counted(std::vector<number> tokens) {
        std::sort(tokens.begin(), tokens.end());
        std::vector<term_count> counts;
        for (number const term : tokens) {
            if (counts.empty() || counts.back().first != term) counts.emplace_back(term, 0);
            ++counts.back().second;
        }
        return counts;
    }

    [[nodiscard]] static std::vector<number> terms_of(std::span<term_count const> counts) {
        std::vector<number> terms(counts.size());
        std::transform(
            counts.begin(), counts.end(), terms.begin(), [](term_count const& count) { return count.first; });
        return terms;
    }

    // Makes room for one more, as push_back would.
    template <class T>
    static void grow(std::vector<T>& items) {
        if (items.size() == items.capacity()) items.reserve(2 * items.size() + 1);
    }

    [[nodiscard]] static std::vector<posting>::const_iterator lower_bound(
        std::vector<posting> const& list, number row) noexcept {
        return std::lower_bound(
            list.begin(), list.end(), row, [](posting const& p, number wanted) { return p.row < wanted; });
    }

    key_table terms_; // numbers the terms: its ids are theirs
    std::vector<std::vector<posting>> postings_;
    std::vector<document> documents_;
    std::size_t live_ = 0;
    std::uint64_t total_length_ = 0;
};

} // namespace trawl::inline v0_1::detail
