// SPDX-License-Identifier: MIT
#pragma once

/// An inverted index as sections of a file: what the files of bm25_index and bm25f_index share.

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

#include <trawl/core/concepts.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct bm25_file_head {
    std::uint64_t documents = 0;
    /// of an index of fields 0, as longest: its fields have their own
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

    void set(bm25 const& p) noexcept {
        auto const bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
        variant = static_cast<std::uint32_t>(p.variant);
        lengths = static_cast<std::uint32_t>(p.lengths);
        has_delta = p.delta ? 1u : 0u;
        parameters = {bits(p.k1), bits(p.b), bits(p.epsilon), bits(p.delta.value_or(0)), bits(p.k3),
            bits(p.least_length)};
    }

    [[nodiscard]] bm25 get(section_file const& file) const {
        if (variant >= bm25_variants || lengths > 1) file.fail("has a variant that is unknown");
        auto const number = [&](std::size_t i) { return std::bit_cast<double>(parameters[i]); };
        return {.variant = static_cast<bm25_variant>(variant),
            .k1 = number(0),
            .b = number(1),
            .epsilon = number(2),
            .delta = has_delta != 0 ? std::optional(number(3)) : std::nullopt,
            .k3 = number(4),
            .least_length = number(5),
            .lengths = static_cast<length_code>(lengths)};
    }
};

/// Tells analyzers apart by what they do: tokens and positions of a text on which ours differ.
template <analyzer Analyzer>
[[nodiscard]] std::uint64_t fingerprint(Analyzer const& analyzer) {
    constexpr std::string_view sample =
        "The cats' caresses: PROD-4817, /api/v3/orders_items and C++ don't run. L'avion des "
        "\xC3\xA9"
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

template <analyzer Analyzer>
void check_analyzer(
    section_file const& file, bm25_file_head const& head, Analyzer const& analyzer) {
    if (head.analyzer == fingerprint(analyzer)) return;
    file.fail("was made with an analyzer that splits texts differently than the one given");
}

/// All live documents of a moment as one segment.
[[nodiscard]] inline std::shared_ptr<segment const> whole(index_snapshot const& index) {
    auto const& parts = *index.parts;
    if (parts.size() == 1 && parts[0].dead == 0 && index.tail_live == 0) return parts[0].rows;
    std::vector<counted_document const*> documents;
    index.for_each_in_tail([&](counted_document const& document, index_snapshot::number) {
        documents.push_back(&document);
    });
    std::sort(documents.begin(), documents.end(),
        [](counted_document const* a, counted_document const* b) { return a->id < b->id; });
    segment_builder builder;
    for (auto const* const document : documents) builder.add(*document);
    auto const tail = std::move(builder).take();
    std::vector<segment_merge::input> inputs;
    for (auto const& part : parts) inputs.push_back({part.rows.get(), part.live.get()});
    inputs.push_back({tail.get(), nullptr});
    return segment_merge(inputs).run();
}

/// A field's arrays as they are written, and the memory of those that do not lie ready. All
/// sections' names have the prefix.
class saved_index {
public:
    saved_index(index_snapshot const& index, bool positions)
        : documents_(whole(index)), positions_(positions) {
        auto const all = frozen_terms::slots_of(index.terms);
        std::vector<std::uint32_t> slots(all); // number + 1
        std::vector<std::uint64_t> bounds{0};
        for (std::uint32_t number = 0; number < index.terms; ++number) {
            auto const term = index.dictionary->term(number);
            text_.append(term);
            bounds.push_back(text_.size());
            auto at = frozen_terms::first_slot(hash_of_term(term), all);
            while (slots[at] != 0) at = at + 1 < all ? at + 1 : 0;
            slots[at] = number + 1;
        }
        bounds_ = ascending_numbers::packed(bounds);
        packed_numbers::writer packed(slots_, all, frozen_terms::slot_width(index.terms));
        for (std::size_t at = 0; at < all; ++at) packed.set(at, slots[at]);
    }

    [[nodiscard]] segment::arrays const& all() const noexcept { return documents_->all(); }

    /// The writer keeps views: this must stay where it is.
    void add_to(section_writer& writer, std::string_view prefix) const {
        auto const add = [&](std::string_view name, auto const& values) {
            writer.add(join(prefix, name), std::span(values));
        };
        add("term text", text_);
        add("term bounds", bounds_);
        add("term slots", slots_);
        add("lengths", all().lengths);
        add("terms", all().lists.terms);
        add("lists", all().lists.begins.words());
        add("headers", all().lists.headers);
        add("postings", all().lists.bytes);
        if (!positions_) return;
        add("positions", all().positions.bytes);
        add("position lists", all().positions.begins.words());
    }

private:
    std::shared_ptr<segment const> documents_;
    std::string text_ = {};
    std::vector<std::uint64_t> bounds_ = {};
    std::vector<std::uint64_t> slots_ = {};
    bool positions_;
};

/// The index whose sections have the prefix.
[[nodiscard]] inline std::shared_ptr<index_snapshot const> opened_index(section_file const& file,
    std::string_view prefix, bm25_file_head const& head, std::uint64_t total_length,
    std::uint32_t longest) {
    auto const named = [&](std::string_view name) { return join(prefix, name); };
    auto const ascending = [&](std::string_view name) {
        ascending_numbers const found(file.array<std::uint64_t>(named(name)));
        if (found.words().empty())
            file.fail(join("section ", named(name), " holds no ascending numbers"));
        return found;
    };
    segment::arrays all{.first_id = head.first_id,
        .ids = file.array<doc_id>("ids"),
        .lengths = file.array<std::uint32_t>(named("lengths")),
        .longest = longest,
        .lists = {file.array<std::uint32_t>(named("terms")), ascending("lists"),
            file.array<block_header>(named("headers")),
            file.array<unsigned char>(named("postings")),
            static_cast<std::uint32_t>(head.documents)}};
    if (file.has(named("positions"))) {
        all.positions = {
            ascending("position lists"), file.array<unsigned char>(named("positions"))};
        if (all.positions.begins.size() != all.lists.size()) {
            file.fail("its numbers of lists and of their positions are at odds");
        }
    }
    if (!all.lists.terms.empty() && all.lists.terms.size() != all.lists.size()) {
        file.fail("its numbers of terms and lists are at odds");
    }
    auto const rows = all.lengths.size();
    auto const bounds = ascending("term bounds");
    if (rows != head.documents || rows >= no_doc || (!all.ids.empty() && all.ids.size() != rows)
        || bounds.size() == 0 || bounds.size() > 0xFFFFFFFFu) {
        file.fail("its numbers of documents, ids, lengths or terms are at odds");
    }
    auto const terms_number = bounds.size() - 1;
    auto const slots = file.array<std::uint64_t>(named("term slots"));
    auto const slot_width = frozen_terms::slot_width(terms_number);
    if (slots.size()
        != packed_numbers::words_of(frozen_terms::slots_of(terms_number), slot_width)) {
        file.fail("its numbers of terms and of their slots are at odds");
    }
    frozen_terms const terms{file.array<char>(named("term text")), bounds, {slots, slot_width}};
    auto const last = rows == 0 ? 0 : all.ids.empty() ? all.first_id + (rows - 1) : all.ids.back();
    if (rows > 0 && last >= head.next_id) file.fail("holds documents from its next id on");

    index_snapshot begin;
    auto const keep = std::make_shared<section_file const>(file);
    if (rows > 0) {
        auto const documents = std::make_shared<segment const>(all, keep);
        begin.parts = std::make_shared<std::vector<index_part> const>(
            std::vector<index_part>{{.rows = documents}});
    }
    begin.live = rows;
    begin.total_length = total_length;
    begin.next_id = head.next_id;
    begin.dictionary = std::make_shared<term_dictionary>(terms, keep);
    begin.slots = begin.dictionary->current_slots();
    begin.terms = begin.dictionary->size();
    return std::make_shared<index_snapshot const>(std::move(begin));
}

} // namespace detail
TRAWL_END_NAMESPACE
