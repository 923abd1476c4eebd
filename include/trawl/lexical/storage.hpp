// SPDX-License-Identifier: MIT
#pragma once

/// Lexical indexes in files: docs/formats.md, "bm25_index".

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/io/open.hpp>
#include <trawl/io/sections.hpp>
#include <trawl/lexical/bm25_index.hpp>

namespace trawl::inline v0_1 {
namespace detail {

struct bm25_file_head {
    std::uint64_t documents = 0;
    std::uint64_t total_length = 0;
    std::uint64_t analyzer = 0; ///< a checksum of what it makes of a sample
    std::uint32_t first_id = 0;
    std::uint32_t next_id = 0;
    std::uint32_t longest = 0;
    std::uint32_t variant = 0;
    std::uint32_t lengths = 0;
    std::uint32_t has_delta = 0;
    std::array<std::uint64_t, 6> parameters =
        {}; ///< k1, b, epsilon, delta, k3, least_length: bits of doubles
};

inline constexpr std::string_view bm25_file_kind = "bm25_index";
inline constexpr std::uint32_t bm25_file_version = 1;

/// Tells analyzers apart by what they do: tokens and positions of a text on which ours differ.
template <analyzer Analyzer>
[[nodiscard]] std::uint64_t fingerprint(Analyzer const& analyzer) {
    constexpr std::string_view sample =
        "The cats' caresses: PROD-4817, /api/v3/orders_items and C++ don't run. L'avion des \xC3\xA9"
        "coles, "
        "Stra\xC3\x9F"
        "enb\xC3\xA4ume, \xD0\x9C\xD0\xBE\xD1\x81\xD0\xBA\xD0\xB2\xD0\xB0, "
        "\xE6\x9D\xB1\xE4\xBA\xAC\xE9\x83\xBD x";
    std::string made;
    analyzer.analyze(sample, [&](token const& t) {
        made.append(t.term).append(1, '\0');
        made.append(std::string(t.position % 64, ' '));
    });
    return checksum(std::as_bytes(std::span(made)));
}

/// All live documents of a moment as one segment.
[[nodiscard]] inline std::shared_ptr<segment const> whole(index_snapshot const& index) {
    auto const& parts = *index.parts;
    if (parts.size() == 1 && parts[0].dead == 0 && index.tail_live == 0) return parts[0].rows;
    std::vector<counted_document const*> documents;
    index.for_each_in_tail(
        [&](counted_document const& document, index_snapshot::number) { documents.push_back(&document); });
    std::sort(documents.begin(), documents.end(),
        [](counted_document const* a, counted_document const* b) { return a->id < b->id; });
    segment const tail(documents);
    std::vector<segment::input> inputs{{&tail, nullptr}};
    for (auto const& part : parts) inputs.push_back({part.rows.get(), part.live.get()});
    return std::make_shared<segment const>(inputs);
}

/// The memory of terms that are to be written.
struct frozen_arrays {
    explicit frozen_arrays(index_snapshot const& index) : slots(index.terms + index.terms / 2 + 1) {
        for (std::uint32_t number = 0; number < index.terms; ++number) {
            auto const term = index.dictionary->term(number);
            text.append(term);
            ends.push_back(text.size());
            auto at = frozen_terms::first_slot(hash_of_term(term), slots.size());
            while (slots[at] != 0) at = at + 1 < slots.size() ? at + 1 : 0;
            slots[at] = number + 1;
        }
    }

    std::string text = {};
    std::vector<std::uint64_t> ends = {};
    std::vector<std::uint32_t> slots;
};

template <analyzer Analyzer>
struct stored<basic_bm25_index<Analyzer>> {
    using index = basic_bm25_index<Analyzer>;

    static void save(
        index const& from, std::string const& path, function_ref<void(section_writer&)> add_more) {
        if (from.options_.positions) {
            fail(errc::invalid_argument, "save: an index that keeps positions cannot be saved yet");
        }
        auto const moment = from.index_.read();
        auto const documents = whole(*moment);
        auto const& all = documents->all();
        frozen_arrays const terms(*moment);
        auto const& p = from.parameters_;
        bm25_file_head const head{.documents = moment->live,
            .total_length = moment->total_length,
            .analyzer = fingerprint(from.analyzer_),
            .first_id = all.first_id,
            .next_id = moment->next_id,
            .longest = all.longest,
            .variant = static_cast<std::uint32_t>(p.variant),
            .lengths = static_cast<std::uint32_t>(p.lengths),
            .has_delta = p.delta ? 1u : 0u,
            .parameters = {bits(p.k1), bits(p.b), bits(p.epsilon), bits(p.delta.value_or(0)), bits(p.k3),
                bits(p.least_length)}};
        section_writer writer(bm25_file_kind, bm25_file_version);
        writer.add("head", std::span(&head, 1));
        writer.add("term text", std::span(terms.text));
        writer.add("term ends", std::span(terms.ends));
        writer.add("term slots", std::span(terms.slots));
        writer.add("ids", all.ids);
        writer.add("lengths", all.lengths);
        writer.add("lists", all.lists.entries);
        writer.add("headers", all.lists.headers);
        writer.add("postings", all.lists.bytes);
        add_more(writer);
        writer.write(path);
    }

    [[nodiscard]] static index open(std::string const& path, open_options options) {
        return open(section_file(path, bm25_file_kind, bm25_file_version, options), Analyzer());
    }

    [[nodiscard]] static index open(section_file const& file, Analyzer analyzer) {
        auto const head = file.value<bm25_file_head>("head");
        if (head.analyzer != fingerprint(analyzer)) {
            file.fail("was made with an analyzer that splits texts differently than the one given");
        }
        index made(std::move(analyzer), parameters(file, head));
        segment::arrays const all{.first_id = head.first_id,
            .ids = file.array<doc_id>("ids"),
            .lengths = file.array<std::uint32_t>("lengths"),
            .longest = head.longest,
            .lists = {file.array<list_entry>("lists"), file.array<block_header>("headers"),
                file.array<unsigned char>("postings"), static_cast<std::uint32_t>(head.documents)}};
        frozen_terms const terms{file.array<char>("term text"), file.array<std::uint64_t>("term ends"),
            file.array<std::uint32_t>("term slots")};
        auto const rows = all.lengths.size();
        if (rows != head.documents || rows >= no_doc || (!all.ids.empty() && all.ids.size() != rows)
            || terms.ends.size() >= 0xFFFFFFFFu) {
            file.fail("its numbers of documents, ids, lengths or terms are at odds");
        }
        auto const last = rows == 0 ? 0 : all.ids.empty() ? all.first_id + (rows - 1) : all.ids.back();
        if (rows > 0 && last >= head.next_id) file.fail("holds documents from its next id on");

        index_snapshot begin;
        auto const keep = std::make_shared<section_file const>(file);
        if (rows > 0) {
            begin.parts = std::make_shared<std::vector<index_part> const>(
                std::vector<index_part>{{.rows = std::make_shared<segment const>(all, keep)}});
        }
        begin.live = rows;
        begin.total_length = head.total_length;
        begin.next_id = head.next_id;
        begin.dictionary = std::make_shared<term_dictionary>(terms, keep);
        begin.slots = begin.dictionary->current_slots();
        begin.terms = begin.dictionary->size();
        made.index_ = inverted_index(std::make_shared<index_snapshot const>(std::move(begin)));
        return made;
    }

private:
    [[nodiscard]] static std::uint64_t bits(double value) noexcept {
        return std::bit_cast<std::uint64_t>(value);
    }

    [[nodiscard]] static bm25 parameters(section_file const& file, bm25_file_head const& head) {
        if (head.variant >= bm25_variants || head.lengths > 1) file.fail("has a variant that is unknown");
        auto const number = [&](std::size_t i) { return std::bit_cast<double>(head.parameters[i]); };
        return {.variant = static_cast<bm25_variant>(head.variant),
            .k1 = number(0),
            .b = number(1),
            .epsilon = number(2),
            .delta = head.has_delta != 0 ? std::optional(number(3)) : std::nullopt,
            .k3 = number(4),
            .least_length = number(5),
            .lengths = static_cast<length_code>(head.lengths)};
    }
};

} // namespace detail

/// Writes an index to a file, in one step: whoever reads the file at that time sees the old one or the whole
/// new one. Searches and changes may go on meanwhile; what is written is the index at the beginning. Segments
/// are merged and erased documents left out, in memory, unless the index is compact.
///
/// `add_more` may put sections of the caller's own into the file, of names that begin with "my ".
/// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
/// (invalid_argument) if the index keeps positions, which files do not hold yet.
/// @par Complexity  O(postings).
template <analyzer Analyzer>
void save(
    basic_bm25_index<Analyzer> const& index, std::string const& path,
    function_ref<void(section_writer&)> add_more = [](section_writer&) {}) {
    detail::stored<basic_bm25_index<Analyzer>>::save(index, path, add_more);
}

/// open() for analyzers that must be told something: it must split texts as the index's did.
/// @throws trawl::error (io; corrupt).
template <class Index, analyzer Analyzer>
[[nodiscard]] Index open(std::string const& path, Analyzer analyzer, open_options options = {}) {
    return detail::stored<Index>::open(
        section_file(path, detail::bm25_file_kind, detail::bm25_file_version, options), std::move(analyzer));
}

} // namespace trawl::inline v0_1
