// SPDX-License-Identifier: MIT
#pragma once

/// Keys numbered in byte order, so that the order of numbers is the order of keys, whatever file or moment
/// they come from.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

namespace trawl::inline v0_1 {

/// The keys of a run or of judgements; key i is the i-th in byte order.
class ordered_keys {
public:
    ordered_keys() = default;

    [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }

    /// @throws trawl::error (unknown_id) if there is no key of this number.
    [[nodiscard]] std::string_view key(std::size_t i) const {
        if (i >= ends_.size()) {
            detail::fail(errc::unknown_id,
                detail::join("ordered_keys::key: no key ", i, ", there are ", ends_.size()));
        }
        auto const begin = i == 0 ? 0 : ends_[i - 1];
        return std::string_view(text_).substr(begin, ends_[i] - begin);
    }

    /// O(log size()).
    [[nodiscard]] std::optional<doc_id> find(std::string_view wanted) const {
        std::size_t low = 0;
        for (auto count = size(); count > 0;) {
            auto const half = count / 2;
            if (key(low + half) < wanted) {
                low += half + 1;
                count -= half + 1;
            } else {
                count = half;
            }
        }
        return low < size() && key(low) == wanted ? std::optional(static_cast<doc_id>(low)) : std::nullopt;
    }

    /// For each key of `from` its number in `to`, no_doc where it has none. O(size of both).
    [[nodiscard]] static std::vector<doc_id> translation(ordered_keys const& from, ordered_keys const& to) {
        std::vector<doc_id> numbers(from.size(), no_doc);
        std::size_t j = 0;
        for (std::size_t i = 0; i < from.size() && j < to.size(); ++i) {
            auto const key = from.key(i);
            while (j < to.size() && to.key(j) < key) ++j;
            if (j < to.size() && to.key(j) == key) numbers[i] = static_cast<doc_id>(j);
        }
        return numbers;
    }

    /// Takes distinct keys, ascending.
    [[nodiscard]] static ordered_keys from_ascending(std::span<std::string_view const> keys) {
        ordered_keys out;
        std::size_t bytes = 0;
        for (auto const key : keys) bytes += key.size();
        out.text_.reserve(bytes);
        out.ends_.reserve(keys.size());
        for (auto const key : keys) {
            out.text_ += key;
            out.ends_.push_back(out.text_.size());
        }
        return out;
    }

private:
    std::string text_;              // all keys, one after the other
    std::vector<std::size_t> ends_; // where each one ends in it
};

namespace detail {

/// Gives each distinct text a number, in the order of arrival. Open addressing; the texts are borrowed.
class text_numbers {
public:
    [[nodiscard]] std::uint32_t number(std::string_view text) {
        if (2 * (texts_.size() + 1) > slots_.size()) grow();
        auto const hash = std::hash<std::string_view>{}(text);
        auto at = hash & (slots_.size() - 1);
        for (; slots_[at].number != none; at = (at + 1) & (slots_.size() - 1)) {
            auto const& there = slots_[at];
            if (there.hash == hash && texts_[there.number] == text) return there.number;
        }
        if (texts_.size() >= none) fail(errc::invalid_argument, "more than 4294967295 keys");
        auto const next = static_cast<std::uint32_t>(texts_.size());
        texts_.push_back(text);
        slots_[at] = {hash, next};
        return next;
    }

    /// The texts by number.
    [[nodiscard]] std::vector<std::string_view> const& texts() const noexcept { return texts_; }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    struct slot {
        std::size_t hash = 0;
        std::uint32_t number = none;
    };

    void grow() {
        std::vector<slot> old((std::max)(std::size_t{64}, 2 * slots_.size()));
        old.swap(slots_);
        for (auto const& s : old) {
            if (s.number == none) continue;
            auto at = s.hash & (slots_.size() - 1);
            while (slots_[at].number != none) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = s;
        }
    }

    std::vector<slot> slots_;
    std::vector<std::string_view> texts_;
};

struct ordering {
    std::vector<std::string_view> sorted;
    std::vector<std::uint32_t> place; ///< place[i] is where text i stands in sorted
};

// Sorts distinct texts by their bytes. The eight bytes after what all have in common decide most comparisons
// in a register: keys of a collection are alike.
[[nodiscard]] inline ordering order_texts(std::vector<std::string_view> const& texts) {
    struct item {
        std::uint64_t head;
        std::uint32_t index;
    };
    std::size_t common = texts.empty() ? 0 : texts.front().size();
    for (auto const text : texts) {
        common = (std::min)(common, text.size());
        auto const parts = std::mismatch(
            text.begin(), text.begin() + static_cast<std::ptrdiff_t>(common), texts.front().begin());
        common = static_cast<std::size_t>(parts.first - text.begin());
    }
    std::vector<item> items;
    items.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::uint64_t head = 0;
        auto const rest = texts[i].substr(common);
        for (std::size_t b = 0; b < 8; ++b) {
            head = head << 8 | (b < rest.size() ? static_cast<unsigned char>(rest[b]) : 0u);
        }
        items.push_back({head, static_cast<std::uint32_t>(i)});
    }
    auto const before = [&](item const& a, item const& b) {
        return a.head != b.head ? a.head < b.head : texts[a.index] < texts[b.index];
    };
    if (!std::is_sorted(items.begin(), items.end(), before)) std::sort(items.begin(), items.end(), before);
    ordering out{{}, std::vector<std::uint32_t>(texts.size())};
    out.sorted.reserve(texts.size());
    for (auto const& i : items) {
        out.place[i.index] = static_cast<std::uint32_t>(out.sorted.size());
        out.sorted.push_back(texts[i.index]);
    }
    return out;
}

/// One line of a run or of judgements: what a document is to a question. The texts are borrowed.
template <class Value>
struct keyed_row {
    std::string_view query = {};
    std::string_view key = {};
    Value value = {};
};

template <class Value>
struct numbered_rows {
    struct entry {
        doc_id id = no_doc;
        Value value = {};
    };
    ordered_keys queries;
    ordered_keys keys;
    std::vector<std::vector<entry>> entries; ///< by query
};

// Numbers queries and keys in byte order and puts the rows of each query together, in their order.
// on_duplicate(i) is called, and must not return, where row i repeats a key of its query.
template <class Value, class OnDuplicate>
[[nodiscard]] numbered_rows<Value> number_rows(
    std::span<keyed_row<Value> const> rows, OnDuplicate&& on_duplicate) {
    text_numbers queries;
    text_numbers keys;
    struct place {
        std::uint32_t query;
        std::uint32_t key;
    };
    std::vector<place> places;
    places.reserve(rows.size());
    for (auto const& row : rows) {
        auto const same = !places.empty() && rows[places.size() - 1].query == row.query;
        auto const q = same ? places.back().query : queries.number(row.query);
        places.push_back({q, keys.number(row.key)});
    }
    auto const query_order = order_texts(queries.texts());
    auto const key_order = order_texts(keys.texts());

    std::vector<std::size_t> counts(query_order.sorted.size());
    for (auto const& p : places) ++counts[query_order.place[p.query]];
    numbered_rows<Value> out{
        ordered_keys::from_ascending(query_order.sorted), ordered_keys::from_ascending(key_order.sorted), {}};
    out.entries.resize(counts.size());
    for (std::size_t q = 0; q < counts.size(); ++q) out.entries[q].reserve(counts[q]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        out.entries[query_order.place[places[i].query]].push_back(
            {key_order.place[places[i].key], rows[i].value});
    }

    std::vector<std::uint32_t> last(key_order.sorted.size(), 0xFFFFFFFFu);
    for (std::uint32_t q = 0; q < out.entries.size(); ++q) {
        for (auto const& e : out.entries[q]) {
            if (last[e.id] == q) { // look for the second row of this pair
                bool first = true;
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    if (query_order.place[places[i].query] != q || key_order.place[places[i].key] != e.id) {
                        continue;
                    }
                    if (!first) on_duplicate(i);
                    first = false;
                }
            }
            last[e.id] = q;
        }
    }
    return out;
}

} // namespace detail
} // namespace trawl::inline v0_1
