// SPDX-License-Identifier: MIT
#pragma once

/// A corpus, its judged queries, and searches over it with many settings: what tune and ablate
/// measure.

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/core/words.hpp>
#include <trawl/eval/measure.hpp>
#include <trawl/eval/ordered_keys.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/eval/search_outcome.hpp>
#include <trawl/formats/beir.hpp>

#include "corpus_metadata.hpp"
#include "described.hpp"
#include "engine.hpp"
#include "options.hpp"
#include "passages.hpp"
#include "remembered_arm.hpp"

namespace cli {

/// What can be varied in a search.
struct settings {
    double alpha = 0.5; ///< the dense arm's weight; 0 and 1 leave one arm out
    std::size_t window = 50;
    stage_options stages = {};              ///< behind the arms
    std::optional<double> rrf_k = {};       ///< none: the rule's own
    double k1 = 1.2;                        ///< BM25's
    double b = 0.75;                        ///< BM25's
    trawl::chunk_options passages = {0, 0}; ///< that BM25 searches; of 0 tokens: texts are whole
};

/// What every judged query finds.
struct answers {
    std::vector<trawl::ranking> rankings = {}; ///< by query of workbench::judged()
    double seconds = 0;
    std::size_t calls = 0; ///< texts that the reranker read
};

class workbench {
public:
    explicit workbench(judged_search const& options);

    /// Of a corpus and queries that were made; remembers what the arms found, so that times mean
    /// nothing. --where and --eligible are not read.
    workbench(judged_search const& options, trawl::beir_corpus corpus, trawl::beir_queries queries,
        trawl::qrels judged);

    /// As the options have it.
    [[nodiscard]] settings usual() const;

    /// The best k for each judged query; an index that a setting needs is built once.
    [[nodiscard]] answers ask(settings const& s, std::size_t k);
    [[nodiscard]] answers ask(settings const& s) { return ask(s, options_.k); }

    /// Its values of the measure, and what it cost.
    [[nodiscard]] trawl::search_outcome outcome(answers const& found) const;

    /// The same rankings as a run; scores are places.
    [[nodiscard]] trawl::run run_of(answers const& found) const;

    /// BM25 over whole texts.
    [[nodiscard]] lexical_arm const& words() const { return arms_.at(whole); }
    [[nodiscard]] engine const& documents() const noexcept { return documents_; }
    [[nodiscard]] trawl::qrels const& judged() const noexcept { return judged_; }
    [[nodiscard]] trawl::beir_queries const& queries() const noexcept { return queries_; }

private:
    using shape = std::pair<std::size_t, std::size_t>; // length and overlap of passages
    static constexpr shape whole{0, 0};

    [[nodiscard]] static shape shape_of(settings const& s);
    [[nodiscard]] lexical_arm const& lexical(settings const& s);
    [[nodiscard]] pipeline_sources arms_of(settings const& s, lexical_arm const& words);
    template <class Search>
    void ask_each(Search const& search, std::size_t k, answers& out) const;

    judged_search const& options_;
    engine documents_;
    trawl::beir_queries queries_;
    trawl::matrix<float> vectors_;
    trawl::qrels judged_;
    std::vector<trawl::measure> measures_; // one
    std::optional<trawl::ordered_keys> eligible_;
    eligibility filters_;
    std::map<shape, lexical_arm> arms_;
    bool remembers_ = false;
    std::map<std::tuple<shape, double, double>, std::shared_ptr<remembered_arm>> words_found_;
    std::shared_ptr<remembered_arm> vectors_found_;
};

} // namespace cli
