// SPDX-License-Identifier: MIT
#pragma once

/// How many edits make one word of another.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Optimal string alignment, on code points: an edit inserts, drops or replaces one or swaps two
/// neighbours, and nothing is edited twice. Bytes that are no UTF-8 count one each.
/// @par Source Boytsov, "Indexing methods for approximate dictionary searching", JEA 2011.
class edit_distance {
public:
    explicit edit_distance(std::string_view word) : kinds_(decode(word, word_)) {}

    /// The distance, or limit + 1 where it is larger. O(length * length).
    [[nodiscard]] std::size_t to(std::string_view other, std::size_t limit) {
        // A character has at most four bytes.
        if (other.size() + limit < word_.size() || other.size() > 4 * (word_.size() + limit))
            return limit + 1;
        // An edit brings in at most one character and takes at most one away.
        auto const kinds = decode(other, other_);
        auto const apart = [&](std::uint64_t more, std::uint64_t less) {
            return static_cast<std::size_t>(std::popcount(more & ~less)) > limit;
        };
        if (apart(kinds, kinds_) || apart(kinds_, kinds)) return limit + 1;
        auto const n = word_.size();
        auto const m = other_.size();
        if (n + limit < m || m + limit < n) return limit + 1;
        two_before_.assign(n + 1, 0);
        before_.resize(n + 1);
        row_.resize(n + 1);
        for (std::size_t i = 0; i <= n; ++i) before_[i] = i;
        for (std::size_t j = 1; j <= m; ++j) {
            row_[0] = j;
            auto least = j;
            for (std::size_t i = 1; i <= n; ++i) {
                auto const same = word_[i - 1] == other_[j - 1];
                row_[i] = (std::min)(
                    {row_[i - 1] + 1, before_[i] + 1, before_[i - 1] + (same ? 0u : 1u)});
                if (i > 1 && j > 1 && word_[i - 1] == other_[j - 2]
                    && word_[i - 2] == other_[j - 1]) {
                    row_[i] = (std::min)(row_[i], two_before_[i - 2] + 1);
                }
                least = (std::min)(least, row_[i]);
            }
            if (least > limit + 1) return limit + 1; // a swap may still gain one on the row before
            two_before_.swap(before_);
            before_.swap(row_);
        }
        return (std::min)(before_[n], limit + 1);
    }

private:
    /// Decodes a text.
    /// @return a bit for each of 64 classes of characters that it has.
    static std::uint64_t decode(std::string_view text, std::vector<char32_t>& out) {
        out.clear();
        std::uint64_t kinds = 0;
        for (std::size_t at = 0; at < text.size();) {
            auto const c = decode_utf8(text, at);
            out.push_back(c.bytes == 0 ? 0x110000u + static_cast<unsigned char>(text[at]) : c.code);
            kinds |= std::uint64_t{1} << out.back() % 64;
            at += c.bytes == 0 ? 1 : c.bytes;
        }
        return kinds;
    }

    std::vector<char32_t> word_;
    std::uint64_t kinds_;
    std::vector<char32_t> other_;
    std::vector<std::size_t> two_before_;
    std::vector<std::size_t> before_;
    std::vector<std::size_t> row_;
};

} // namespace detail
TRAWL_END_NAMESPACE
