// SPDX-License-Identifier: MIT
#pragma once

/// Searches for pieces that were cut out of a corpus' documents: what tune --without-judgements
/// measures.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <trawl/eval/pseudo_queries.hpp>
#include <trawl/formats/beir.hpp>

#include "options.hpp"
#include "workbench.hpp"

namespace cli {

/// A corpus with fewer documents than wanted queries gives several queries a document, one a round;
/// each round has its own indexes of what is left of the documents.
class pseudo_rounds {
public:
    /// @throws trawl::error (invalid_argument) if nothing can be cut out.
    explicit pseudo_rounds(tune_command const& command);

    /// As the options have it.
    [[nodiscard]] settings usual() const { return rounds_.front()->usual(); }

    /// The measure of each query: those of the rounds, then the judged ones.
    [[nodiscard]] std::vector<double> values(settings const& s);

    /// Where each query comes from: "passage", "title", … or "judged".
    [[nodiscard]] std::vector<std::string> const& sources() const noexcept { return sources_; }

private:
    void add_round(trawl::beir_corpus const& corpus, trawl::pseudo_query_options const& how);

    tune_command const& command_;
    std::vector<std::unique_ptr<workbench>> rounds_;
    std::unique_ptr<workbench> judged_; ///< null: there are no judgements
    std::vector<std::string> sources_;
};

} // namespace cli
