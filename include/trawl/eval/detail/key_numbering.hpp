// SPDX-License-Identifier: MIT
#pragma once

/// Numbers the queries and documents of the rows of a run or of judgements in byte order. Nothing
/// here depends on what a row is: both share one engine.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/text_head.hpp>
#include <trawl/eval/ordered_keys.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// One text member of each row of an array of structs.
class row_texts {
public:
    row_texts() = default;
    /// @param first  The member of the first row.
    /// @param stride  Bytes from one row to the next.
    /// @param count  The number of rows.
    row_texts(std::string_view const* first, std::size_t stride, std::size_t count) noexcept
        : first_(reinterpret_cast<char const*>(first)), stride_(stride), count_(count) {}

    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] std::string_view at(std::size_t i) const noexcept {
        return *reinterpret_cast<std::string_view const*>(first_ + i * stride_);
    }

private:
    char const* first_ = nullptr;
    std::size_t stride_ = 0;
    std::size_t count_ = 0;
};

// A text on its way to its place: what stands in its next eight bytes, and how many are left with
// them.
struct headed_text {
    std::uint64_t head = 0;
    std::uint32_t index = 0;
    std::uint32_t left = 0; // 9: it goes on
};

// Heads as small numbers in the same order: bytes of keys are few of the 256, and often the same.
class head_numbering {
public:
    explicit head_numbering(std::span<headed_text const> items) {
        std::uint64_t differ = 0;
        for (auto const& i : items) differ |= i.head ^ items.front().head;
        for (int shift = 0; shift < 64; shift += 8) {
            if ((differ >> shift & 255) == 0) continue;
            auto& at = places_[count_++];
            at.shift = shift;
            for (auto const& i : items) at.parts[i.head >> shift & 255] = 1;
            std::uint64_t different = 0;
            for (auto& part : at.parts) {
                if (part != 0) part = step_ * different++;
            }
            highest_ += step_ * (different - 1);
            step_ *= different; // 0 after eight places of 256, when it is needed no more
        }
    }

    [[nodiscard]] std::uint64_t highest() const noexcept { return highest_; }

    [[nodiscard]] std::uint64_t operator()(std::uint64_t head) const noexcept {
        std::uint64_t n = 0;
        for (std::size_t p = 0; p < count_; ++p)
            n += places_[p].parts[head >> places_[p].shift & 255];
        return n;
    }

private:
    struct place {
        int shift = 0;
        std::array<std::uint64_t, 256> parts = {}; // what a byte adds to the number
    };

    std::array<place, 8> places_ = {};
    std::size_t count_ = 0;
    std::uint64_t step_ = 1;
    std::uint64_t highest_ = 0;
};

/// Numbers texts in byte order, equal ones alike. They are sorted, not hashed: the passes go
/// through memory in order, where a table of many keys would miss the cache with each.
class text_numbering {
public:
    /// The texts must outlive this object.
    /// @throws trawl::error (invalid_argument) for more than 2^32 - 2 texts.
    explicit text_numbering(row_texts const& texts) : texts_(texts) {
        auto const count = texts.size();
        if (count >= no_doc)
            fail(errc::invalid_argument, join(count, " rows, at most 4294967294 are possible"));
        if (count == 0) return;
        std::vector<headed_text> items(count);
        for (std::size_t i = 0; i < count; ++i) items[i].index = static_cast<std::uint32_t>(i);
        numbers_.resize(count);
        place(items, 0, 0);
    }

    /// The distinct texts, in byte order.
    [[nodiscard]] std::vector<std::string_view> const& sorted() const noexcept { return sorted_; }

    /// The position of text i in sorted().
    [[nodiscard]] std::uint32_t operator[](std::size_t i) const noexcept { return numbers_[i]; }

    [[nodiscard]] std::vector<std::uint32_t> numbers() && noexcept { return std::move(numbers_); }

private:
    enum class by : unsigned char { head, left, text };

    // One instantiation of std::sort for all three orders.
    void sort(std::span<headed_text> items, by what) const {
        std::sort(items.data(), items.data() + items.size(),
            [this, what](headed_text const& a, headed_text const& b) {
                if (what == by::head) return a.head < b.head;
                if (what == by::left) return a.left < b.left;
                return texts_.at(a.index) < texts_.at(b.index);
            });
    }

    // Numbers texts that have the first `begin` bytes in common, eight bytes a level.
    void place(std::span<headed_text> items, std::size_t begin, int level) {
        if (level == 16) return place_rest(items);
        bool whole = true; // they end here, and zeros are no bytes of theirs
        for (auto& i : items) {
            std::string_view const text = texts_.at(i.index);
            i.left = static_cast<std::uint32_t>((std::min)(text.size() - begin, std::size_t{9}));
            i.head = head_of(text, begin);
            whole =
                whole && i.left <= 8 && (i.left == 0 || (i.head >> (64 - 8 * i.left) & 255) != 0);
        }
        constexpr std::size_t few = 256;
        if (items.size() < few) {
            sort(items, by::head);
        } else {
            head_numbering const numbering(items);
            if (whole && numbering.highest() < 4 * items.size())
                return place_by_table(items, numbering);
            for (auto& i : items) i.head = numbering(i.head);
            sort_heads(items, numbering.highest());
        }
        for (std::size_t i = 0; i < items.size();) {
            auto end = i + 1;
            bool differ = false;
            for (; end < items.size() && items[end].head == items[i].head; ++end) {
                differ = differ || items[end].left != items[i].left;
            }
            auto const alike = items.subspan(i, end - i);
            // Where zero bytes fill a head up, the shorter text is the lower one.
            if (differ) {
                sort(alike, by::left);
            }
            std::size_t t = 0;
            for (; t < alike.size() && alike[t].left <= 8; ++t) {
                give(alike[t].index, t == 0 || alike[t].left != alike[t - 1].left);
            }
            if (alike.size() - t == 1) give(alike[t].index, true);
            if (alike.size() - t > 1) place(alike.subspan(t), begin + 8, level + 1);
            i = end;
        }
    }

    // Heads that are numbers not much higher than there are items: no need to sort.
    void place_by_table(std::span<headed_text const> items, head_numbering const& numbering) {
        std::vector<std::uint32_t> owner(static_cast<std::size_t>(numbering.highest()) + 1, no_doc);
        for (auto const& i : items) {
            auto const n = static_cast<std::size_t>(numbering(i.head));
            numbers_[i.index] = static_cast<std::uint32_t>(n);
            owner[n] = i.index;
        }
        for (auto& o : owner) {
            if (o == no_doc) continue;
            sorted_.push_back(texts_.at(o));
            o = static_cast<std::uint32_t>(sorted_.size() - 1);
        }
        for (auto const& i : items) numbers_[i.index] = owner[numbers_[i.index]];
    }

    // Eleven bits a pass, from the lowest.
    void sort_heads(std::span<headed_text> items, std::uint64_t highest) {
        constexpr int bits = 11;
        room_.resize((std::max)(room_.size(), items.size()));
        auto from = items;
        auto to = std::span(room_).first(items.size());
        for (int shift = 0; shift < 64 && highest >> shift != 0; shift += bits) {
            std::array<std::uint32_t, 1 << bits> starts = {};
            auto const digit = [&](headed_text const& i) {
                return i.head >> shift & (starts.size() - 1);
            };
            for (auto const& i : from) ++starts[digit(i)];
            std::uint32_t sum = 0;
            for (auto& start : starts) sum += std::exchange(start, sum);
            for (auto const& i : from) to[starts[digit(i)]++] = i;
            std::swap(from, to);
        }
        if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
    }

    // Texts that are alike for long: no deeper, for a file could go as deep as it likes.
    void place_rest(std::span<headed_text> items) {
        sort(items, by::text);
        for (std::size_t i = 0; i < items.size(); ++i) {
            give(items[i].index,
                i == 0 || texts_.at(items[i].index) != texts_.at(items[i - 1].index));
        }
    }

    void give(std::uint32_t index, bool is_new) {
        if (is_new) sorted_.push_back(texts_.at(index));
        numbers_[index] = static_cast<std::uint32_t>(sorted_.size() - 1);
    }

    row_texts texts_;
    std::vector<std::string_view> sorted_;
    std::vector<std::uint32_t> numbers_;
    std::vector<headed_text> room_;
};

/// Queries and keys of rows, numbered in byte order.
struct numbered_rows {
    ordered_keys queries;
    ordered_keys keys;
    /// Consecutive rows of one query form a stretch: [begins[s], begins[s + 1]).
    std::vector<std::size_t> begins;
    std::vector<std::uint32_t> query_of; ///< by stretch
    std::vector<std::size_t> sizes;      ///< rows of each query
    std::vector<std::uint32_t> key_of;   ///< by row
};

/// @param on_duplicate  Called with the index of a row that repeats the key of an earlier row of
/// its query; it must not return.
/// @par Complexity O(n log n) time at worst, O(n) where keys are short.
[[nodiscard]] inline numbered_rows key_numbering(
    row_texts const& queries, row_texts const& keys, function_ref<void(std::size_t)> on_duplicate) {
    numbered_rows out;
    auto const same = [](std::string_view a, std::string_view b) {
        return (a.data() == b.data() && a.size() == b.size()) || a == b;
    };
    std::vector<std::string_view> stretches;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        if (i > 0 && same(queries.at(i), queries.at(i - 1))) continue;
        out.begins.push_back(i);
        stretches.push_back(queries.at(i));
    }
    out.begins.push_back(queries.size());
    text_numbering query_numbers({stretches.data(), sizeof(std::string_view), stretches.size()});
    text_numbering key_numbers(keys);
    out.queries = ordered_keys::from_ascending(query_numbers.sorted());
    out.keys = ordered_keys::from_ascending(key_numbers.sorted());
    out.query_of = std::move(query_numbers).numbers();
    out.key_of = std::move(key_numbers).numbers();

    // The stretches, those of one query together: a counting sort.
    auto const count = out.query_of.size();
    std::vector<std::size_t> starts(out.queries.size() + 1);
    for (auto const q : out.query_of) ++starts[q + 1];
    for (std::size_t q = 0; q < out.queries.size(); ++q) starts[q + 1] += starts[q];
    std::vector<std::size_t> order(count);
    for (std::size_t s = 0; s < count; ++s) order[starts[out.query_of[s]]++] = s;

    out.sizes.resize(out.queries.size());
    std::vector<std::uint32_t> last(out.keys.size(), no_doc); // the last query that had this key
    for (auto const s : order) {
        auto const q = out.query_of[s];
        out.sizes[q] += out.begins[s + 1] - out.begins[s];
        for (auto i = out.begins[s]; i < out.begins[s + 1]; ++i) {
            auto& seen = last[out.key_of[i]];
            if (seen == q) on_duplicate(i);
            seen = q;
        }
    }
    return out;
}

} // namespace detail
TRAWL_END_NAMESPACE
