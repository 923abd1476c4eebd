// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of view.hpp but for search and explain, which view_search_inl.hpp has.

#include <trawl/collection/view.hpp>

#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/collection_arms.hpp>
#include <trawl/collection/detail/collection_engine.hpp>
#include <trawl/collection/detail/state.hpp>
#include <trawl/collection/detail/view_filter.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE std::shared_ptr<detail::collection_state const> collection_view::state() const {
    return pinned_ != nullptr ? pinned_ : engine_->state();
}

TRAWL_INLINE std::optional<document> collection_view::get(std::string_view key) const {
    auto const now = state();
    auto const at = now->find(key);
    auto const view = at ? detail::filter_of(*now, where_) : nullptr;
    if (!at || (view != nullptr && !view->contains(now->segments[at->segment]->id(at->row))))
        return std::nullopt;
    return now->document_at(*at);
}

TRAWL_INLINE std::size_t collection_view::size() const {
    auto const now = state();
    if (detail::is_everything(where_)) return now->documents;
    std::size_t count = 0;
    for_each_key([&](std::string_view) { return ++count > 0; });
    return count;
}

TRAWL_INLINE std::size_t collection_view::passages() const {
    auto const now = state();
    auto const view = detail::filter_of(*now, where_);
    return view == nullptr ? now->passages : view->count();
}

TRAWL_INLINE void collection_view::for_each_key(function_ref<bool(std::string_view)> visit) const {
    auto const now = state();
    auto const view = detail::filter_of(*now, where_);
    for (std::size_t i = 0; i < now->segments.size(); ++i) {
        auto const& segment = *now->segments[i];
        for (std::size_t d = 0; d < segment.documents.documents(); ++d) {
            auto const [first, last] = segment.documents.rows_of(d);
            if (first == last || !now->is_live({i, first})) continue;
            if (view != nullptr && !view->contains(segment.id(first))) continue;
            if (!visit(segment.documents.key(d))) return;
        }
    }
}

TRAWL_INLINE std::vector<counted_term> collection_view::completions(
    std::string_view prefix, std::size_t n) const {
    auto const now = state();
    auto const view = detail::filter_of(*now, where_);
    return now->lexical.completions(prefix, n, detail::as_filter(view));
}

TRAWL_INLINE std::optional<std::string> collection_view::corrected(std::string_view text) const {
    auto const now = state();
    auto const view = detail::filter_of(*now, where_);
    return now->lexical.corrected(text, detail::as_filter(view));
}

TRAWL_INLINE collection_view collection_view::snapshot() const {
    auto made = *this;
    made.pinned_ = state();
    made.engine_ = nullptr; // a snapshot keeps no lock
    return made;
}

TRAWL_INLINE collection_view collection_view::view(condition where) const {
    validate(where, state()->schema->fields);
    auto made = *this;
    made.where_ = detail::is_everything(where_)  ? std::move(where)
                  : detail::is_everything(where) ? where_
                                                 : where_ && where;
    return made;
}

TRAWL_INLINE any_retriever collection_view::words() const {
    auto const now = state();
    return any_retriever(
        detail::words_arm(now->lexical, syntax_mode::lenient, detail::filter_of(*now, where_)));
}

TRAWL_INLINE any_retriever collection_view::vectors(std::string_view space) const {
    auto const now = state();
    auto const number =
        space.empty() && !now->schema->spaces.empty() ? 0 : now->schema->space_number(space);
    return any_retriever(
        detail::vectors_arm(now->vectors[number], {}, detail::filter_of(*now, where_)));
}

TRAWL_INLINE std::size_t collection_vectors::dim() const noexcept {
    return state_->vectors[space_].dim();
}

TRAWL_INLINE bool collection_vectors::copy_vector(doc_id passage, std::span<float> out) const {
    auto const id = inside_ == nullptr || inside_->contains(passage) ? passage : no_doc;
    return state_->vectors[space_].copy_vector(id, out);
}

TRAWL_INLINE collection_vectors collection_view::stored_vectors(std::string_view space) const {
    auto now = state();
    auto const number =
        space.empty() && !now->schema->spaces.empty() ? 0 : now->schema->space_number(space);
    auto view = detail::filter_of(*now, where_);
    return {std::move(now), number, std::move(view)};
}

TRAWL_INLINE doc_set collection_view::matching(condition const& where) const {
    auto const now = state();
    auto made = now->matching(where);
    if (auto const view = detail::filter_of(*now, where_)) made &= *view;
    return made;
}

TRAWL_INLINE std::string collection_view::text(doc_id passage) const {
    auto const now = state();
    auto const at = detail::visible(*now, detail::filter_of(*now, where_), passage);
    return at ? std::string(now->segments[at->segment]->documents.passage(at->row)) : std::string();
}

TRAWL_INLINE std::string collection_view::key(doc_id passage) const {
    auto const now = state();
    auto const at = detail::visible(*now, detail::filter_of(*now, where_), passage);
    return at ? now->segments[at->segment]->documents.passage_key(at->row) : std::string();
}

TRAWL_INLINE std::string collection_view::parent(doc_id passage) const {
    auto const now = state();
    auto const at = detail::visible(*now, detail::filter_of(*now, where_), passage);
    return at ? std::string(now->segments[at->segment]->parent_of(at->row)) : std::string();
}

TRAWL_INLINE std::vector<metadata_field> collection_view::fields() const {
    return state()->schema->fields;
}

TRAWL_INLINE collection_options collection_view::options() const {
    auto const now = state();
    auto const& lexical = *now->schema->lexical;
    collection_options out{.fields = now->schema->fields,
        .texts = lexical.fields,
        .analyzer = lexical.analyzer,
        .parameters = lexical.parameters,
        .positions = lexical.keep.positions,
        .surfaces = lexical.keep.surfaces,
        .chunks = now->schema->chunks};
    for (auto const& space : now->schema->spaces)
        out.vectors.push_back({space.name, space.dim, space.metric, space.embedder});
    return out;
}

TRAWL_END_NAMESPACE
