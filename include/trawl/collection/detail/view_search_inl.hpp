// SPDX-License-Identifier: MIT
#pragma once

/// How a collection is searched: collection_view::search and explain.

#include <trawl/collection/view.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/collection_arms.hpp>
#include <trawl/collection/detail/collection_engine.hpp>
#include <trawl/collection/detail/matched_documents.hpp>
#include <trawl/collection/detail/state.hpp>
#include <trawl/collection/detail/view_filter.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/lexical/highlight.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/pipeline/make_pipeline.hpp>
#include <trawl/rerank/group_by_parent.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The words that a query looks for, without its signs and without what it excludes: what an embedder
/// sees.
TRAWL_INLINE void append_words(lexical_query const& q, std::string& to) {
    if (!q.text.empty()) {
        if (!to.empty()) to.push_back(' ');
        to.append(q.text);
    }
    for (auto const* const children : {&q.must, &q.should})
        for (auto const& child : *children) append_words(child, to);
}

} // namespace detail

/// One search of a collection, prepared: its filter, its arms and its pipeline.
struct collection_view::searched {
    std::shared_ptr<detail::collection_state const> now;
    collection_search_options const& asked;
    std::string text;
    lexical_query tree;
    detail::view_filter inside = {}; ///< the view and `where`; null: everything
    search_options options = {};
    std::vector<std::pair<std::string, any_retriever>> arms = {};

    searched(std::shared_ptr<detail::collection_state const> state, std::string_view query_text,
        collection_search_options const& given, condition const& view)
        : now(std::move(state)), asked(given), text(query_text) {
        auto const& schema = *now->schema;
        if (!detail::is_everything(given.where)) validate(given.where, schema.fields);
        auto const restricted = !detail::is_everything(view);
        auto const where = !restricted                          ? given.where
                           : detail::is_everything(given.where) ? view
                                                                : view && given.where;
        inside = detail::filter_of(*now, where);
        tree = now->lexical.parsed(text, given.syntax);
        options.k = given.k;
        options.where = detail::as_filter(inside);
        options.statistics = given.statistics;
        options.stop = given.stop;
        options.stop_context = given.stop_context;
        options.executor = given.executor;
        // A view's words count inside the view, whatever the query's filter is.
        auto const of_view = restricted ? detail::filter_of(*now, view) : nullptr;
        if (!text.empty()) {
            arms.emplace_back(
                "words", any_retriever(detail::words_arm(now->lexical, given.syntax, of_view)));
        }
        add_vectors(of_view);
    }
    searched(searched const&) = delete;

    [[nodiscard]] query asked_query() const { return {.text = text}; }

    [[nodiscard]] any_pipeline pipeline() const {
        std::vector<any_retriever> retrievers;
        std::vector<double> weights;
        for (auto const& [name, arm] : arms) {
            retrievers.push_back(arm);
            if (!asked.weights.empty()) weights.push_back(weight_of(name));
        }
        std::vector<any_stage> stages;
        if (asked.per_parent > 0) {
            stages.emplace_back(group_by_parent(
                [state = now](doc_id id) -> std::string_view {
                    auto const at = state->locate(id);
                    return at ? state->segments[at->segment]->parent_of(at->row)
                              : std::string_view();
                },
                asked.per_parent));
        }
        auto window = asked.window;
        if (arms.size() == 1) { // its ranking, with its scores, as far as it is wanted
            window = (std::max)(window, asked.k);
            return make_pipeline(std::move(retrievers), weighted_sum{.norm = normaliser::none},
                {.window = window}, std::move(stages));
        }
        if (asked.fusion == collection_fusion::rrf) {
            return make_pipeline(std::move(retrievers), rrf{.weights = std::move(weights)},
                {.window = window}, std::move(stages));
        }
        return make_pipeline(std::move(retrievers), weighted_sum{.weights = std::move(weights)},
            {.window = window, .complete = true}, std::move(stages));
    }

    /// A hit without its score.
    [[nodiscard]] collection_hit described(doc_id id) const {
        collection_hit made{.id = id};
        auto const at = now->locate(id);
        if (!at) return made;
        auto const& segment = *now->segments[at->segment];
        auto const& documents = segment.documents;
        auto const number = documents.document_of(at->row);
        auto const title = now->schema->text_number("title");
        made.key = documents.passage_key(at->row);
        made.document = documents.key(number);
        made.parent = segment.parent_of(at->row);
        if (title < now->schema->texts()) made.title = documents.text(number, title);
        made.text = documents.passage(at->row);
        made.snippet =
            highlight(made.text, tree, now->lexical.analyzer(), asked.highlight, "text").text;
        made.metadata = segment.metadata.values(at->row);
        return made;
    }

    /// Describes hits, with their scores in each arm.
    [[nodiscard]] std::vector<collection_hit> described(ranking const& hits) const {
        std::vector<collection_hit> made;
        std::vector<doc_id> ids;
        for (auto const& h : hits) {
            made.push_back(described(h.id));
            made.back().score = h.score;
            ids.push_back(h.id);
        }
        for (auto const& [name, arm] : arms) {
            auto const scored = arm.score(asked_query(), ids, options);
            std::size_t next = 0;
            for (auto& hit : made) {
                arm_score of{name, {}};
                if (next < scored.size() && scored[next].id == hit.id)
                    of.score = scored[next++].score;
                hit.arms.push_back(std::move(of));
            }
        }
        return made;
    }

private:
    [[nodiscard]] double weight_of(std::string_view arm) const {
        auto const& spaces = now->schema->spaces;
        if (asked.weights.size() != spaces.size() + 1) {
            detail::fail(errc::weight_count,
                detail::join("collection: ", asked.weights.size(), " weights for ",
                    spaces.size() + 1, " arms: the words and the vector spaces"));
        }
        if (arm == "words") return asked.weights[0];
        return asked.weights[1 + now->schema->space_number(arm)];
    }

    void add_vectors(detail::view_filter const& of_view) {
        auto const& spaces = now->schema->spaces;
        if (!asked.vector.empty() && spaces.empty()) {
            detail::fail(errc::invalid_argument,
                "collection: a vector is given, but the collection has no vector space");
        }
        for (auto const& [name, values] : asked.vectors)
            static_cast<void>(now->schema->space_number(name));
        std::string words;
        if (!text.empty()) detail::append_words(tree, words);
        for (std::size_t space = 0; space < spaces.size(); ++space) {
            std::vector<float> vector;
            if (space == 0) vector.assign(asked.vector.begin(), asked.vector.end());
            for (auto const& [name, values] : asked.vectors)
                if (name == spaces[space].name) vector = values;
            if (vector.empty() && spaces[space].embedder && !words.empty()) {
                vector.resize(spaces[space].dim);
                std::string_view const view = words;
                spaces[space].embedder.embed(std::span(&view, 1), text_role::query,
                    matrix_view<float>{vector.data(), 1, vector.size()});
            }
            if (vector.empty()) continue;
            arms.emplace_back(spaces[space].name,
                any_retriever(detail::vectors_arm(
                    asked.exact ? now->vectors[space].exact() : now->vectors[space],
                    std::move(vector), of_view)));
        }
    }
};

TRAWL_INLINE collection_result collection_view::search(
    std::string_view text, collection_search_options const& asked) const {
    searched const search(state(), text, asked, where_);
    auto const& now = *search.now;
    collection_result made;
    std::optional<detail::matched_documents> matched;
    if (asked.count || asked.sort || !asked.facets.empty()) {
        matched.emplace(now, search.inside.get(),
            search.text.empty() ? std::nullopt : now.lexical.matching(search.tree));
    }
    if (asked.sort || search.arms.empty()) {
        ranking page;
        if (!matched) matched.emplace(now, search.inside.get(), std::nullopt);
        made.cursor = matched->page(asked, page);
        made.hits = search.described(page);
    } else {
        cursor pages;
        if (asked.cursor.empty()) {
            pages = search.pipeline().pages(search.asked_query(), search.options);
        } else {
            pages = cursor::parse(asked.cursor);
        }
        // Documents that are gone since, or outside the filter, are skipped.
        auto const admitted = search.inside != nullptr ? search.inside : now.live;
        auto const page = pages.next(asked.k, *admitted);
        made.hits = search.described(page);
        if (!pages.at_end()) made.cursor = pages.to_text();
        made.partial = search.options.stopped();
    }
    if (asked.count) made.matches = matched->count();
    for (auto const& field : asked.facets)
        made.facets.push_back(matched->facet_of(field, asked.facet_values));
    if (asked.suggest) {
        auto const view = detail::filter_of(now, where_);
        made.did_you_mean = now.lexical.corrected(text, detail::as_filter(view));
    }
    return made;
}

TRAWL_INLINE std::vector<collection_hit> collection_view::hits(std::span<hit const> found,
    std::string_view text, collection_search_options const& asked) const {
    searched const search(state(), text, asked, where_);
    auto const view = detail::filter_of(*search.now, where_);
    ranking inside;
    for (auto const& each : found)
        if (detail::visible(*search.now, view, each.id)) inside.push_back(each);
    return search.described(inside);
}

TRAWL_INLINE explanation collection_view::explain(
    std::string_view text, std::string_view key, collection_search_options const& asked) const {
    searched const search(state(), text, asked, where_);
    auto const& now = *search.now;
    auto const view = detail::filter_of(now, where_);
    auto at = now.find(key);
    if (auto const mark = key.rfind('#'); !at && mark != key.npos) {
        std::uint32_t number = 0;
        auto const* const end = key.data() + key.size();
        auto const read = std::from_chars(key.data() + mark + 1, end, number);
        at = now.find(key.substr(0, mark));
        if (at) {
            auto const& documents = now.segments[at->segment]->documents;
            auto const [first, last] = documents.rows_of(documents.document_of(at->row));
            if (read.ptr != end || number == 0 || number > last - first)
                at.reset();
            else
                at->row = first + number - 1;
        }
    }
    auto const id = at ? now.segments[at->segment]->id(at->row) : no_doc;
    if (!at || (view != nullptr && !view->contains(id)))
        return no_match(detail::join("no match: there is no passage ", key));
    if (search.arms.empty()) return no_match("no match: the query is empty");
    return search.pipeline().explain(search.asked_query(), id, search.options);
}

TRAWL_END_NAMESPACE
