// SPDX-License-Identifier: MIT
#pragma once

/// A query to a collection, as `trawl query` asks it.

#include <string>

#include <trawl/collection/collection.hpp>

#include "models.hpp"
#include "options.hpp"

namespace cli {

class collection_query {
public:
    /// @throws trawl::error (io, corrupt; parse for the condition).
    collection_query(std::string const& path, query_command const& command);

    /// Prints the hits for a query.
    void answer(std::string const& text) const;

private:
    struct found;
    [[nodiscard]] found plain(std::string const& text) const;
    [[nodiscard]] found staged(std::string const& text) const;

    trawl::collection documents_;
    retrieval_options retrieval_;
    trawl::collection_search_options options_;
    candidate_scorer reranker_; ///< none but for --rerank
    bool explain_;
    bool staged_; ///< a pipeline of the command line's rule and stages, not the collection's own
};

} // namespace cli
