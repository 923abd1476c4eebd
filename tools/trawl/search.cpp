// SPDX-License-Identifier: MIT

/// trawl search: many queries, one run file.

#include <algorithm>
#include <cstddef>
#include <string>

#include <trawl/formats/json.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/storage/file.hpp>

#include "corpus_metadata.hpp"
#include "engine.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace cli {

void run(search_command const& command) {
    auto const queries = trawl::read_queries(command.queries);
    engine const documents(command.retrieval);
    eligibility const eligible(command.retrieval.corpus, command.retrieval.where, command.queries);
    auto const vectors = documents.query_vectors(queries.texts, command.query_vectors);
    auto const key_of = [&](trawl::doc_id id) { return documents.corpus().keys.key(id); };

    std::string out;
    std::string explanations;
    progress bar("searching", queries.size());
    for (trawl::doc_id i = 0; i < queries.size(); ++i) {
        trawl::query q{.text = queries.texts[i]};
        if (!vectors.values.empty()) q.vector = vectors.view().row(i);
        trawl::search_options const options{.k = command.k, .where = eligible.of_query(i)};
        auto const hits = documents.search(q, options);
        trawl::append_run(out, queries.keys.key(i), hits, key_of);
        auto const explained =
            command.explanations.empty() ? 0 : (std::min)(command.explained, hits.size());
        for (std::size_t h = 0; h < explained; ++h) {
            nlohmann::ordered_json line{{"query", std::string(queries.keys.key(i))},
                {"document", std::string(key_of(hits[h].id))}};
            line["explanation"] = documents.explain(q, hits[h].id, options);
            explanations += line.dump() + "\n";
        }
        bar.step();
    }
    if (!command.explanations.empty()) trawl::write_file(command.explanations, explanations);
    write_result(command.out, out);
}

} // namespace cli
