// SPDX-License-Identifier: MIT
#pragma once

/// Where the words of each document stand.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>

namespace trawl::inline v0_1::detail {

/// A word of a document: its term's number and its position.
struct placed_word {
    std::uint32_t term;
    std::uint32_t position;
};

/// The words of documents by id: a tree of 32 branches and 7 levels that never changes. A copy costs a
/// pointer, a change seven nodes; a reader keeps what it saw. 3 to 4 bytes a word and some 60 a document.
class word_store {
public:
    /// Sets a document's words, in order of position; none: forgets it.
    void set(doc_id id, std::span<placed_word const> words) { root_ = with(root_.get(), id, levels, words); }

    /// Calls visit(placed_word) for each word of a document, in order of position.
    template <class Visit>
    void for_each(doc_id id, Visit&& visit) const {
        auto const* at = root_.get();
        for (auto level = levels; at != nullptr && level > 0; --level) {
            at = at->below[branch(id, level)].get();
        }
        if (at == nullptr) return;
        std::uint32_t position = 0;
        for (auto const* from = at->bytes.data(); from != at->bytes.data() + at->bytes.size();) {
            auto const term = take(from);
            visit(placed_word{term, position += take(from)});
        }
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
            std::uint32_t position = 0;
            for (auto const& word : words) {
                put(made->bytes, word.term);
                put(made->bytes, word.position - position);
                position = word.position;
            }
            made->bytes.shrink_to_fit();
            return made;
        }
        if (old != nullptr) made->below = old->below;
        made->below.resize(std::size_t{1} << bits);
        auto& next = made->below[branch(id, level)];
        next = with(next.get(), id, level - 1, words);
        return made;
    }

    static void put(std::vector<unsigned char>& to, std::uint32_t value) {
        for (; value >= 128; value >>= 7) to.push_back(static_cast<unsigned char>(value | 128));
        to.push_back(static_cast<unsigned char>(value));
    }

    [[nodiscard]] static std::uint32_t take(unsigned char const*& from) noexcept {
        std::uint32_t value = *from & 127u;
        for (unsigned shift = 7; (*from++ & 128u) != 0; shift += 7) value |= (*from & 127u) << shift;
        return value;
    }

    std::shared_ptr<node const> root_;
};

} // namespace trawl::inline v0_1::detail
