// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of flat_segments.hpp: docs/formats.md, "collection".

#include <trawl/dense/flat_segments.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/top_k.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/coded_search.hpp>
#include <trawl/dense/detail/flat_search.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/dense/vector_code.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/owner.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr char const* flat_segments_name = "collection";

struct flat_segment_head {
    std::uint64_t rows = 0;
    std::uint64_t dim = 0;
    std::uint32_t metric = 0;
    std::uint32_t element = 0;
};

/// The codes of a segment; `kind` is 1, one bit a dimension.
struct segment_code_head {
    std::uint32_t kind = 1;
    std::uint32_t zero = 0;
    std::uint64_t seed = 1; ///< of the rotation
};

/// Codes on their way into a file.
struct built_codes {
    vector_encoder encoder;
    segment_code_head head = {};
    coded_rows rows = {};
};

/// Codes in a file.
struct mapped_codes {
    section_file file; ///< keeps the rows
    vector_encoder encoder;
    coded_view rows = {};
};

inline constexpr std::size_t coded_segment_rows = 4096;
inline constexpr std::size_t least_coded_dim = 96; // rows below are as short as codes are coarse

[[nodiscard]] inline bool deserves_codes(vector_table const& table) noexcept {
    return table.documents().live() >= coded_segment_rows && table.dim() >= least_coded_dim
           && table.dim() <= vector_encoder::largest_dim(code_kind::one_bit)
           && table.all_ordinary();
}

/// How many candidates are scored exactly for k hits: enough for nearly all of the k best of
/// sentence vectors.
[[nodiscard]] inline std::size_t segment_candidates(std::size_t dim, std::size_t k) noexcept {
    std::size_t const least = dim < 256 ? 1000 : 400;
    return k > no_doc / 8 ? k : (std::max)(least, 8 * k);
}

/// Whether scanning the codes of all rows takes less time than scoring the eligible ones.
[[nodiscard]] inline bool codes_are_faster(document_table const& documents, filter const& where) {
    auto const enough = (std::max)(coded_segment_rows, documents.rows() / 32);
    if (documents.live() <= enough) return false;
    if (where.admits_all()) return true;
    std::size_t eligible = 0;
    for (std::size_t b = 0; b < documents.blocks() && eligible <= enough; ++b)
        eligible += static_cast<std::size_t>(std::popcount(documents.eligible(b, where)));
    return eligible > enough;
}

/// Codes all rows of a table without erased ones, as differences from the mean of some.
[[nodiscard]] TRAWL_INLINE std::unique_ptr<built_codes> codes_of(
    vector_table const& table, executor const* pool) {
    auto made = std::make_unique<built_codes>(built_codes{
        .encoder{code_kind::one_bit, table.dim(), table.how(), segment_code_head().seed}});
    auto const rows = table.documents().rows();
    auto const sampled = (std::min<std::size_t>)(rows, 1024);
    auto const part = [&](std::size_t row) {
        return coded_part(made->encoder, table.kernels(), table.floats(row));
    };
    made->encoder.set_centre(made->encoder.mean_of(sampled,
        [&](std::size_t i) { return part(static_cast<std::size_t>(i * rows / sampled)); }));
    made->rows.reserve_more(made->encoder, rows);
    made->rows.append(made->encoder, rows);
    encode_rows(
        made->rows, made->encoder, table.kernels(), 0, rows,
        [&](std::size_t row) { return table.floats(row); }, pool);
    return made;
}

/// The codes beside a table; null if there are none.
[[nodiscard]] TRAWL_INLINE std::shared_ptr<mapped_codes const> codes_beside(
    section_file const& file, std::string_view prefix, vector_table const& table) {
    if (!file.has(join(prefix, "code head"))) return nullptr;
    auto const head = file.value<segment_code_head>(join(prefix, "code head"));
    if (head.kind != 1 || table.dim() > vector_encoder::largest_dim(code_kind::one_bit))
        file.fail(join("has codes of the unknown kind ", head.kind));
    auto made = std::make_shared<mapped_codes>(mapped_codes{
        .file = file, .encoder{code_kind::one_bit, table.dim(), table.how(), head.seed}});
    auto const codes = file.array<std::byte>(join(prefix, "codes"));
    auto const centre = file.array<float>(join(prefix, "centre"));
    made->rows = {codes.data(), file.array<float>(join(prefix, "slopes")),
        file.array<float>(join(prefix, "bases"))};
    auto const rows = table.documents().rows();
    if (centre.size() != table.dim() || made->rows.slopes.size() != rows
        || made->rows.bases.size() != rows || codes.size() != made->encoder.bytes(rows)
        || first_not_finite(centre) != centre.size() || !table.all_ordinary())
        file.fail("its numbers of codes and vectors contradict each other");
    made->encoder.set_centre(centre);
    return made;
}

/// Checks what restoring and searching rely on, but for the values of the vectors.
TRAWL_INLINE void check_flat_segment(section_file const& file, flat_segment_head const& head,
    std::span<doc_id const> ids, std::span<double const> lengths, std::size_t values) {
    auto const rows = ids.size();
    if (head.rows != rows || lengths.size() != rows || rows > no_doc || values % head.dim != 0
        || values / head.dim != rows)
        file.fail("its numbers of vectors, ids and lengths contradict each other");
    for (std::size_t i = 1; i < rows; ++i) {
        if (ids[i - 1] >= ids[i])
            file.fail(join("id ", ids[i], " follows id ", ids[i - 1], ": ids must ascend"));
    }
    if (rows > 0 && ids.back() == no_doc) file.fail("has a vector of no document");
    for (double const inverse : lengths) {
        if (!is_finite(inverse) || inverse < 0) file.fail(join("has the inverse length ", inverse));
    }
}

} // namespace detail

TRAWL_INLINE flat_segment_builder::flat_segment_builder(std::size_t dim, trawl::metric how)
    : table_(std::make_unique<detail::vector_table>(
        detail::flat_segments_name, how, dim, detail::element_type::float32)) {}

TRAWL_INLINE flat_segment_builder::flat_segment_builder(flat_segment_builder&&) noexcept = default;
TRAWL_INLINE flat_segment_builder& flat_segment_builder::operator=(
    flat_segment_builder&&) noexcept = default;
TRAWL_INLINE flat_segment_builder::~flat_segment_builder() = default;

TRAWL_INLINE void flat_segment_builder::check(std::span<float const> vector) const {
    table_->check_vector("put", "the vector", vector);
}

TRAWL_INLINE void flat_segment_builder::reserve(std::size_t count) { table_->reserve_more(count); }

TRAWL_INLINE void flat_segment_builder::add(doc_id id, std::span<float const> vector) {
    static_cast<void>(detail::add_vector(*table_, id, vector));
}

TRAWL_INLINE void flat_segment_builder::erase(doc_id id) noexcept {
    static_cast<void>(detail::erase_vector(*table_, id));
}

TRAWL_INLINE void flat_segment_builder::erase_from(doc_id id) {
    auto const ids = table_->documents().ids();
    for (auto row = ids.size(); row > 0 && ids[row - 1] >= id; --row) {
        if (table_->documents().lives(row - 1)) table_->erase(row - 1);
    }
}

TRAWL_INLINE std::size_t flat_segment_builder::size() const noexcept {
    return table_->documents().live();
}

TRAWL_INLINE void flat_segment_builder::add_to(
    section_writer& writer, std::string_view prefix, executor const* pool) {
    if (table_->documents().live() != table_->documents().rows()) detail::compact_vectors(*table_);
    detail::aligned_bytes none; // rows are never borrowed here
    auto const rows = table_->documents().rows();
    detail::flat_segment_head const head{.rows = rows,
        .dim = table_->dim(),
        .metric = static_cast<std::uint32_t>(table_->how()),
        .element = static_cast<std::uint32_t>(table_->element())};
    writer.add_copy(detail::join(prefix, "head"), std::span(&head, 1));
    writer.add(detail::join(prefix, "ids"), table_->documents().ids());
    writer.add(detail::join(prefix, "lengths"), table_->inverse_lengths());
    writer.add(detail::join(prefix, "vectors"), table_->contiguous(none));
    codes_.reset();
    if (!detail::deserves_codes(*table_)) return;
    codes_ = detail::codes_of(*table_, pool);
    auto const& codes = codes_->rows;
    writer.add(detail::join(prefix, "code head"), std::span(&codes_->head, 1));
    writer.add(detail::join(prefix, "centre"), codes_->encoder.centre());
    writer.add(detail::join(prefix, "slopes"), std::span<float const>(codes.slopes));
    writer.add(detail::join(prefix, "bases"), std::span<float const>(codes.bases));
    writer.add(detail::join(prefix, "codes"),
        std::span<std::byte const>(codes.codes.data(), codes.codes.size()));
}

TRAWL_INLINE flat_segment flat_segment::open(
    section_file const& file, std::string_view prefix, std::size_t dim, trawl::metric how) {
    auto const head = file.value<detail::flat_segment_head>(detail::join(prefix, "head"));
    if (head.dim != dim || head.metric != static_cast<std::uint32_t>(how)
        || head.element != static_cast<std::uint32_t>(detail::element_type::float32)) {
        file.fail(detail::join("has vectors of ", head.dim, " values, metric ", head.metric,
            " and element type ", head.element, ", the collection ", dim, ", ",
            static_cast<unsigned>(how), " and 0"));
    }
    auto const ids = file.array<doc_id>(detail::join(prefix, "ids"));
    auto const lengths = file.array<double>(detail::join(prefix, "lengths"));
    auto const values = file.array<float>(detail::join(prefix, "vectors"));
    detail::check_flat_segment(file, head, ids, lengths, values.size());
    std::vector<std::uint64_t> live((ids.size() + 63) / 64, ~std::uint64_t{0});
    if (ids.size() % 64 != 0) live.back() = (std::uint64_t{1} << (ids.size() % 64)) - 1;
    auto table = std::make_shared<detail::vector_table>(
        detail::flat_segments_name, how, dim, detail::element_type::float32);
    table->restore(values.data(), true, ids, live, lengths, ids.empty() ? 0 : ids.back() + 1,
        detail::owner::of(file));
    flat_segment made;
    made.codes_ = detail::codes_beside(file, prefix, *table);
    made.table_ = std::move(table);
    return made;
}

TRAWL_INLINE std::span<doc_id const> flat_segment::ids() const noexcept {
    return table_ == nullptr ? std::span<doc_id const>() : table_->documents().ids();
}

TRAWL_INLINE std::span<float const> flat_segment::vector(std::size_t i) const noexcept {
    return {table_->floats(i), table_->dim()};
}

TRAWL_INLINE bool flat_segment::copy_vector(doc_id id, std::span<float> out) const {
    if (table_ != nullptr) return detail::copy_vector(*table_, id, out);
    for (auto& value : out) value = 0;
    return false;
}

TRAWL_INLINE void flat_segment::verify(section_file const& file) const {
    for (std::size_t i = 0; i < ids().size(); ++i) {
        auto const bad = detail::first_not_finite(vector(i));
        if (bad == table_->dim()) continue;
        file.fail(detail::join(
            "value ", bad, " of the vector of document ", ids()[i], " is ", vector(i)[bad]));
    }
    if (codes_ == nullptr) return;
    for (auto const values : {codes_->rows.slopes, codes_->rows.bases}) {
        auto const bad = detail::first_not_finite(values);
        if (bad == values.size()) continue;
        file.fail(
            detail::join("a factor of the code of document ", ids()[bad], " is ", values[bad]));
    }
}

TRAWL_INLINE bool flat_segment::lacks_codes() const noexcept {
    return codes_ == nullptr && table_ != nullptr && detail::deserves_codes(*table_);
}

TRAWL_INLINE flat_segments::flat_segments(std::size_t dim, trawl::metric how,
    std::vector<flat_segment> segments, std::shared_ptr<doc_set const> live, doc_id next_id)
    : dim_(dim),
      how_(how),
      segments_(std::make_shared<std::vector<flat_segment> const>(std::move(segments))),
      live_(std::move(live)),
      next_id_(next_id) {}

TRAWL_INLINE flat_segment const* flat_segments::segment_of(doc_id id) const noexcept {
    if (live_ != nullptr && !live_->contains(id)) return nullptr;
    for (auto const& segment : *segments_) {
        if (segment.table_ != nullptr
            && segment.table_->documents().find(id) != detail::vector_table::no_row)
            return &segment;
    }
    return nullptr;
}

TRAWL_INLINE search_options flat_segments::narrowed(search_options options) const {
    if (live_ == nullptr) return options;
    if (auto const* const set = options.where.set()) {
        options.where = *set & *live_;
    } else {
        options.where = *live_;
    }
    return options;
}

TRAWL_INLINE std::size_t flat_segments::size() const noexcept {
    std::size_t count = 0;
    for (auto const& segment : *segments_) {
        if (live_ == nullptr)
            count += segment.ids().size();
        else
            for (auto const id : segment.ids()) count += live_->contains(id) ? 1u : 0u;
    }
    return count;
}

TRAWL_INLINE bool flat_segments::contains(doc_id id) const noexcept {
    return segment_of(id) != nullptr;
}

TRAWL_INLINE bool flat_segments::copy_vector(doc_id id, std::span<float> out) const {
    if (auto const* const segment = segment_of(id)) return segment->copy_vector(id, out);
    return flat_segment().copy_vector(id, out);
}

TRAWL_INLINE ranking flat_segments::search(query const& q, search_options const& options) const {
    if (q.vector.empty()) return {};
    detail::vector_table const shape(
        detail::flat_segments_name, how_, dim_, detail::element_type::float32);
    shape.check_vector("search", "the query's vector", q.vector);
    auto const inside = narrowed(options);
    ranking all;
    for (auto const& segment : *segments_) {
        if (segment.ids().empty()) continue;
        auto const found = search_segment(segment, q, inside);
        all.insert(all.end(), found.begin(), found.end());
        if (options.stopped()) break;
    }
    keep_best(all, options.k);
    return all;
}

TRAWL_INLINE ranking flat_segments::search_segment(
    flat_segment const& segment, query const& q, search_options const& options) const {
    auto const& table = *segment.table_;
    if (exact_ || segment.codes_ == nullptr
        || !detail::is_ordinary(table.measured(q.vector).inverse_length)
        || !detail::codes_are_faster(table.documents(), options.where)) {
        return std::move(detail::search_vectors(table, std::span(&q, 1), options).front());
    }
    return std::move(detail::search_codes(table, segment.codes_->encoder, segment.codes_->rows,
        {q.vector.data(), 1, q.vector.size()}, detail::segment_candidates(dim_, options.k), options)
                         .front());
}

TRAWL_INLINE flat_segments flat_segments::exact() const {
    auto made = *this;
    made.exact_ = true;
    return made;
}

TRAWL_INLINE std::vector<hit> flat_segments::score(
    query const& q, std::span<doc_id const> ids, search_options const& options) const {
    std::vector<hit> made;
    if (q.vector.empty()) return made;
    made.reserve(ids.size());
    // Runs of documents of one segment are scored together.
    for (std::size_t i = 0; i < ids.size();) {
        auto const* const segment = segment_of(ids[i]);
        auto const first = i++;
        while (i < ids.size() && segment_of(ids[i]) == segment) ++i;
        if (segment == nullptr) continue;
        auto const scored =
            detail::score_vectors(*segment->table_, q, ids.subspan(first, i - first), options);
        made.insert(made.end(), scored.begin(), scored.end());
    }
    return made;
}

TRAWL_INLINE explanation flat_segments::explain(
    query const& q, doc_id id, search_options const& options) const {
    if (auto const* const segment = segment_of(id))
        return detail::explain_vector(*segment->table_, q, id, options);
    return no_match(q.vector.empty() ? "no match: the query has no vector"
                                     : "no match: the document has no vector here");
}

TRAWL_INLINE std::vector<std::string> flat_segments::warnings(query const& q) const {
    std::vector<std::string> all;
    for (auto const& segment : *segments_) {
        if (segment.ids().empty()) continue;
        for (auto& text : detail::warnings_of(*segment.table_, q)) {
            bool known = false;
            for (auto const& before : all) known = known || before == text;
            if (!known) all.push_back(std::move(text));
        }
    }
    return all;
}

TRAWL_END_NAMESPACE
