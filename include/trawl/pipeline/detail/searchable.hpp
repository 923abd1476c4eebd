// SPDX-License-Identifier: MIT
#pragma once

/// What every pipeline can be asked, however it was put together.

#include <cstddef>
#include <optional>
#include <utility>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/pipeline/cursor.hpp>
#include <trawl/pipeline/detail/engine.hpp>
#include <trawl/pipeline/report.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// @tparam Parts  What the pipeline holds. parts.refs().view() is a pipeline_view over it.
template <class Parts>
class searchable {
public:
    explicit searchable(Parts parts) : parts_(std::move(parts)) {}

    /// The best k documents inside the filter. Arms run side by side on options.executor, with the
    /// same result.
    /// @throws trawl::error (model) naming the arm or stage that breaks its contract; what arms,
    /// models and sources throw.
    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const {
        return page(q, 0, options);
    }

    /// Short for search.
    [[nodiscard]] ranking operator()(
        query const& q, std::size_t k = 10, filter const& where = {}) const {
        return search(q, {.k = k, .where = where});
    }

    /// At most options.k hits, from the hit number `offset` on, counted from 0. Pages of one query
    /// neither overlap nor leave a gap while the indexes do not change; see pages() for when they
    /// do.
    [[nodiscard]] ranking page(
        query const& q, std::size_t offset, search_options const& options) const {
        return page_of(parts_.refs().view(), q, offset, options);
    }

    /// The whole result, whatever options.k is, to be taken page by page.
    [[nodiscard]] cursor pages(query const& q, search_options const& options = {}) const {
        return pages_of(parts_.refs().view(), q, options);
    }

    /// The same ranking as search, with what each step did, which arms failed, and whether the
    /// search was cut short or the windows are too small for k.
    [[nodiscard]] search_report report(query const& q, search_options const& options = {}) const {
        return report_of(parts_.refs().view(), q, options);
    }

    /// Why a document has its score. The value has the bits of the score that search gives it,
    /// whatever k is; the children lead back through the stages and the fusion to the arms. For a
    /// document that is not in the result, a leaf of value 0 says where it was lost. Runs the search
    /// once.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return explanation_of(parts_.refs().view(), q, id, options);
    }

    /// What meets the conditions that the arms read out of a query, see conditional_retriever: so
    /// that they also bind the arms beside a pipeline that is an arm of another. They are read from
    /// the query as given, before this pipeline rewrites it.
    [[nodiscard]] std::optional<doc_set> conditions(query const& q, std::size_t universe) const {
        return pipeline_conditions(parts_.refs().view(), q, universe);
    }

    /// The largest next_id of the arms; 0 if none has one.
    [[nodiscard]] doc_id next_id() const { return next_id_of(parts_.refs().view()); }

protected:
    Parts parts_;
};

} // namespace detail
TRAWL_END_NAMESPACE
