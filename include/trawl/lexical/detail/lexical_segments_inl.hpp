// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of lexical_segments.hpp.

#include <trawl/lexical/lexical_segments.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/detail/bm25f_engine.hpp>
#include <trawl/lexical/detail/lexical_file.hpp>
#include <trawl/lexical/detail/scoring/field_scorer.hpp>
#include <trawl/lexical/detail/search/pattern_terms.hpp>
#include <trawl/lexical/detail/segments/document_chunks.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>
#include <trawl/lexical/detail/segments/segment_merge.hpp>
#include <trawl/lexical/detail/segments/segment_sections.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/query_filter.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct lexical_segments_state {
    std::shared_ptr<lexical_segment_options const> options;
    std::vector<live_lexical_segment> segments;
    index_reader index;
    bm25f_engine engine;
};

/// @throws trawl::error (invalid_argument) if a segment has another number of fields than the
/// dictionary.
TRAWL_INLINE void check_number_of_fields(std::size_t segment, std::size_t dictionary) {
    if (segment == dictionary) return;
    fail(errc::invalid_argument, join("lexical_dictionary: ", segment, " fields for ", dictionary));
}

} // namespace detail

TRAWL_INLINE std::uint64_t analyzer_fingerprint(any_analyzer const& analyzer) {
    detail::analyzer_ref const analyze(analyzer);
    return detail::fingerprint(analyze);
}

TRAWL_INLINE lexical_segment lexical_segment::open(section_file const& file, std::size_t fields,
    doc_id first_id, std::span<doc_id const> ids, std::size_t rows) {
    auto opened = std::make_shared<detail::opened_lexical_segment>();
    opened->file = std::make_shared<section_file const>(file);
    for (std::size_t field = 0; field < fields; ++field) {
        opened->fields.emplace_back(
            opened->file, detail::field_section_prefix(field), first_id, ids, rows);
        if (opened->fields[field].head.whole != opened->fields[0].head.whole)
            file.fail("has all terms of one field and not of another");
    }
    lexical_segment made;
    made.opened_ = std::move(opened);
    return made;
}

TRAWL_INLINE std::size_t lexical_segment::rows() const noexcept {
    return opened_->fields[0].rows->rows();
}

TRAWL_INLINE bool lexical_segment::is_whole() const noexcept {
    return opened_->fields[0].head.whole != 0;
}

TRAWL_INLINE void lexical_segment::verify() const {
    for (std::size_t field = 0; field < opened_->fields.size(); ++field)
        opened_->fields[field].verify(*opened_->file, detail::field_section_prefix(field));
}

TRAWL_INLINE lexical_dictionary::lexical_dictionary(std::size_t fields) {
    for (std::size_t field = 0; field < fields; ++field)
        fields_.push_back(detail::counted_ptr<detail::term_dictionary>::make());
}

TRAWL_INLINE lexical_dictionary::lexical_dictionary(lexical_segment const& whole) {
    if (!whole.is_whole())
        whole.opened_->file->fail("does not hold the terms of its index from the first on");
    for (auto const& field : whole.opened_->fields) {
        fields_.push_back(detail::counted_ptr<detail::term_dictionary>::make(
            field.terms, detail::owner::of(whole.opened_->file)));
    }
}

TRAWL_INLINE void lexical_dictionary::learn(lexical_segment const& segment) {
    auto const& opened = *segment.opened_;
    detail::check_number_of_fields(opened.fields.size(), fields_.size());
    for (std::size_t field = 0; field < fields_.size(); ++field) {
        auto& known = *fields_[field];
        auto const& head = opened.fields[field].head;
        auto const& terms = opened.fields[field].terms;
        if (head.first_term > known.size())
            opened.file->fail("its terms do not follow those of the earlier segments");
        for (std::uint32_t i = 0; i < head.terms; ++i) {
            if (head.first_term + i < known.size()) continue;
            if (known.intern(terms.term(i)) != head.first_term + i)
                opened.file->fail("repeats a term, of its own or of an earlier segment");
        }
    }
}

TRAWL_INLINE std::vector<std::uint32_t> lexical_dictionary::sizes() const {
    std::vector<std::uint32_t> made;
    for (auto const& field : fields_) made.push_back(field->size());
    return made;
}

TRAWL_INLINE void lexical_dictionary::forget(std::span<std::uint32_t const> sizes) noexcept {
    for (std::size_t field = 0; field < fields_.size(); ++field)
        fields_[field]->truncate(sizes[field]);
}

TRAWL_INLINE lexical_segment_builder::lexical_segment_builder()
    : made_(std::make_unique<detail::new_lexical_segment>()) {}
TRAWL_INLINE lexical_segment_builder::lexical_segment_builder(
    lexical_segment_builder&&) noexcept = default;
TRAWL_INLINE lexical_segment_builder& lexical_segment_builder::operator=(
    lexical_segment_builder&&) noexcept = default;
TRAWL_INLINE lexical_segment_builder::~lexical_segment_builder() = default;

TRAWL_INLINE lexical_segment_builder lexical_segment_builder::of_texts(
    lexical_segment_options const& options, lexical_dictionary& dictionary,
    std::span<doc_id const> ids, text_of text, executor const* pool) {
    constexpr std::size_t chunk_rows = 65536; // at most
    auto const fields = options.fields.size();
    auto const threads = pool == nullptr ? 1 : pool->concurrency();
    auto const chunks = ids.empty() ? 0
                                    : (std::max)((ids.size() + chunk_rows - 1) / chunk_rows,
                                        (std::min)(threads, (ids.size() + 1023) / 1024));
    detail::analyzer_ref const analyze(options.analyzer);
    auto const before = dictionary.sizes();
    // The segments of the first field, then those of the second …
    detail::buffer<detail::counted_ptr<detail::segment const>> parts(chunks * fields);
    detail::buffer<detail::document_chunk> made(threads * fields);
    for (std::size_t first = 0; first < chunks; first += threads) {
        auto const together = (std::min)(threads, chunks - first);
        run_tasks(pool, together, [&](std::size_t i) {
            detail::field_document document;
            auto const begin = ids.size() * (first + i) / chunks;
            auto const end = ids.size() * (first + i + 1) / chunks;
            for (std::size_t field = 0; field < fields; ++field) {
                auto& into = made[i * fields + field];
                for (auto row = begin; row < end; ++row) {
                    document.analyze(analyze, text(row, field), options.keep, into.terms);
                    into.documents.add(
                        ids[row], document.length, document.terms, document.positions);
                }
                into.documents.pack();
            }
        });
        for (std::size_t i = 0; i < together; ++i) {
            for (std::size_t field = 0; field < fields; ++field) {
                auto chunk = std::exchange(made[i * fields + field], {});
                auto& terms = *dictionary.fields_[field];
                std::vector<std::uint32_t> term_ids(chunk.terms.size());
                for (std::uint32_t term = 0; term < term_ids.size(); ++term)
                    term_ids[term] = terms.intern(chunk.terms.term(term));
                parts[field * chunks + first + i] = std::move(chunk.documents).take(term_ids);
            }
        }
    }
    lexical_segment_builder built;
    built.made_->positions = options.keep.positions;
    for (std::size_t field = 0; field < fields; ++field) {
        detail::new_field_segment to;
        detail::buffer<detail::segment_merge::input> inputs;
        for (std::size_t i = 0; i < chunks; ++i)
            inputs.push_back({parts[field * chunks + i].get(), nullptr});
        to.rows = chunks == 1 ? parts[field] : detail::segment_merge(inputs).run(pool);
        to.head.first_term = before[field];
        to.head.whole = before[field] == 0 ? 1u : 0u;
        for (auto id = before[field]; id < dictionary.fields_[field]->size(); ++id)
            to.add_term(dictionary.fields_[field]->term(id));
        built.made_->fields.push_back(std::move(to));
    }
    // A field that had no terms is whole only if no field had any.
    auto const whole =
        std::all_of(before.begin(), before.end(), [](std::uint32_t terms) { return terms == 0; });
    for (auto& field : built.made_->fields) {
        field.head.whole = whole ? 1u : 0u;
        field.finish(built.made_->positions);
    }
    return built;
}

namespace detail {

/// The live rows of segments as one, of one field.
[[nodiscard]] TRAWL_INLINE counted_ptr<segment const> merged_field(
    array_ref<segment_merge::input const> inputs, executor const* pool) {
    if (inputs.empty()) {
        return counted_ptr<segment const>::make(row_table(), packed_arrays(), position_arrays());
    }
    return segment_merge(inputs).run(pool);
}

} // namespace detail

TRAWL_INLINE lexical_segment_builder lexical_segment_builder::of_segments(
    lexical_dictionary const& dictionary, std::span<live_lexical_segment const> segments,
    executor const* pool) {
    lexical_segment_builder built;
    for (std::size_t field = 0; field < dictionary.fields_.size(); ++field) {
        auto const& terms = *dictionary.fields_[field];
        detail::new_field_segment to;
        detail::buffer<detail::segment_merge::input> inputs;
        auto const& first = segments.front().segment.opened_->fields[field];
        to.head.first_term = first.head.first_term;
        to.head.whole = first.head.whole;
        auto end = to.head.first_term;
        for (auto const& [segment, live] : segments) {
            auto const& from = segment.opened_->fields[field];
            built.made_->positions = built.made_->positions || from.rows->has_positions();
            inputs.push_back({from.rows.get(), live.get()});
            end = from.head.first_term + from.head.terms;
        }
        // Of these terms alone, which the dictionary has learnt: more may be added meanwhile.
        for (auto id = to.head.first_term; id < end; ++id) to.add_term(terms.term(id));
        to.rows = detail::merged_field(inputs, pool);
        built.made_->fields.push_back(std::move(to));
    }
    for (auto& field : built.made_->fields) field.finish(built.made_->positions);
    return built;
}

TRAWL_INLINE lexical_segment_builder lexical_segment_builder::of_all(
    lexical_dictionary const& dictionary, std::span<live_lexical_segment const> segments,
    executor const* pool) {
    lexical_segment_builder built;
    for (std::size_t field = 0; field < dictionary.fields_.size(); ++field) {
        auto const& terms = *dictionary.fields_[field];
        detail::new_field_segment to;
        detail::buffer<detail::segment_merge::input> inputs;
        for (auto const& [segment, live] : segments) {
            auto const& from = segment.opened_->fields[field];
            built.made_->positions = built.made_->positions || from.rows->has_positions();
            inputs.push_back({from.rows.get(), live.get()});
        }
        auto const merged = detail::merged_field(inputs, pool);
        for (std::size_t i = 0; i < merged->lists().size(); ++i) {
            auto const id = merged->lists().term(i);
            if (id >= terms.size())
                segments.front().segment.opened_->file->fail(
                    "has a posting list for a term that does not exist");
            to.add_term(terms.term(id));
        }
        // The lists keep the order of the old term ids: the new ones are 0, 1, 2, …
        auto all = merged->all();
        all.lists.terms = {};
        to.head.whole = 1;
        to.rows = detail::counted_ptr<detail::segment const>::make(all, detail::owner::of(merged));
        built.made_->fields.push_back(std::move(to));
    }
    for (auto& field : built.made_->fields) field.finish(built.made_->positions);
    return built;
}

TRAWL_INLINE void lexical_segment_builder::add_to(section_writer& writer) const {
    for (std::size_t field = 0; field < made_->fields.size(); ++field) {
        made_->fields[field].add_to(writer, detail::field_section_prefix(field), made_->positions);
    }
}

namespace detail {

/// The segments of a field at one moment.
/// @param before  those of an earlier moment, whose counts of erased documents are taken over; or
/// null.
[[nodiscard]] TRAWL_INLINE counted_ptr<index_snapshot const> snapshot_of_field(
    std::span<opened_field_segment const* const> opened,
    std::span<live_lexical_segment const> given, counted_ptr<term_dictionary> dictionary,
    doc_id next_id, index_snapshot const* before) {
    index_snapshot made;
    buffer<live_segment> segments;
    std::size_t known = 0; // how many segments of the earlier moment have been compared
    for (std::size_t i = 0; i < given.size(); ++i) {
        auto const& rows = opened[i]->rows;
        live_segment next{.rows = rows};
        if (before != nullptr) {
            auto const& earlier = *before->segments;
            for (auto j = known; j < earlier.size(); ++j) {
                if (earlier[j].rows != rows) continue;
                next = earlier[j];
                known = j + 1;
                break;
            }
        }
        if (given[i].live != nullptr) next.keep_only(given[i].live);
        made.live += rows->rows() - next.dead;
        made.total_length += opened[i]->head.total_length;
        if (next.dead > 0) {
            auto const& live = *next.live;
            for (std::uint32_t row = 0; row < rows->rows(); ++row) {
                if (live[row / 64] == ~std::uint64_t{0}) {
                    row |= 63;
                } else if (!next.is_live(row)) {
                    made.total_length -= rows->length(row);
                }
            }
        }
        segments.push_back(std::move(next));
    }
    made.segments = counted_ptr<buffer<live_segment> const>::make(std::move(segments));
    made.next_id = next_id;
    made.slots = dictionary->current_slots();
    made.terms = dictionary->size();
    made.dictionary = std::move(dictionary);
    return counted_ptr<index_snapshot const>::make(std::move(made));
}

} // namespace detail

TRAWL_INLINE lexical_segments::lexical_segments(
    std::shared_ptr<lexical_segment_options const> options, lexical_dictionary const& dictionary,
    std::vector<live_lexical_segment> segments, doc_id next_id, lexical_segments const* before) {
    detail::buffer<detail::counted_ptr<detail::index_snapshot const>> fields;
    for (std::size_t field = 0; field < options->fields.size(); ++field) {
        std::vector<detail::opened_field_segment const*> opened;
        for (auto const& each : segments) opened.push_back(&each.segment.opened_->fields[field]);
        fields.push_back(detail::snapshot_of_field(opened, segments, dictionary.fields_[field],
            next_id, before == nullptr ? nullptr : (*before->state_->index)[field].get()));
    }
    auto index = detail::
        counted_ptr<detail::buffer<detail::counted_ptr<detail::index_snapshot const>> const>::make(
            std::move(fields));
    detail::bm25f_engine engine(
        detail::lexical_engine(options->fields, options->parameters, options->keep, index));
    state_ = std::make_shared<detail::lexical_segments_state const>(detail::lexical_segments_state{
        std::move(options), std::move(segments), std::move(index), std::move(engine)});
}

TRAWL_INLINE std::span<bm25_field const> lexical_segments::fields() const noexcept {
    return state_->options->fields;
}
TRAWL_INLINE any_analyzer const& lexical_segments::analyzer() const noexcept {
    return state_->options->analyzer;
}
TRAWL_INLINE std::size_t lexical_segments::size() const { return state_->engine.size(); }
TRAWL_INLINE doc_id lexical_segments::next_id() const { return state_->engine.next_id(); }
TRAWL_INLINE bool lexical_segments::contains(doc_id id) const {
    return state_->engine.contains(id);
}

TRAWL_INLINE lexical_query lexical_segments::parsed(std::string_view text, syntax_mode mode) const {
    return parse_query(text, fields(), mode);
}

TRAWL_INLINE ranking lexical_segments::search(query const& q, search_options const& options) const {
    if (q.terms.empty()) return search_tree(parsed(q.text), options);
    detail::analyzer_ref const analyze(analyzer());
    return state_->engine.search(analyze, q, options);
}

TRAWL_INLINE std::vector<hit> lexical_segments::score(
    query const& q, std::span<doc_id const> ids, search_options const& options) const {
    if (q.terms.empty() && !q.text.empty()) return score_tree(parsed(q.text), ids, options);
    detail::analyzer_ref const analyze(analyzer());
    return state_->engine.score(analyze, q, ids, options);
}

TRAWL_INLINE explanation lexical_segments::explain(
    query const& q, doc_id id, search_options const& options) const {
    if (q.terms.empty()) return explain_tree(parsed(q.text), id, options);
    detail::analyzer_ref const analyze(analyzer());
    return state_->engine.explain(analyze, q, id, options);
}

TRAWL_INLINE std::optional<doc_set> lexical_segments::conditions(
    query const& q, std::size_t universe) const {
    if (!q.terms.empty() || q.text.empty()) return std::nullopt;
    return condition_filter(*this, parsed(q.text), universe);
}

TRAWL_INLINE ranking lexical_segments::search_tree(
    lexical_query const& q, search_options const& options) const {
    detail::analyzer_ref const analyze(analyzer());
    return state_->engine.search(analyze, q, options);
}

TRAWL_INLINE std::vector<hit> lexical_segments::score_tree(
    lexical_query const& q, std::span<doc_id const> ids, search_options const& options) const {
    detail::analyzer_ref const analyze(analyzer());
    return state_->engine.score(analyze, q, ids, options);
}

TRAWL_INLINE explanation lexical_segments::explain_tree(
    lexical_query const& q, doc_id id, search_options const& options) const {
    detail::analyzer_ref const analyze(analyzer());
    return state_->engine.explain(analyze, q, id, options);
}

TRAWL_INLINE std::optional<doc_set> lexical_segments::matching(lexical_query const& q) const {
    detail::analyzer_ref const analyze(analyzer());
    return state_->engine.matching(analyze, q);
}

namespace detail {

/// Counts the documents inside a filter that contain a term: a scorer without a query.
struct term_counts {
    search_options options;
    field_scorer scorer;

    term_counts(lexical_segments_state const& state, filter where)
        : options{.where = std::move(where), .statistics = statistics::eligible},
          scorer(state.index, state.options->fields, state.options->parameters, {}, options) {}
    term_counts(term_counts const&) = delete;

    [[nodiscard]] std::uint64_t df(std::string_view term) const {
        std::vector<term_id> ids;
        for (std::size_t field = 0; field < scorer.fields(); ++field)
            ids.push_back(scorer.index(field).find(term).value_or(no_term));
        return scorer.df(ids);
    }
};

} // namespace detail

TRAWL_INLINE std::vector<counted_term> lexical_segments::completions(
    std::string_view prefix, std::size_t n, filter where) const {
    // Of several words, the last one is the prefix; it is folded as words are.
    std::string folded;
    analyzer().analyze_surface(prefix, [&](surface_token const& t) {
        folded.assign(t.surface.empty() ? t.indexed.term : t.surface);
    });
    std::vector<counted_term> made;
    if (folded.empty() || n == 0) return made;
    detail::term_counts const counts(*state_, std::move(where));
    detail::pattern_terms<detail::field_scorer> patterns(counts.scorer);
    patterns.add({.text = folded, .limited = false});
    auto const found = patterns.match([] { return false; });
    for (auto const& match : found.front().terms) {
        if (match.sixths <= 0) continue;
        auto const entry = detail::surface_entry_of(match.term);
        made.push_back({std::string(entry ? entry->surface : match.term), match.df});
    }
    std::sort(made.begin(), made.end(), [](counted_term const& a, counted_term const& b) {
        return a.documents != b.documents ? a.documents > b.documents : a.term < b.term;
    });
    std::vector<counted_term> best;
    for (auto& each : made) {
        if (best.size() == n) break;
        bool const known = std::any_of(
            best.begin(), best.end(), [&](counted_term const& b) { return b.term == each.term; });
        if (!known) best.push_back(std::move(each));
    }
    return best;
}

TRAWL_INLINE std::optional<std::string> lexical_segments::corrected(
    std::string_view text, filter where) const {
    struct unknown_word {
        std::size_t begin, end;
        std::string term;
    };
    detail::term_counts const counts(*state_, std::move(where));
    std::vector<unknown_word> unknown;
    std::size_t covered = 0; // bytes of the text before this are of known words
    analyzer().analyze(text, [&](token const& t) {
        if (t.begin < covered) return;
        if (counts.df(t.term) > 0) {
            covered = t.end;
            while (!unknown.empty() && unknown.back().begin >= t.begin) unknown.pop_back();
        } else if (unknown.empty() || unknown.back().end <= t.begin) {
            unknown.push_back({t.begin, t.end, std::string(t.term)});
        }
    });
    detail::pattern_terms<detail::field_scorer> patterns(counts.scorer);
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < unknown.size(); ++i) {
        auto const& term = unknown[i].term;
        auto const letters = std::count_if(term.begin(), term.end(),
            [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; });
        if (letters < 3) continue;
        patterns.add({.text = term, .edits = letters < 6 ? 1u : 2u});
        asked.push_back(i);
    }
    if (asked.empty()) return std::nullopt;
    auto const found = patterns.match([] { return false; });
    std::string made(text);
    bool any = false;
    for (auto i = asked.size(); i-- > 0;) {
        if (found[i].terms.empty()) continue;
        auto const& word = unknown[asked[i]];
        made.replace(word.begin, word.end - word.begin, found[i].terms.front().term);
        any = true;
    }
    return any ? std::optional(std::move(made)) : std::nullopt;
}

TRAWL_END_NAMESPACE
