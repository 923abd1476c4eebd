// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of state.hpp.

#include <trawl/collection/detail/state.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE stored_segment::stored_segment(section_file from, collection_schema const& schema,
    std::uint64_t given_number, std::uint64_t given_rows)
    : file(std::move(from)), number(given_number) {
    auto const head = file.value<segment_head>("segment");
    if (head.rows != given_rows || head.rows >= no_doc || head.documents > head.rows
        || head.texts != schema.texts() || head.spaces != schema.spaces.size()
        || head.first_id > no_doc - head.rows) {
        file.fail(join("has ", head.rows, " rows, ", head.texts, " text fields and ", head.spaces,
            " vector spaces, the manifest ", given_rows, ", ", schema.texts(), " and ",
            schema.spaces.size()));
    }
    auto const rows = static_cast<std::size_t>(head.rows);
    first_id = head.first_id;
    ids = file.array<doc_id>("ids");
    if (!ids.empty() && (ids.size() != rows || ids.front() != first_id || ids.back() == no_doc))
        file.fail("its numbers of rows and ids contradict each other");
    for (std::size_t row = 1; row < ids.size(); ++row) {
        if (ids[row - 1] >= ids[row])
            file.fail(join("id ", ids[row], " follows id ", ids[row - 1], ": ids must ascend"));
    }
    documents = passages(file, schema.texts(), schema.text_number("text"),
        static_cast<std::size_t>(head.documents), rows);
    words = lexical_segment::open(file, schema.texts(), first_id, ids, rows);
    for (std::size_t space = 0; space < schema.spaces.size(); ++space) {
        auto const& of = schema.spaces[space];
        vectors.push_back(flat_segment::open(file, space_prefix(space), of.dim, of.metric));
        auto const have = vectors.back().ids();
        if (!have.empty() && (!row_of(have.front()) || !row_of(have.back())))
            file.fail("has a vector of no passage");
    }
    metadata = columns::open(file, column_prefix, rows);
}

TRAWL_INLINE std::optional<std::uint32_t> stored_segment::row_of(doc_id id) const noexcept {
    if (ids.empty()) {
        if (id < first_id || id - first_id >= rows()) return std::nullopt;
        return id - first_id;
    }
    auto const at = std::lower_bound(ids.begin(), ids.end(), id);
    if (at == ids.end() || *at != id) return std::nullopt;
    return static_cast<std::uint32_t>(at - ids.begin());
}

TRAWL_INLINE std::vector<float> stored_segment::vector_of(std::size_t space, doc_id id) const {
    auto const have = vectors[space].ids();
    auto const at = std::lower_bound(have.begin(), have.end(), id);
    if (at == have.end() || *at != id) return {};
    auto const values = vectors[space].vector(static_cast<std::size_t>(at - have.begin()));
    for (float const value : values) {
        if (!is_finite(value))
            file.fail(join("the vector of document ", id, " has the value ", value));
    }
    return {values.begin(), values.end()};
}

TRAWL_INLINE void stored_segment::verify() const {
    file.verify();
    documents.verify(file);
    words.verify();
    metadata.verify();
    for (auto const& space : vectors) {
        space.verify(file);
        for (auto const id : space.ids()) {
            if (!row_of(id)) file.fail(join("has a vector of document ", id, ", which it lacks"));
        }
    }
}

/// Opens segments, or takes those that are open already.
[[nodiscard]] TRAWL_INLINE std::vector<std::shared_ptr<stored_segment const>> opened_segments(
    segment_store const& store, collection_schema const& schema, manifest const& moment,
    collection_state const* before) {
    std::vector<std::shared_ptr<stored_segment const>> made;
    doc_id next = 0; // ids of the segment may begin here
    for (auto const& segment : moment.segments) {
        std::shared_ptr<stored_segment const> open;
        if (before != nullptr) {
            for (auto const& each : before->segments)
                if (each->number == segment.number) open = each;
        }
        if (open == nullptr) {
            open = std::make_shared<stored_segment const>(
                store.open(segment.number), schema, segment.number, segment.rows);
        }
        if (open->rows() != segment.rows || (open->rows() > 0 && open->id(0) < next))
            open->file.fail("its rows do not follow those of the segments before");
        if (open->rows() > 0) next = open->id(open->rows() - 1) + 1;
        made.push_back(std::move(open));
    }
    if (next > moment.next_id && !made.empty())
        made.back()->file.fail("has documents from the next id on");
    return made;
}

/// The terms of all segments: those of the moment before where it began with the same segment.
[[nodiscard]] TRAWL_INLINE lexical_dictionary terms_of(
    std::span<std::shared_ptr<stored_segment const> const> segments, std::size_t fields,
    collection_state const* before) {
    if (segments.empty()) return lexical_dictionary(fields);
    auto const same = before != nullptr && !before->segments.empty()
                      && before->segments[0]->number == segments[0]->number;
    auto terms = same ? before->terms : lexical_dictionary(segments[0]->words);
    struct forget_unless_done {
        lexical_dictionary& terms;
        std::vector<std::uint32_t> sizes;
        bool done = false;
        ~forget_unless_done() {
            if (!done) terms.forget(sizes);
        }
    } guard{terms, terms.sizes()};
    for (auto const& segment : segments) terms.learn(segment->words);
    guard.done = true;
    return terms;
}

/// Which ids are live, and how many live documents each segment has.
struct live_documents {
    std::shared_ptr<doc_set> ids;
    std::vector<std::size_t> documents_of;

    /// Those of a moment that only erased rows of the segments of an earlier one and added segments
    /// are made of those of the earlier one.
    live_documents(std::span<std::shared_ptr<stored_segment const> const> segments,
        manifest const& moment, collection_state const* before) {
        auto kept = before != nullptr && before->segments.size() <= segments.size();
        for (std::size_t i = 0; kept && i < before->segments.size(); ++i)
            kept = before->segments[i] == segments[i];
        ids = kept ? std::make_shared<doc_set>(*before->live) : std::make_shared<doc_set>();
        ids->resize(moment.next_id);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            auto const& live = moment.segments[i].live;
            if (kept && i < before->segments.size()) {
                documents_of.push_back(before->documents_of[i]);
                auto const& was = before->moment.segments[i].live;
                if (was != live) change(*segments[i], was.get(), live.get());
            } else {
                documents_of.push_back(0);
                add(*segments[i], live.get());
            }
        }
    }

private:
    using words = std::vector<std::uint64_t>;

    void add(stored_segment const& segment, words const* live) {
        auto const is_live = [&](std::uint32_t row) {
            return live == nullptr || ((*live)[row / 64] >> row % 64 & 1u) != 0;
        };
        for (std::uint32_t row = 0; row < segment.rows(); ++row) {
            if (is_live(row)) ids->insert(segment.id(row));
        }
        if (live == nullptr) {
            documents_of.back() = segment.documents.documents();
            return;
        }
        for (std::size_t d = 0; d < segment.documents.documents(); ++d) {
            auto const [first, last] = segment.documents.rows_of(d);
            documents_of.back() += first < last && is_live(first) ? 1u : 0u;
        }
    }

    /// Takes out what is live no longer.
    void change(stored_segment const& segment, words const* was, words const* live) {
        for (std::size_t word = 0; live != nullptr && word < live->size(); ++word) {
            auto gone = (was != nullptr ? (*was)[word] : ~std::uint64_t{0}) & ~(*live)[word];
            for (; gone != 0; gone &= gone - 1) {
                auto const row = 64 * word + static_cast<std::size_t>(std::countr_zero(gone));
                if (row >= segment.rows()) break;
                ids->erase(segment.id(row));
                auto const document = segment.documents.document_of(row);
                if (segment.documents.rows_of(document).first == row) --documents_of.back();
            }
        }
    }
};

TRAWL_INLINE std::shared_ptr<collection_state const> collection_state::opened(
    segment_store const& store, std::shared_ptr<collection_schema const> schema, manifest moment,
    collection_state const* before) {
    auto segments = opened_segments(store, *schema, moment, before);
    auto terms = terms_of(segments, schema->texts(), before);
    live_documents live(segments, moment, before);
    std::vector<live_lexical_segment> words;
    bool any_gap = false;
    std::size_t documents = 0;
    std::size_t passages = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        auto const& of = moment.segments[i];
        words.push_back({segments[i]->words, of.live});
        passages += static_cast<std::size_t>(of.rows - of.erased);
        documents += live.documents_of[i];
        any_gap = any_gap || of.erased > 0;
    }
    std::vector<flat_segments> vectors;
    for (std::size_t space = 0; space < schema->spaces.size(); ++space) {
        std::vector<flat_segment> of_space;
        for (auto const& each : segments) of_space.push_back(each->vectors[space]);
        vectors.emplace_back(schema->spaces[space].dim, schema->spaces[space].metric,
            std::move(of_space), any_gap ? std::shared_ptr<doc_set const>(live.ids) : nullptr,
            moment.next_id);
    }
    auto const same = before != nullptr && !before->segments.empty() && !segments.empty()
                      && before->segments[0]->number == segments[0]->number
                      && before->schema->lexical == schema->lexical;
    lexical_segments lexical(schema->lexical, terms, std::move(words), moment.next_id,
        same ? &before->lexical : nullptr);
    return std::make_shared<collection_state const>(
        collection_state{std::move(schema), std::move(moment), std::move(segments),
            std::move(terms), std::move(lexical), std::move(vectors), std::move(live.ids),
            documents, passages, std::move(live.documents_of)});
}

TRAWL_INLINE std::optional<row_place> collection_state::find(std::string_view key) const noexcept {
    for (auto i = segments.size(); i-- > 0;) {
        auto const document = segments[i]->documents.find(key);
        if (!document) continue;
        auto const [first, last] = segments[i]->documents.rows_of(*document);
        if (first < last && is_live({i, first})) return row_place{i, first};
    }
    return std::nullopt;
}

TRAWL_INLINE std::optional<row_place> collection_state::locate(doc_id id) const noexcept {
    for (std::size_t i = 0; i < segments.size(); ++i) {
        auto const row = segments[i]->row_of(id);
        if (row && is_live({i, *row})) return row_place{i, *row};
    }
    return std::nullopt;
}

TRAWL_INLINE document collection_state::document_at(row_place at) const {
    auto const& segment = *segments[at.segment];
    auto const number = segment.documents.document_of(at.row);
    auto const [first, last] = segment.documents.rows_of(number);
    document made{.key = std::string(segment.documents.key(number))};
    made.parent = segment.documents.parent(number);
    for (std::size_t field = 0; field < schema->texts(); ++field) {
        auto const& name = schema->lexical->fields[field].name;
        std::string text(segment.documents.text(number, field));
        if (name == "title") {
            made.title = std::move(text);
        } else if (name == "text") {
            made.text = std::move(text);
        } else if (!text.empty()) {
            made.texts.push_back({name, std::move(text)});
        }
    }
    made.metadata = segment.metadata.values(first);
    for (std::size_t space = 0; last - first == 1 && space < schema->spaces.size(); ++space) {
        if (!given_vectors::has(segment.documents.marks(number), space)) continue;
        auto values = segment.vector_of(space, segment.id(first));
        if (values.empty()) continue;
        if (space == 0) {
            made.vector = std::move(values);
        } else {
            made.vectors.push_back({schema->spaces[space].name, std::move(values)});
        }
    }
    return made;
}

TRAWL_INLINE row_words live_matching(
    collection_state const& state, std::size_t segment, condition const& asked) {
    auto rows = state.segments[segment]->metadata.evaluate(asked);
    if (auto const& live = state.moment.segments[segment].live) {
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] &= (*live)[i];
    }
    return rows;
}

TRAWL_INLINE doc_set collection_state::matching(condition const& asked) const {
    validate(asked, schema->fields);
    doc_set found(moment.next_id);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        auto const rows = live_matching(*this, i, asked);
        for (std::size_t word = 0; word < rows.size(); ++word) {
            for (auto rest = rows[word]; rest != 0; rest &= rest - 1) {
                auto const row = 64 * word + static_cast<std::size_t>(std::countr_zero(rest));
                found.insert(segments[i]->id(row));
            }
        }
    }
    return found;
}

} // namespace detail
TRAWL_END_NAMESPACE
