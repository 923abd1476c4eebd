// SPDX-License-Identifier: MIT

/// trawl embed: the vectors of a corpus or of queries, as npy.

#include <trawl/formats/beir.hpp>
#include <trawl/formats/npy.hpp>

#include "models.hpp"
#include "options.hpp"

namespace cli {

void run(embed_command const& command) {
    auto const model = open_embedder(command.model);
    if (!command.queries.empty()) {
        auto const queries = trawl::read_queries(command.queries);
        auto const vectors = embedded(model, queries.texts, trawl::text_role::query);
        return trawl::write_npy(command.out, vectors.view());
    }
    auto const corpus = trawl::read_corpus(command.corpus);
    auto const vectors = embedded(model, searched_texts(corpus), trawl::text_role::passage);
    trawl::write_npy(command.out, vectors.view());
}

} // namespace cli
