// SPDX-License-Identifier: MIT

/// trawl embed: the vectors of a corpus or of queries, as npy.

#include <string>
#include <vector>

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
    std::vector<std::string> texts;
    for (trawl::doc_id id = 0; id < corpus.size(); ++id) texts.push_back(corpus.searched(id));
    trawl::write_npy(command.out, embedded(model, texts, trawl::text_role::passage).view());
}

} // namespace cli
