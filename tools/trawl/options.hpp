// SPDX-License-Identifier: MIT
#pragma once

/// What the commands of the `trawl` program are told, and the commands. Each runs or throws.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// How rankings are fused. An option that the rule does not know is refused.
struct fusion_options {
    std::string rule = "rrf";             ///< one of fusion_names()
    std::vector<double> weights = {};     ///< one an arm; empty: 1 each
    std::optional<double> rrf_k = {};     ///< the rank offset
    std::optional<std::string> norm = {}; ///< a normaliser: min-max, z-score, none, …
    std::vector<std::string> others = {}; ///< other fields of the rule, NAME=VALUE
};

/// The stages behind the arms, in their order; none by default.
struct stage_options {
    std::string rerank = {}; ///< overlap, or the folder of a cross-encoder; empty: none
    std::size_t rerank_depth = 20;
    double rerank_mix = 0; ///< weight of the score before, in [0, 1]
    std::optional<double> score_floor = {};
    std::optional<std::size_t> autocut = {}; ///< jumps
    std::optional<double> dedupe = {};       ///< the least cosine of duplicates
    std::optional<double> mmr = {};          ///< lambda

    [[nodiscard]] bool any() const noexcept {
        return !rerank.empty() || score_floor || autocut || dedupe || mmr;
    }
};

/// Where documents come from and how they are searched.
struct retrieval_options {
    std::string corpus = {};
    std::string vectors = {}; ///< of the documents; empty: made by the model
    std::string model = {};   ///< a folder; empty: latent semantic analysis of the corpus
    std::string retriever = "bm25";
    std::string analyzer = "standard";
    std::string variant = "lucene";
    double k1 = 1.2;
    double b = 0.75;
    bool byte_lengths = false;
    std::optional<double> title_weight = {}; ///< title and text as fields; none: one text
    bool positions = false;                  ///< positions are kept, for phrases
    bool syntax = false; ///< queries are parsed in the language of docs/query_syntax.md
    bool strict = false; ///< and refused where they break its grammar; else read as words there
    std::size_t window = 50;
    std::string metric = "cosine"; ///< of vectors: cosine, dot_product, euclidean
    fusion_options fusion = {};
    bool complete = false;
    stage_options stages = {};
    std::string where = {}; ///< a condition on the metadata of the corpus; empty: none
};

struct search_command {
    retrieval_options retrieval = {};
    std::string queries = {};
    std::string query_vectors = {};
    std::size_t k = 100;
    std::string out = {};          ///< empty: stdout
    std::string explanations = {}; ///< jsonl that is written; empty: none
    std::size_t explained = 10;    ///< hits of each query
};
void run(search_command const& command);

struct index_command {
    retrieval_options retrieval = {};
    std::string out = {};
};
void run(index_command const& command);

struct query_command {
    retrieval_options retrieval = {};
    std::size_t per_parent = 0; ///< of a collection: passages of a document; 0: any number
    std::vector<std::string> facets = {}; ///< of a collection: fields whose values are counted
    std::string sort = {};                ///< of a collection: a field; "-FIELD": descending
    /// Without a corpus, a collection or a file of trawl index; then the query, without which queries
    /// are read
    /// from stdin, a line each.
    std::vector<std::string> words = {};
    std::size_t k = 10;
    bool explain = false;
};
void run(query_command const& command);

struct add_command {
    std::string collection = {};
    std::vector<std::string> sources = {};
    std::optional<std::string> analyzer = {}; ///< none: standard, or that of the collection
    std::optional<std::size_t> chunk = {};    ///< tokens of a passage, 0: whole; none: 200
    bool lsa = false;                         ///< vectors by latent semantic analysis
    std::string model = {};                   ///< vectors by the model in this folder; empty: none
    bool keep = false;                        ///< what is gone from a source stays
};
void run(add_command const& command);

struct info_command {
    std::string collection = {};
};
void run(info_command const& command);

struct verify_command {
    std::string collection = {};
};
void run(verify_command const& command);

struct compact_command {
    std::string collection = {};
};
void run(compact_command const& command);

struct export_command {
    std::string collection = {};
    std::string out = {}; ///< a folder
};
void run(export_command const& command);

struct embed_command {
    std::string model = {};   ///< a folder
    std::string corpus = {};  ///< this
    std::string queries = {}; ///< or these
    std::string out = {};     ///< npy
};
void run(embed_command const& command);

struct fuse_command {
    std::vector<std::string> runs = {};
    fusion_options fusion = {};
    std::size_t k = 1000;
    std::string out = {}; ///< empty: stdout
};
void run(fuse_command const& command);

/// What a run is measured by.
struct measuring_options {
    std::string qrels = {};
    std::string metrics = "ndcg@10,map,mrr,recall@100,hit@1,hit@10";
    std::string convention = "trec_eval";
    std::string eligible = {}; ///< a file of keys; empty: every document may be found
};

struct eval_command : measuring_options {
    std::string run = {};
    std::string ties = {}; ///< key_descending, key_ascending, expected; empty: the convention's
    int level = 1;         ///< the least grade of a relevant document
    bool per_query = false;
    bool json = false;
};
void run(eval_command const& command);

/// How a table is printed.
struct table_options {
    std::string format = "text"; ///< text, markdown, json, csv
};

struct compare_command : measuring_options {
    std::vector<std::string> runs = {}; ///< the first is the baseline
    std::string ties = {};              ///< as eval_command
    int level = 1;
    double confidence = 0.95;
    std::size_t seed = 1;
    table_options table = {};
};
void run(compare_command const& command);

struct report_command : measuring_options {
    std::vector<std::string> runs = {};         ///< the first is the baseline
    std::vector<std::string> names = {};        ///< of the runs; empty: their files' names
    std::vector<double> costs = {};             ///< a query, one a run; empty: unknown
    std::string cost = "cost";                  ///< what costs are
    std::string unanswerable = {};              ///< a file of keys of queries without an answer
    std::string queries = {};                   ///< texts of the queries
    std::string corpus = {};                    ///< titles of the documents
    std::vector<std::string> explanations = {}; ///< jsonl of `search`, one a run; "-" for none
    std::string title = "Evaluation";
    std::size_t hits = 10;
    double confidence = 0.95;
    std::size_t seed = 1;
    std::string format = "html"; ///< html, text, markdown, json, csv
    std::string out = {};        ///< empty: stdout
};
void run(report_command const& command);

struct pool_command {
    std::vector<std::string> runs = {};
    std::size_t depth = 20;
    std::string qrels = {}; ///< what is judged already; empty: nothing
    std::string out = {};   ///< empty: stdout
};
void run(pool_command const& command);

struct judge_command {
    std::string pool = {};
    std::string queries = {};
    std::string corpus = {};
    std::string out = {};     ///< judgements, read first and added to
    int best = 3;             ///< the highest grade
    std::size_t shown = 1500; ///< bytes of a document
};
void run(judge_command const& command);

struct agreement_command {
    std::vector<std::string> qrels = {}; ///< a file of each judge
    table_options table = {};
};
void run(agreement_command const& command);

/// A search and the judged queries that measure it.
struct judged_search {
    retrieval_options retrieval = {};
    std::string queries = {};
    std::string query_vectors = {};
    std::string qrels = {};
    std::string measure = "ndcg@10";
    std::string eligible = {};
    std::size_t k = 100; ///< hits that are measured
    std::size_t seed = 1;
    bool untimed = false; ///< no times: the same output each time
    table_options table = {};
};

/// A parameter and the values that are tried.
struct tried_parameter {
    std::string name = {}; ///< alpha, window, rrf-k, depth, lambda, k1, b, chunk, overlap
    std::vector<double> values = {};
};

struct tune_command : judged_search {
    std::vector<tried_parameter> tried = {}; ///< empty: alpha by tenths; of BM25 alone, k1 and b
    std::size_t folds = 5;
    /// By queries cut out of the documents; the judged ones, if there are any, count beside them.
    bool without_judgements = false;
    std::size_t pseudo_queries = 1000;
    std::vector<std::string> cut = {
        "passage", "title", "title"}; ///< passage, title, heading, first-sentence
};
void run(tune_command const& command);

struct ablate_command : judged_search {
    double alpha = 0.5;     ///< the dense arm's weight
    std::size_t depth = 20; ///< of reranking by shared words; 0: none
    double lambda = 0.5;    ///< of MMR; 1: none
    std::string label = {}; ///< a field of the queries
    std::string texts = {}; ///< reference, dialogue
};
void run(ablate_command const& command);

} // namespace cli
