// SPDX-License-Identifier: MIT
#pragma once

/// Documents and the passages they are cut into, of one segment.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/detail/text_table.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Where the text of a passage is: in its document's text, or behind the texts of all documents
/// where it is no part of it.
struct passage_place {
    static constexpr std::uint64_t elsewhere = std::uint64_t{1} << 63;
    std::uint64_t at = 0; ///< a byte of all texts; with `elsewhere`, of the other texts
    std::uint64_t size = 0;
};

[[nodiscard]] inline std::uint64_t hash_of_key(std::string_view key) noexcept {
    return checksum(std::as_bytes(std::span<char const>(key.data(), key.size())));
}

[[nodiscard]] inline std::string text_section(std::size_t field) { return join("t", field); }

/// The marks of a document: in which vector spaces it brought vectors of its own. Bit 0: in some;
/// bit 31: bits 1 to 30 say in which of the spaces 0 to 29. Without bit 31, and in further spaces, all
/// vectors of a document with bit 0 count as its own.
struct given_vectors {
    static constexpr std::uint32_t some = 1;
    static constexpr std::uint32_t by_space = std::uint32_t{1} << 31;
    static constexpr std::size_t spaces = 30;

    [[nodiscard]] static constexpr std::uint32_t in(std::size_t space) noexcept {
        return some | by_space | (space < spaces ? std::uint32_t{2} << space : 0);
    }
    [[nodiscard]] static constexpr bool has(std::uint32_t marks, std::size_t space) noexcept {
        if ((marks & some) == 0) return false;
        return (marks & by_space) == 0 || space >= spaces || (marks >> (space + 1) & 1u) != 0;
    }
    /// The marks of a document whose vector in the space is its own no longer.
    [[nodiscard]] static constexpr std::uint32_t without(
        std::uint32_t marks, std::size_t space) noexcept {
        if ((marks & some) == 0 || space >= spaces) return marks;
        if ((marks & by_space) == 0) marks = ~std::uint32_t{0};
        return marks & ~(std::uint32_t{2} << space);
    }
};

/// Collects documents. Passages of one are neighbours, in the order of its text.
class passages_builder {
public:
    /// @param texts  how many text fields there are.
    /// @param body   which of them is cut into passages; `texts` if none is.
    passages_builder(std::size_t texts, std::size_t body) : texts_(texts), body_(body) {}

    /// @param texts  of the fields.
    /// @param marks   see given_vectors.
    void begin(std::string_view key, std::string_view parent,
        std::span<std::string_view const> texts, std::uint32_t marks) {
        marks_.push_back(marks);
        keys_.add(key);
        parents_.add(parent);
        for (std::size_t field = 0; field < texts_.size(); ++field) texts_[field].add(texts[field]);
        first_rows_.push_back(static_cast<std::uint32_t>(places_.size()));
    }

    /// A passage that is these bytes of the document's body, or this text.
    void add_part(std::size_t begin, std::size_t size) {
        places_.push_back({texts_[body_].begin_of_last() + begin, size});
    }
    void add_text(std::string_view text) {
        places_.push_back({others_.size() | passage_place::elsewhere, text.size()});
        others_.append(text);
    }
    /// The document is a passage whole.
    void add_whole(std::size_t size) {
        places_.push_back(
            {body_ < texts_.size() ? texts_[body_].begin_of_last() : passage_place::elsewhere,
                size});
    }

    /// The vectors of this space are no document's own any more.
    void forget_given_vectors(std::size_t space) noexcept {
        for (auto& marks : marks_) marks = given_vectors::without(marks, space);
    }

    [[nodiscard]] std::size_t rows() const noexcept { return places_.size(); }
    [[nodiscard]] std::size_t documents() const noexcept { return keys_.size(); }
    [[nodiscard]] std::size_t texts() const noexcept { return texts_.size(); }

    /// Makes the table of keys; nothing may be added then.
    void finish() {
        first_rows_.push_back(static_cast<std::uint32_t>(places_.size()));
        std::size_t slots = 1;
        while (slots < 2 * keys_.size()) slots *= 2;
        slots_.assign(slots, 0);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            auto at = static_cast<std::size_t>(hash_of_key(keys_.text(i))) & (slots - 1);
            while (slots_[at] != 0) at = (at + 1) & (slots - 1);
            slots_[at] = static_cast<std::uint32_t>(i + 1);
        }
    }

    void add_to(section_writer& writer) const {
        keys_.add_to(writer, "key");
        parents_.add_to(writer, "parent");
        for (std::size_t field = 0; field < texts_.size(); ++field)
            texts_[field].add_to(writer, text_section(field));
        writer.add("other text", std::span<char const>(others_));
        writer.add("marks", std::span<std::uint32_t const>(marks_));
        writer.add("first rows", std::span<std::uint32_t const>(first_rows_));
        writer.add("passages", std::span<passage_place const>(places_));
        writer.add("key slots", std::span<std::uint32_t const>(slots_));
    }

private:
    text_table_builder keys_;
    text_table_builder parents_;
    std::vector<text_table_builder> texts_;
    std::size_t body_;
    std::string others_;
    std::vector<std::uint32_t> marks_;
    std::vector<std::uint32_t> first_rows_;
    std::vector<passage_place> places_;
    std::vector<std::uint32_t> slots_;
};

/// A view of the sections. Whatever they hold, nothing outside them is read.
class passages {
public:
    passages() = default;
    passages(section_file const& file, std::size_t texts, std::size_t body, std::size_t documents,
        std::size_t rows)
        : keys_(file, "key", documents),
          parents_(file, "parent", documents),
          body_(body),
          others_(file.text("other text")),
          marks_(file.array<std::uint32_t>("marks")),
          first_rows_(file.array<std::uint32_t>("first rows")),
          places_(file.array<passage_place>("passages")),
          slots_(file.array<std::uint32_t>("key slots")) {
        for (std::size_t field = 0; field < texts; ++field)
            texts_.emplace_back(file, text_section(field), documents);
        if (first_rows_.size() != documents + 1 || marks_.size() != documents
            || places_.size() != rows || first_rows_.front() != 0 || first_rows_.back() != rows
            || slots_.empty() || (slots_.size() & (slots_.size() - 1)) != 0)
            file.fail("its numbers of documents, passages and keys contradict each other");
    }

    [[nodiscard]] std::size_t documents() const noexcept { return keys_.size(); }
    [[nodiscard]] std::size_t rows() const noexcept { return places_.size(); }
    [[nodiscard]] std::string_view key(std::size_t document) const noexcept {
        return keys_[document];
    }
    /// Empty: the document is a part of nothing.
    [[nodiscard]] std::string_view parent(std::size_t document) const noexcept {
        return parents_[document];
    }
    /// See given_vectors.
    [[nodiscard]] std::uint32_t marks(std::size_t document) const noexcept {
        return marks_[document];
    }
    [[nodiscard]] std::string_view text(std::size_t document, std::size_t field) const noexcept {
        return texts_[field][document];
    }
    [[nodiscard]] std::string_view passage(std::size_t row) const noexcept {
        auto const [at, size] = places_[row];
        auto const begin = at & ~passage_place::elsewhere;
        auto const from = begin != at             ? others_
                          : body_ < texts_.size() ? texts_[body_].bytes()
                                                  : std::string_view();
        if (begin > from.size() || size > from.size() - begin) return {};
        return from.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
    }
    /// Where a passage begins in its document's body; nothing if it is no part of it.
    [[nodiscard]] std::optional<std::size_t> place_in_document(std::size_t row) const noexcept {
        auto const at = places_[row].at;
        if ((at & passage_place::elsewhere) != 0 || body_ >= texts_.size()) return std::nullopt;
        auto const text = texts_[body_][document_of(row)];
        auto const from = static_cast<std::uint64_t>(text.data() - texts_[body_].bytes().data());
        if (text.empty() || at < from || at - from > text.size()) return std::nullopt;
        return static_cast<std::size_t>(at - from);
    }

    struct row_range {
        std::uint32_t first = 0;
        std::uint32_t last = 0; ///< behind the last
    };
    [[nodiscard]] row_range rows_of(std::size_t document) const noexcept {
        auto const first = first_rows_[document];
        auto const last = first_rows_[document + 1];
        auto const all = static_cast<std::uint32_t>(rows());
        return first <= last && last <= all ? row_range{first, last} : row_range{};
    }
    [[nodiscard]] std::size_t document_of(std::size_t row) const noexcept {
        auto const at = std::upper_bound(first_rows_.begin(), first_rows_.end() - 1, row);
        auto const document = static_cast<std::size_t>(at - first_rows_.begin());
        return document == 0 ? 0 : document - 1;
    }

    [[nodiscard]] std::optional<std::size_t> find(std::string_view key) const noexcept {
        auto const mask = slots_.size() - 1;
        auto at = static_cast<std::size_t>(hash_of_key(key)) & mask;
        for (std::size_t tried = 0; tried < slots_.size() && slots_[at] != 0; ++tried) {
            std::size_t const document = slots_[at] - 1;
            if (document < documents() && keys_[document] == key) return document;
            at = (at + 1) & mask;
        }
        return std::nullopt;
    }

    /// "guide.md#2": the key of a passage.
    [[nodiscard]] std::string passage_key(std::size_t row) const {
        auto const document = document_of(row);
        auto const [first, last] = rows_of(document);
        if (last - first < 2) return std::string(key(document));
        return join(key(document), "#", row - first + 1);
    }

    void verify(section_file const& file) const {
        keys_.verify(file, "key");
        parents_.verify(file, "parent");
        for (std::size_t field = 0; field < texts_.size(); ++field)
            texts_[field].verify(file, text_section(field));
        for (std::size_t document = 0; document < documents(); ++document) {
            if (first_rows_[document] >= first_rows_[document + 1])
                file.fail(join("document ", document, " has no passage"));
            if (key(document).empty() || find(key(document)) != document)
                file.fail(join("key ", key(document), " is not found"));
        }
        for (std::size_t row = 0; row < rows(); ++row) {
            auto const [at, size] = places_[row];
            if (size > 0 && passage(row).size() != size)
                file.fail(join("passage ", row, " lies outside the texts"));
        }
    }

private:
    text_table keys_ = {};
    text_table parents_ = {};
    std::size_t body_ = 0;
    std::vector<text_table> texts_ = {};
    std::string_view others_ = {};
    std::span<std::uint32_t const> marks_ = {};
    std::span<std::uint32_t const> first_rows_ = {};
    std::span<passage_place const> places_ = {};
    std::span<std::uint32_t const> slots_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
