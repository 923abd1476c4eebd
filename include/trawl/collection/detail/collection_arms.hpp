// SPDX-License-Identifier: MIT
#pragma once

/// The arms of a collection: its words and its vectors, restricted to a view.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/flat_segments.hpp>
#include <trawl/embed/any_embedder.hpp>
#include <trawl/lexical/lexical_segments.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The documents that a view admits; null: all.
using view_filter = std::shared_ptr<doc_set const>;

/// The options with a filter that no caller can widen.
[[nodiscard]] inline search_options inside(search_options options, view_filter const& view) {
    if (view == nullptr) return options;
    if (auto const* const set = options.where.set()) {
        options.where = *set & *view;
    } else {
        options.where = *view;
    }
    options.statistics = statistics::eligible;
    return options;
}

/// The lexical arm.
class words_arm {
public:
    words_arm(lexical_segments index, syntax_mode syntax, view_filter view)
        : index_(std::move(index)), syntax_(syntax), view_(std::move(view)) {}

    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        auto const within = inside(options, view_);
        return q.terms.empty() ? index_.search(index_.parsed(q.text, syntax_), within)
                               : index_.search(q, within);
    }
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options) const {
        auto const within = inside(options, view_);
        if (!q.terms.empty() || q.text.empty()) return index_.score(q, ids, within);
        return index_.score(index_.parsed(q.text, syntax_), ids, within);
    }
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options) const {
        auto const within = inside(options, view_);
        return q.terms.empty() ? index_.explain(index_.parsed(q.text, syntax_), id, within)
                               : index_.explain(q, id, within);
    }
    [[nodiscard]] std::optional<doc_set> conditions(query const& q, std::size_t universe) const {
        if (!q.terms.empty() || q.text.empty()) return std::nullopt;
        return condition_filter(index_, index_.parsed(q.text, syntax_), universe);
    }
    [[nodiscard]] doc_id next_id() const { return index_.next_id(); }

private:
    lexical_segments index_;
    syntax_mode syntax_;
    view_filter view_;
};

/// The arm of a vector space. Its query is the vector that it holds, or else that of each search.
class vectors_arm {
public:
    vectors_arm(flat_segments index, std::vector<float> vector, view_filter view)
        : index_(std::move(index)), vector_(std::move(vector)), view_(std::move(view)) {}

    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        return index_.search(own(q), inside(options, view_));
    }
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options) const {
        return index_.score(own(q), ids, inside(options, view_));
    }
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options) const {
        return index_.explain(own(q), id, inside(options, view_));
    }
    [[nodiscard]] std::vector<std::string> warnings(query const& q) const {
        return index_.warnings(own(q));
    }
    [[nodiscard]] doc_id next_id() const { return index_.next_id(); }
    [[nodiscard]] std::size_t dim() const noexcept { return index_.dim(); }

private:
    [[nodiscard]] query own(query q) const noexcept {
        if (!vector_.empty()) q.vector = vector_;
        return q;
    }

    flat_segments index_;
    std::vector<float> vector_;
    view_filter view_;
};

} // namespace detail
TRAWL_END_NAMESPACE
