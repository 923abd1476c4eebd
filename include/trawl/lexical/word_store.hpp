// SPDX-License-Identifier: MIT
#pragma once

/// Where the words of each document stand.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/lexical/segment.hpp>

namespace trawl::inline v0_1::detail {

/// A word of a document: its term's number and its position.
struct placed_word {
    std::uint32_t term;
    std::uint32_t position;
};

/// Words as bytes, in order of position: the term and how far it is from the word before, each a number of 7
/// bits a byte, lowest first, 128 added where another byte follows.
class word_bytes {
public:
    static void put(std::vector<unsigned char>& to, std::span<placed_word const> words) {
        std::uint32_t position = 0;
        for (auto const& word : words) {
            put(to, word.term);
            put(to, word.position - position);
            position = word.position;
        }
    }

    /// Calls visit(placed_word) for each word, whatever the bytes.
    template <class Visit>
    static void for_each(std::span<unsigned char const> bytes, Visit&& visit) {
        std::uint32_t position = 0;
        for (std::size_t at = 0; at < bytes.size();) {
            auto const term = take(bytes, at);
            visit(placed_word{term, position += take(bytes, at)});
        }
    }

private:
    static void put(std::vector<unsigned char>& to, std::uint32_t value) {
        for (; value >= 128; value >>= 7) to.push_back(static_cast<unsigned char>(value | 128));
        to.push_back(static_cast<unsigned char>(value));
    }

    [[nodiscard]] static std::uint32_t take(std::span<unsigned char const> bytes, std::size_t& at) noexcept {
        std::uint32_t value = 0;
        for (unsigned shift = 0; at < bytes.size() && shift < 32; shift += 7) {
            auto const byte = bytes[at++];
            value |= (byte & 127u) << shift;
            if (byte < 128) break;
        }
        return value;
    }
};

/// Words of documents that are never changed, in arrays that may hold anything.
struct frozen_words {
    std::span<unsigned char const> bytes = {};
    std::span<std::uint64_t const> ends = {}; ///< of each row's in the bytes
    std::shared_ptr<segment const> rows = {}; ///< of the documents; keeps the arrays alive

    [[nodiscard]] std::span<unsigned char const> of(doc_id id) const noexcept {
        auto const row = rows ? rows->row_of(id) : std::nullopt;
        if (!row || *row >= ends.size()) return {};
        auto const begin = *row == 0 ? 0 : ends[*row - 1];
        auto const end = ends[*row];
        if (begin > end || end > bytes.size()) return {};
        return bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
};

/// The words of documents by id: a tree of 32 branches and 7 levels that never changes, over words in a file.
/// A copy costs a pointer, a change seven nodes; a reader keeps what it saw. 3 to 4 bytes a word and, in the
/// tree, some 60 a document.
class word_store {
public:
    word_store() = default;
    explicit word_store(frozen_words first) : first_(std::move(first)) {}

    /// Sets a document's words, in order of position; none: forgets what was set.
    void set(doc_id id, std::span<placed_word const> words) { root_ = with(root_.get(), id, levels, words); }

    /// Calls visit(placed_word) for each word of a live document, in order of position.
    template <class Visit>
    void for_each(doc_id id, Visit&& visit) const {
        auto const* at = root_.get();
        for (auto level = levels; at != nullptr && level > 0; --level) {
            at = at->below[branch(id, level)].get();
        }
        word_bytes::for_each(
            at != nullptr ? std::span<unsigned char const>(at->bytes) : first_.of(id), visit);
    }

private:
    static constexpr unsigned levels = 7;
    static constexpr unsigned bits = 5;

    struct node {
        std::vector<std::shared_ptr<node const>> below = {}; ///< 32, or none in a document's own
        std::vector<unsigned char> bytes = {};               ///< of a document
    };

    [[nodiscard]] static std::size_t branch(doc_id id, unsigned level) noexcept {
        return (std::uint64_t{id} >> (bits * (level - 1))) & ((1u << bits) - 1);
    }

    [[nodiscard]] static std::shared_ptr<node const> with(
        node const* old, doc_id id, unsigned level, std::span<placed_word const> words) {
        if (level == 0 && words.empty()) return nullptr;
        auto made = std::make_shared<node>();
        if (level == 0) {
            word_bytes::put(made->bytes, words);
            made->bytes.shrink_to_fit();
            return made;
        }
        if (old != nullptr) made->below = old->below;
        made->below.resize(std::size_t{1} << bits);
        auto& next = made->below[branch(id, level)];
        next = with(next.get(), id, level - 1, words);
        return made;
    }

    frozen_words first_;
    std::shared_ptr<node const> root_;
};

} // namespace trawl::inline v0_1::detail
