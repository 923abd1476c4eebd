// SPDX-License-Identifier: MIT
#pragma once

/// Rows of (query, key, value), as run and judgement files have them, with queries and keys
/// numbered in byte order.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/config.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/ordered_keys.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

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
template <class TextAt>
class text_numbering {
public:
    /// text_at(i) is text i of `count`; what it views must stay.
    text_numbering(std::size_t count, TextAt const& text_at) : text_at_(text_at) {
        if (count >= no_doc) fail(errc::invalid_argument, "more than 4294967294 rows");
        if (count == 0) return;
        std::vector<headed_text> items(count);
        for (std::size_t i = 0; i < count; ++i) items[i].index = static_cast<std::uint32_t>(i);
        numbers_.resize(count);
        place(items, 0, 0);
    }

    /// The distinct texts in byte order.
    [[nodiscard]] std::vector<std::string_view> const& sorted() const noexcept { return sorted_; }

    /// Where text i stands among them.
    [[nodiscard]] std::uint32_t operator[](std::size_t i) const noexcept { return numbers_[i]; }

private:
    // Numbers texts that have the first `begin` bytes in common, eight bytes a level.
    void place(std::span<headed_text> items, std::size_t begin, int level) {
        if (level == 16) return place_rest(items);
        bool whole = true; // they end here, and zeros are no bytes of theirs
        for (auto& i : items) {
            std::string_view const text = text_at_(i.index);
            i.left = static_cast<std::uint32_t>((std::min)(text.size() - begin, std::size_t{9}));
            i.head = head_of(text, begin);
            whole =
                whole && i.left <= 8 && (i.left == 0 || (i.head >> (64 - 8 * i.left) & 255) != 0);
        }
        constexpr std::size_t few = 256;
        if (items.size() < few) {
            std::sort(items.begin(), items.end(),
                [](headed_text const& a, headed_text const& b) { return a.head < b.head; });
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
                std::sort(alike.begin(), alike.end(),
                    [](headed_text const& a, headed_text const& b) { return a.left < b.left; });
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
            sorted_.push_back(text_at_(o));
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
        std::sort(items.begin(), items.end(), [&](headed_text const& a, headed_text const& b) {
            return text_at_(a.index) < text_at_(b.index);
        });
        for (std::size_t i = 0; i < items.size(); ++i) {
            give(
                items[i].index, i == 0 || text_at_(items[i].index) != text_at_(items[i - 1].index));
        }
    }

    void give(std::uint32_t index, bool is_new) {
        if (is_new) sorted_.push_back(text_at_(index));
        numbers_[index] = static_cast<std::uint32_t>(sorted_.size() - 1);
    }

    TextAt const& text_at_;
    std::vector<std::string_view> sorted_;
    std::vector<std::uint32_t> numbers_;
    std::vector<headed_text> room_;
};

/// One line of a run or of judgements: what a document is to a question. The texts are borrowed.
template <class Value>
struct keyed_row {
    std::string_view query = {};
    std::string_view key = {};
    Value value = {};
};

// Of the rows of one query and key the last one stays; the others keep their order.
template <class Value>
void keep_last_rows(std::vector<keyed_row<Value>>& rows) {
    std::vector<std::size_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (rows[a].query != rows[b].query) return rows[a].query < rows[b].query;
        return rows[a].key != rows[b].key ? rows[a].key < rows[b].key : a < b;
    });
    std::vector<bool> stays(rows.size(), true);
    for (std::size_t i = 1; i < order.size(); ++i) {
        auto const& before = rows[order[i - 1]];
        auto const& here = rows[order[i]];
        if (before.query == here.query && before.key == here.key) stays[order[i - 1]] = false;
    }
    std::size_t end = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (stays[i]) rows[end++] = rows[i];
    }
    rows.resize(end);
}

template <class Entry>
struct numbered_rows {
    ordered_keys queries;
    ordered_keys keys;
    std::vector<std::vector<Entry>> entries; ///< by query
};

// Numbers queries and keys in byte order and puts the rows of each query together, in their order,
// each as Entry{id, value}. on_duplicate(i) is called, and must not return, where row i repeats a
// key of its query.
template <class Entry, class Value, class OnDuplicate>
[[nodiscard]] numbered_rows<Entry> key_numbering(
    std::span<keyed_row<Value> const> rows, OnDuplicate&& on_duplicate) {
    // A question's rows stand together as a rule: one text for each such stretch.
    std::vector<std::size_t> begins;
    auto const same = [](std::string_view a, std::string_view b) {
        return (a.data() == b.data() && a.size() == b.size()) || a == b;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || !same(rows[i].query, rows[i - 1].query)) begins.push_back(i);
    }
    auto const query_at = [&](std::size_t stretch) { return rows[begins[stretch]].query; };
    auto const key_at = [&](std::size_t i) { return rows[i].key; };
    text_numbering const queries(begins.size(), query_at);
    text_numbering const keys(rows.size(), key_at);

    numbered_rows<Entry> out{ordered_keys::from_ascending(queries.sorted()),
        ordered_keys::from_ascending(keys.sorted()), {}};
    std::vector<std::size_t> counts(queries.sorted().size());
    begins.push_back(rows.size());
    for (std::size_t s = 0; s + 1 < begins.size(); ++s)
        counts[queries[s]] += begins[s + 1] - begins[s];
    out.entries.resize(counts.size());
    for (std::size_t q = 0; q < counts.size(); ++q) out.entries[q].reserve(counts[q]);
    // the question that had this key last
    std::vector<std::uint32_t> last(keys.sorted().size(), no_doc);
    // each question's rows stand together
    auto const whole = begins.size() - 1 == counts.size();
    bool repeated = false;
    for (std::size_t s = 0; s + 1 < begins.size(); ++s) {
        auto& entries = out.entries[queries[s]];
        for (auto i = begins[s]; i < begins[s + 1]; ++i) {
            entries.push_back(Entry{keys[i], rows[i].value});
            repeated = repeated || last[keys[i]] == queries[s];
            last[keys[i]] = queries[s];
        }
    }
    if (whole && !repeated) return out;

    last.assign(last.size(), no_doc);
    for (std::uint32_t q = 0; q < out.entries.size(); ++q) {
        for (auto const& e : out.entries[q]) {
            if (last[e.id] == q) { // look for the second row of this pair
                bool first = true;
                for (std::size_t s = 0; s + 1 < begins.size(); ++s) {
                    for (auto i = begins[s]; i < begins[s + 1]; ++i) {
                        if (queries[s] != q || keys[i] != e.id) continue;
                        if (!first) on_duplicate(i);
                        first = false;
                    }
                }
            }
            last[e.id] = q;
        }
    }
    return out;
}

} // namespace detail
TRAWL_END_NAMESPACE
