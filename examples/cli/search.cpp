// SPDX-License-Identifier: MIT

/// trawl search: many questions, one run file.

#include <trawl/io/trec.hpp>

#include "engine.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace cli {

void run(search_command const& command) {
    auto const queries = trawl::read_queries(command.queries);
    engine const documents(command.retrieval);
    auto const vectors = documents.query_vectors(queries.texts, command.query_vectors);
    auto const key_of = [&](trawl::doc_id id) { return documents.corpus().keys.key(id); };

    std::string out;
    progress bar("searching", queries.size());
    for (trawl::doc_id i = 0; i < queries.size(); ++i) {
        trawl::query q{.text = queries.texts[i]};
        if (!vectors.values.empty()) q.vector = vectors.view().row(i);
        trawl::append_run(out, queries.keys.key(i), documents.search(q, command.k), key_of);
        bar.step();
    }
    write_result(command.out, out);
}

} // namespace cli
