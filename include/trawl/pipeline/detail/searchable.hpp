// SPDX-License-Identifier: MIT
#pragma once

/// What every pipeline can be asked, however it was put together.

#include <cstddef>
#include <utility>

#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/pipeline/cursor.hpp>
#include <trawl/pipeline/detail/engine.hpp>
#include <trawl/pipeline/report.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// @tparam Engine  search_engine.
template <class Engine>
class searchable {
public:
    explicit searchable(Engine engine) : engine_(std::move(engine)) {}

    /// The best k documents, none outside the filter. Arms run on options.executor at once, with
    /// the same result.
    /// @throws trawl::error (model) naming the arm or stage that breaks its contract; what arms,
    /// models and sources throw.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        return page(q, 0, options);
    }

    /// Sugar for search.
    [[nodiscard]] ranking operator()(query const& q, std::size_t k = 10, filter where = {}) const {
        return search(q, {.k = k, .where = where});
    }

    /// The hits from `offset`, counted from 0, on: at most options.k. Pages of one question never
    /// overlap or leave a gap while the indexes stay as they are; see pages() for when they do not.
    [[nodiscard]] ranking page(
        query const& q, std::size_t offset, search_options const& options) const {
        search_log log;
        return slice(engine_.run(q, options, log), offset, options.k);
    }

    /// The whole result, whatever options.k, to be taken page by page.
    [[nodiscard]] cursor pages(query const& q, search_options const& options = {}) const {
        search_log log;
        return cursor(engine_.run(q, options, log));
    }

    /// The same ranking as search, with what each step did, which arms failed and whether the
    /// search was cut short.
    [[nodiscard]] search_report report(query const& q, search_options const& options = {}) const {
        search_log log;
        log.level = log_level::trace;
        auto hits = slice(engine_.run(q, options, log), 0, options.k);
        return {std::move(hits), std::move(log.trace), std::move(log.failures), log.partial};
    }

    /// Why a document has its score: the value is the score that search gives it, to the bit,
    /// whatever k; the parts lead back through the stages and the fusion to the arms. For a
    /// document that does not come out, a leaf of value 0 says where it was lost. Runs the search
    /// once.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return engine_.explain(q, id, options);
    }

protected:
    Engine engine_;
};

} // namespace detail
TRAWL_END_NAMESPACE
