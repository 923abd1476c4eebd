// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of lexical_file.hpp: docs/formats.md, "bm25_index" and "bm25f_index".

#include <trawl/lexical/detail/lexical_file.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/lexical_problem.hpp>
#include <trawl/lexical/detail/segments/field_sections.hpp>
#include <trawl/lexical/detail/segments/field_writer.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/text/analyzed_sample.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct bm25_file_head {
    std::uint64_t documents = 0;
    std::uint64_t total_length = 0; ///< as `longest`, 0 in a bm25f_index: its fields have their own
    std::uint64_t analyzer = 0;     ///< a checksum of the tokens of a sample text
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
        if (variant >= bm25_variants || lengths > 1)
            file.fail("has an unknown variant or length code");
        auto const number = [&](std::size_t i) { return std::bit_cast<double>(parameters[i]); };
        bm25 made{.variant = static_cast<bm25_variant>(variant),
            .k1 = number(0),
            .b = number(1),
            .epsilon = number(2),
            .k3 = number(4),
            .least_length = number(5),
            .lengths = static_cast<length_code>(lengths)};
        if (has_delta != 0) made.delta = number(3);
        return made;
    }
};

/// A field in a file of the kind "bm25f_index".
struct bm25f_file_field {
    std::uint64_t total_length = 0;
    std::uint32_t longest = 0;
    std::uint32_t has_b = 0;
    std::uint64_t weight = 0; ///< bits of a double, as b
    std::uint64_t b = 0;
};

TRAWL_INLINE std::uint64_t fingerprint(analyzer_ref analyze) {
    std::string made;
    analyze.tokens(analyzer_sample, [&](token const& t) {
        if (t.term.empty()) return;
        made.append(t.term).append(1, '\0');
        made.append(t.position % 64, ' ');
    });
    return checksum(std::as_bytes(std::span(made)));
}

/// What the names of a field's sections begin with: nothing in a bm25_index.
[[nodiscard]] TRAWL_INLINE std::string section_prefix(bool fields, std::size_t field) {
    return fields ? field_section_prefix(field) : std::string();
}

/// The arrays of a field as they are written, and the memory of those that do not exist yet. The
/// section_writer keeps views of them: this must stay where it is.
class saved_field {
public:
    /// @param index  compact: of one segment at most.
    saved_field(counted_ptr<index_snapshot const> index, bool positions)
        : index_(std::move(index)), positions_(positions) {
        rows_ = index_->segments->empty() ? counted_ptr<segment const>::make(
                    row_table(), packed_arrays(), position_arrays())
                                          : index_->segments->front().rows;
        auto const terms = index_->terms;
        std::vector<std::uint64_t> ends(std::size_t{terms} + 1);
        for (std::uint32_t id = 0; id < terms; ++id) {
            text_.append(index_->dictionary->term(id));
            ends[id + 1] = text_.size();
        }
        bounds_ = ascending_numbers::packed(ends);
        slots_ = packed_slots(text_, ends);
        if (!rows_->has_positions()) no_lists_ = ascending_numbers::packed({});
    }
    saved_field(saved_field const&) = delete;
    saved_field& operator=(saved_field const&) = delete;
    ~saved_field() = default;

    [[nodiscard]] index_snapshot const& index() const noexcept { return *index_; }
    [[nodiscard]] segment::arrays const& all() const noexcept { return rows_->all(); }

    void add_to(section_writer& writer, std::string_view prefix) const {
        auto const add = [&](std::string_view name, auto const& values) {
            writer.add(join(prefix, name), std::span(values.data(), values.size()));
        };
        add("term text", text_);
        add("term bounds", bounds_);
        add("term slots", slots_);
        add_lists(writer, prefix, all(), positions_ ? &no_lists_ : nullptr);
    }

private:
    counted_ptr<index_snapshot const> index_;
    counted_ptr<segment const> rows_;
    std::string text_ = {};
    buffer<std::uint64_t> bounds_ = {};
    buffer<std::uint64_t> slots_ = {};
    buffer<std::uint64_t> no_lists_ = {}; ///< of a field without a term
    bool positions_;
};

TRAWL_INLINE void lexical_file::save(lexical_engine const& from, analyzer_ref analyze,
    std::string const& path, function_ref<void(section_writer&)> add_more) {
    auto const moment = from.read();
    auto const with_fields = !from.fields_.empty();
    std::vector<std::unique_ptr<saved_field>> fields;
    for (auto const& field : *moment) {
        field_writer compact(field);
        compact.compact(nullptr);
        fields.push_back(std::make_unique<saved_field>(compact.finish(), from.options_.positions));
    }
    auto const& first = *fields.front();
    bm25_file_head head{.documents = first.index().live,
        .analyzer = fingerprint(analyze),
        .first_id = first.all().first_id,
        .next_id = first.index().next_id};
    head.set(from.parameters_);
    if (!with_fields) {
        head.total_length = first.index().total_length;
        head.longest = first.all().longest;
    }
    section_writer writer(from.name(), version);
    writer.add("head", std::span(&head, 1));
    std::vector<bm25f_file_field> described;
    std::string names;
    for (std::size_t i = 0; i < from.fields_.size(); ++i) {
        auto const& [name, weight, b] = from.fields_[i];
        described.push_back({.total_length = fields[i]->index().total_length,
            .longest = fields[i]->all().longest,
            .has_b = b ? 1u : 0u,
            .weight = std::bit_cast<std::uint64_t>(weight),
            .b = std::bit_cast<std::uint64_t>(b.value_or(0))});
        names.append(name).push_back('\0');
    }
    if (with_fields) {
        writer.add("fields", std::span<bm25f_file_field const>(described));
        writer.add("field names", std::span<char const>(names));
    }
    std::uint64_t const keeps_surfaces = 1;
    if (from.options_.surfaces) writer.add("surfaces", std::span(&keeps_surfaces, 1));
    writer.add("ids", std::span(first.all().ids.data(), first.all().ids.size()));
    for (std::size_t i = 0; i < fields.size(); ++i)
        fields[i]->add_to(writer, section_prefix(with_fields, i));
    add_more(writer);
    writer.write(path);
}

/// Checks that the ids of documents ascend, as every filter and look-up relies on.
TRAWL_INLINE void check_ids(section_file const& file) {
    auto const ids = file.array<doc_id>("ids");
    for (std::size_t i = 1; i < ids.size(); ++i) {
        if (ids[i - 1] >= ids[i])
            file.fail(join("id ", ids[i], " follows id ", ids[i - 1], ": ids must ascend"));
    }
}

/// The snapshot of a field whose sections have the prefix.
/// @param keep  keeps the file open.
[[nodiscard]] TRAWL_INLINE counted_ptr<index_snapshot const> opened_field(
    std::shared_ptr<section_file const> const& keep, std::string const& prefix,
    bm25_file_head const& head, std::uint64_t total_length, std::uint32_t longest) {
    auto const& file = *keep;
    auto const all = opened_lists(
        file, prefix, head.first_id, file.array<doc_id>("ids"), longest, head.documents);
    auto const rows = all.lengths.size();
    auto const bounds = opened_ascending(file, prefix, "term bounds");
    if (rows != head.documents || rows >= no_doc || (!all.ids.empty() && all.ids.size() != rows)
        || bounds.size() == 0 || bounds.size() > 0xFFFFFFFFu) {
        file.fail("its numbers of documents, ids, lengths or terms contradict each other");
    }
    auto const terms = bounds.size() - 1;
    frozen_terms const known{
        file.array<char>(join(prefix, "term text")), bounds, opened_slots(file, prefix, terms)};
    auto const last = rows == 0 ? 0 : all.ids.empty() ? all.first_id + (rows - 1) : all.ids.back();
    if (rows > 0 && last >= head.next_id) {
        file.fail(join("holds document ", last, ", but its next id is ", head.next_id));
    }

    index_snapshot begin;
    if (rows > 0) {
        buffer<live_segment> segments;
        segments.push_back({.rows = counted_ptr<segment const>::make(all, owner::of(keep))});
        begin.segments = counted_ptr<buffer<live_segment> const>::make(std::move(segments));
    }
    begin.live = rows;
    begin.total_length = total_length;
    begin.next_id = head.next_id;
    begin.dictionary = counted_ptr<term_dictionary>::make(known, owner::of(keep));
    begin.slots = begin.dictionary->current_slots();
    begin.terms = begin.dictionary->size();
    return counted_ptr<index_snapshot const>::make(std::move(begin));
}

TRAWL_INLINE lexical_engine lexical_file::opened(section_file const& file, analyzer_ref analyze,
    std::vector<bm25_field> fields, buffer<counted_ptr<index_snapshot const>> begin) {
    auto const head = file.value<bm25_file_head>("head");
    if (head.analyzer != fingerprint(analyze))
        file.fail("was made with an analyzer that splits texts differently than the one given");
    auto const parameters = head.get(file);
    if (auto const wrong = problem_of(parameters); !wrong.text.empty()) file.fail(wrong.text);
    if (auto const wrong = problem_of(fields); !wrong.text.empty()) file.fail(wrong.text);
    auto const positions = [&](std::size_t field) {
        return file.has(join(section_prefix(!fields.empty(), field), "positions"));
    };
    for (std::size_t i = 1; i < fields.size(); ++i) {
        if (positions(i) != positions(0))
            file.fail(join("has positions of one of the fields 0 and ", i, " only"));
    }
    index_options const options{.positions = positions(0), .surfaces = file.has("surfaces")};
    lexical_engine made(std::move(fields), parameters, options);
    made.index_ = counted_ptr<inverted_index>::make(
        counted_ptr<buffer<counted_ptr<index_snapshot const>> const>::make(std::move(begin)));
    return made;
}

TRAWL_INLINE lexical_engine lexical_file::open(section_file const& file, analyzer_ref analyze) {
    auto const head = file.value<bm25_file_head>("head");
    check_ids(file);
    auto const keep = std::make_shared<section_file const>(file);
    buffer<counted_ptr<index_snapshot const>> begin;
    begin.push_back(
        opened_field(keep, section_prefix(false, 0), head, head.total_length, head.longest));
    return opened(file, analyze, {}, std::move(begin));
}

TRAWL_INLINE lexical_engine lexical_file::open_fields(
    section_file const& file, analyzer_ref analyze) {
    auto const head = file.value<bm25_file_head>("head");
    auto const described = file.array<bm25f_file_field>("fields");
    if (described.empty() || described.size() > max_fields) {
        file.fail(join("has ", described.size(), " fields, not 1 to ", max_fields));
    }
    check_ids(file);
    auto names = file.text("field names");
    auto const keep = std::make_shared<section_file const>(file);
    std::vector<bm25_field> fields;
    buffer<counted_ptr<index_snapshot const>> begin;
    for (auto const& field : described) {
        auto const end = names.find('\0');
        if (end == names.npos) file.fail("has fewer names than fields");
        begin.push_back(opened_field(
            keep, section_prefix(true, fields.size()), head, field.total_length, field.longest));
        bm25_field made{.name = std::string(names.substr(0, end)),
            .weight = std::bit_cast<double>(field.weight)};
        if (field.has_b != 0) made.b = std::bit_cast<double>(field.b);
        fields.push_back(std::move(made));
        names.remove_prefix(end + 1);
    }
    return opened(file, analyze, std::move(fields), std::move(begin));
}

} // namespace detail
TRAWL_END_NAMESPACE
