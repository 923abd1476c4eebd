// SPDX-License-Identifier: MIT

/// The `trawl` program: the library on files in the formats of the field. This file has the options;
/// each command is in a file of its own.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <trawl/core/enum_count.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/version.hpp>

#include "described.hpp"
#include "index_file.hpp"
#include "options.hpp"
#include "stored_collection.hpp"
#include "words.hpp"

namespace {

using namespace cli;

std::vector<double> numbers(std::string const& text) {
    std::vector<double> out;
    for (auto const& word : CLI::detail::split(text, ',')) {
        auto const value = number_in<double>(word);
        if (!value) throw CLI::ConversionError("--weights: '" + word + "' is not a number");
        out.push_back(*value);
    }
    return out;
}

// Refuses options that would have no effect. `because` follows the name of the option.
void refuse_unused(
    CLI::App const& app, std::initializer_list<char const*> names, std::string const& because) {
    for (auto const* const name : names) {
        auto const* const option = app.get_option_no_throw(name); // not each command has each
        if (option != nullptr && option->count() > 0) throw CLI::ValidationError(name + because);
    }
}

bool is_vector_metric(std::string_view name) {
    return name == "cosine" || name == "dot_product" || name == "euclidean";
}

// What one variant of BM25 does not read.
void check_variant(CLI::App const& app, retrieval_options const& options) {
    if (options.variant == "tf_ldp")
        refuse_unused(app, {"--k1"}, " has no effect with --variant tf_ldp");
}

// What one retriever reads and the others do not.
void check_retriever(CLI::App const& app, retrieval_options const& options) {
    auto const because = " has no effect with --retriever " + options.retriever;
    if (options.retriever != "hybrid") {
        refuse_unused(app,
            {"--fusion", "--rrf-k", "--weights", "--norm", "--fusion-option", "--complete"},
            because);
        if (!options.stages.any()) refuse_unused(app, {"--window"}, because);
    }
    if (options.retriever == "bm25") {
        refuse_unused(
            app, {"--dedupe", "--mmr", "--vectors", "--query-vectors", "--model"}, because);
        auto const* const metric = app.get_option_no_throw("--metric");
        if (metric != nullptr && metric->count() > 0 && is_vector_metric(metric->results().back()))
            throw CLI::ValidationError("--metric" + because);
    }
    if (options.retriever == "dense") {
        refuse_unused(
            app, {"--variant", "--k1", "--b", "--byte-lengths", "--title-weight"}, because);
        // The analyzer makes the words of latent semantic analysis, and those of a reranker.
        if (options.stages.rerank.empty() && !(options.vectors.empty() && options.model.empty())) {
            refuse_unused(app, {"--analyzer"},
                because + (options.model.empty() ? " and --vectors" : " and --model"));
        }
    }
    check_variant(app, options);
}

std::vector<std::string> texts(std::span<std::string_view const> names) {
    return {names.begin(), names.end()};
}

void add_fusion(CLI::App& app, fusion_options& options) {
    app.add_option("--fusion", options.rule,
           "The rule that fuses the rankings: rrf, weighted (a weighted sum of normalised scores), "
           "or another rule or preset of the library")
        ->check(CLI::IsMember(fusion_names()))
        ->capture_default_str();
    app.add_option("--rrf-k", options.rrf_k, "The rank offset of rrf [60]");
    // One argument, not several: a query may follow it.
    app.add_option_function<std::string>(
           "--weights", [&](std::string const& text) { options.weights = numbers(text); },
           "The weights of the arms, LEXICAL,DENSE [1,1]")
        ->type_name("FLOAT,FLOAT");
    std::vector<std::string> norms;
    for (std::size_t i = 0; i < trawl::enum_count<trawl::normaliser>; ++i)
        norms.emplace_back(trawl::name_of(static_cast<trawl::normaliser>(i)));
    app.add_option("--norm", options.norm, "How a rule that reads scores normalises them [min-max]")
        ->check(CLI::IsMember(std::move(norms)));
    app.add_option("--fusion-option", options.others,
           "Another field of the rule, NAME=VALUE, as in docs/fusion.md; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_stages(CLI::App& app, stage_options& options) {
    app.add_option("--score-floor", options.score_floor,
        "Drop hits that score less, in the scores of the fusion or the reranker");
    app.add_option("--autocut", options.autocut,
           "Drop what follows this number of jumps in the scores; needs a rule that reads scores")
        ->check(CLI::PositiveNumber);
    app.add_option("--dedupe", options.dedupe,
        "Drop hits whose vector has at least this cosine to that of a better hit, such as .95");
}

void add_bm25(CLI::App& app, retrieval_options& options) {
    app.add_option("--corpus", options.corpus, "Documents: jsonl with _id, title, text")
        ->required();
    app.add_option("--analyzer", options.analyzer, "The analyzer that turns text into terms")
        ->check(CLI::IsMember(texts(trawl::any_analyzer::names())))
        ->capture_default_str();
    app.add_option("--variant", options.variant, "The BM25 formula, named after who uses it")
        ->check(CLI::IsMember(texts(trawl::bm25_variant_names())))
        ->capture_default_str();
    app.add_option("--k1", options.k1, "BM25: term-frequency saturation; 0 ignores repetition")
        ->capture_default_str();
    app.add_option("--b", options.b, "BM25: length normalisation, from 0 (none) to 1 (full)")
        ->capture_default_str();
    app.add_flag("--byte-lengths", options.byte_lengths,
        "BM25: round document lengths as Lucene does, to one byte");
    app.add_option("--title-weight", options.title_weight,
        "Search title and text as two fields (BM25F), with this weight for the title; by default "
        "they are one text");
}

void add_retrieval(CLI::App& app, retrieval_options& options) {
    add_bm25(app, options);
    app.add_option("--retriever", options.retriever, "The arms that search")
        ->check(CLI::IsMember({"bm25", "dense", "hybrid"}))
        ->capture_default_str();
    app.add_option(
           "--window", options.window, "Hits that each arm of a hybrid search returns for fusion")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    add_fusion(app, options.fusion);
    app.add_flag("--complete", options.complete,
        "Compute the scores of documents that only the other arm returned (rules that read "
        "scores)");
    add_stages(app, options.stages);
    app.add_option("--where", options.where,
        "Search only documents whose metadata (the other members of the corpus' lines) fulfil "
        "this, such as 'version = \"3.1\" and date >= 2024-01-01'. Queries in jsonl may have a "
        "\"where\" of their own");
}

// Reranking and MMR where they are settings of the search; tune and ablate have their own.
void add_reordering(CLI::App& app, stage_options& options) {
    app.add_option("--rerank", options.rerank,
           "Rerank the best candidates by a cross-encoder, a folder as --model takes it; overlap: "
           "by the words that a text shares with the query")
        ->type_name("DIR|overlap")
        ->check(CLI::IsMember({"overlap"}) | CLI::ExistingDirectory);
    app.add_option("--rerank-depth", options.rerank_depth, "Candidates that are reranked")
        ->check(CLI::PositiveNumber)
        ->needs("--rerank")
        ->capture_default_str();
    app.add_option("--rerank-mix", options.rerank_mix,
           "Weight of the score before reranking beside the reranker's, both normalised; 0: the "
           "reranker's alone")
        ->check(CLI::Range(0.0, 1.0))
        ->needs("--rerank")
        ->capture_default_str();
    app.add_option("--mmr", options.mmr,
           "Diversify by MMR, with this weight of relevance; 1 keeps the order")
        ->check(CLI::Range(0.0, 1.0));
}

// The folder of an embedding model.
CLI::Option* add_model(CLI::App& app, std::string& folder, std::string const& purpose) {
    return app
        .add_option("--model", folder,
            purpose
                + ": a Hugging Face or sentence-transformers folder (config.json, tokenizer.json "
                  "or "
                  "vocab.txt, model.safetensors)")
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory);
}

void add_metric(CLI::App& app, retrieval_options& options) {
    app.add_option("--metric", options.metric, "How vectors are compared")
        ->check(CLI::IsMember({"cosine", "dot_product", "euclidean"}))
        ->capture_default_str();
}

// Queries need vectors of the same model as the documents.
template <class Command>
void check_vectors(CLI::App const& app, Command const& command) {
    if (app.count("--vectors") > 0 && command.query_vectors.empty()
        && command.retrieval.model.empty()) {
        throw CLI::RequiresError("--vectors", "--query-vectors or --model");
    }
}

// What search and tune share.
template <class Command>
void add_search_options(CLI::App& app, Command& command) {
    add_retrieval(app, command.retrieval);
    app.add_option("--queries", command.queries, "Queries: jsonl with _id, text, or tsv")
        ->required();
    add_model(app, command.retrieval.model,
        "The model that embeds the queries, and the documents unless --vectors has their vectors");
    app.add_option("--vectors", command.retrieval.vectors,
        "Vectors of the documents, npy: row i belongs to line i. By default they are made by the "
        "model or, without one, by latent semantic analysis of the corpus");
    app.add_option("--query-vectors", command.query_vectors, "Vectors of the queries, npy")
        ->needs("--vectors")
        ->excludes("--model");
    app.add_option("--k", command.k, "Hits for each query")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.final_callback([&command, &app] {
        check_retriever(app, command.retrieval);
        check_vectors(app, command);
    });
}

void add_search(CLI::App& app, search_command& command) {
    add_search_options(app, command);
    add_metric(app, command.retrieval);
    add_reordering(app, command.retrieval.stages);
    app.add_option("--out", command.out, "The run file [stdout]");
    app.add_option("--explanations", command.explanations,
        "Write explanations of the first hits as JSON lines, for trawl report");
    app.add_option("--explained", command.explained, "Hits of each query that are explained")
        ->needs("--explanations")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

void add_index(CLI::App& app, index_command& command) {
    add_bm25(app, command.retrieval);
    app.add_flag("--positions", command.retrieval.positions, "Store positions, which phrases need");
    add_model(
        app, command.retrieval.model, "Store vectors too, made by this model, for a hybrid search");
    app.add_option("--out", command.out, "The index file")->required();
    app.final_callback([&command, &app] { check_variant(app, command.retrieval); });
}

// What `trawl query` takes for a collection, whose other settings were chosen when it was made.
void check_collection_query(CLI::App const& app, query_command& command) {
    refuse_unused(app,
        {"--retriever", "--analyzer", "--variant", "--k1", "--b", "--byte-lengths",
            "--title-weight", "--metric", "--vectors"},
        " does not apply to a collection, which was made with its own settings (trawl add)");
    refuse_unused(app, {"--syntax"}, ": queries to a collection are always parsed");
    auto& options = command.retrieval;
    if (app.count("--fusion") == 0) options.fusion.rule = "weighted";
    auto const made = read_settings(command.words[0]);
    if (made.model.empty()) {
        refuse_unused(app, {"--model"},
            " has no effect: the collection was made without one (trawl add --model)");
    }
    if (!made.has_vectors()) {
        std::string const because = " has no effect: the collection has no vectors (trawl add "
                                    "--model or --lsa makes them)";
        refuse_unused(app,
            {"--fusion", "--rrf-k", "--weights", "--norm", "--fusion-option", "--complete",
                "--dedupe", "--mmr"},
            because);
        if (!options.stages.any()) refuse_unused(app, {"--window"}, because);
    } else if (options.fusion.rule == "weighted") {
        refuse_unused(
            app, {"--complete"}, " has no effect: a collection's weighted sum is always completed");
    }
    if (command.sort.empty()) return;
    refuse_unused(app,
        {"--fusion", "--rrf-k", "--weights", "--norm", "--fusion-option", "--complete", "--window",
            "--rerank", "--score-floor", "--autocut", "--dedupe", "--mmr", "--explain",
            "--per-parent"},
        " has no effect with --sort, which orders what matches without scores");
}

void add_query(CLI::App& app, query_command& command) {
    command.retrieval.retriever = "hybrid";
    add_retrieval(app, command.retrieval);
    add_metric(app, command.retrieval);
    add_reordering(app, command.retrieval.stages);
    add_model(app, command.retrieval.model,
        "The model that embeds the query, and the corpus unless --vectors has its vectors; of a "
        "collection or an index file made with a model, where that model is now");
    app.add_option("--vectors", command.retrieval.vectors,
           "Vectors of the corpus by the same model, npy (trawl embed)")
        ->needs("--model");
    app.get_option("--corpus")->required(false);
    app.add_option("words", command.words,
           "A collection or an index file (unless --corpus is given) and the query; without a "
           "query, each line of stdin is one")
        ->type_name("[FILE] [QUERY]")
        ->expected(0, 1000);
    app.final_callback([&command, &app] {
        bool const from_file = command.retrieval.corpus.empty();
        auto const most = from_file ? 2u : 1u;
        if (command.words.size() > most) {
            throw CLI::ValidationError("the argument '" + command.words[most]
                                       + "' was not expected: quote a query of several words");
        }
        if (from_file && !command.words.empty() && is_collection(command.words[0]))
            return check_collection_query(app, command);
        refuse_unused(app, {"--per-parent", "--facet", "--sort"}, " goes with a collection");
        if (from_file && command.words.empty()) throw CLI::RequiredError("FILE or --corpus");
        if (from_file) {
            refuse_unused(app,
                {"--analyzer", "--variant", "--k1", "--b", "--byte-lengths", "--title-weight",
                    "--metric", "--vectors"},
                " does not apply to an index file, which was made with its own settings (trawl "
                "index); it goes with --corpus");
            refuse_unused(app, {"--rerank", "--where"},
                " does not apply to an index file; it goes with --corpus or a collection");
            if (has_vectors(command.words[0])) {
                check_retriever(app, command.retrieval);
            } else {
                refuse_unused(app,
                    {"--retriever", "--window", "--fusion", "--rrf-k", "--weights", "--norm",
                        "--fusion-option", "--complete", "--score-floor", "--autocut", "--dedupe",
                        "--mmr", "--model"},
                    " does not apply to an index file without vectors (trawl index --model stores "
                    "them); it goes with --corpus");
                command.retrieval.retriever = "bm25";
            }
        } else {
            check_retriever(app, command.retrieval);
        }
        if (!command.retrieval.syntax)
            refuse_unused(app, {"--strict"}, " has no effect without --syntax");
        if (command.retrieval.retriever == "dense")
            refuse_unused(app, {"--syntax"}, " has no effect with --retriever dense");
        command.retrieval.positions = command.retrieval.syntax;
    });
    app.add_option("--k", command.k, "Hits shown")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_flag("--explain", command.explain, "Explain each score");
    app.add_option("--per-parent", command.per_parent,
        "Of a collection: passages of one document, at most; 0: any number");
    app.add_option("--facet", command.facets,
           "Of a collection: count the values of this field; may be repeated")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_option("--sort", command.sort,
        "Of a collection: order by this field instead of by score; -FIELD: descending");
    app.add_flag("--syntax", command.retrieval.syntax,
        "Parse queries: \"exact phrase\" +required -excluded term^2 prefix* fuzzy~1 title:term. In "
        "an index file, phrases need --positions and fields --title-weight of trawl index");
    app.add_flag("--strict", command.retrieval.strict,
        "With --syntax: refuse a query that breaks the grammar, or a phrase without positions, "
        "rather than read it as words");
}

void add_add(CLI::App& app, add_command& command) {
    app.add_option("collection", command.collection, "The collection's folder, made if need be")
        ->type_name("COLLECTION")
        ->required();
    app.add_option("sources", command.sources,
           "Folders of markdown and text, or jsonl files (_id, title, text, metadata). What has "
           "not changed is skipped; what is gone from a source since the last time is erased")
        ->type_name("SOURCE")
        ->required()
        ->check(CLI::ExistingPath);
    app.add_option("--analyzer", command.analyzer, "The analyzer of a new collection [standard]")
        ->check(CLI::IsMember(texts(trawl::any_analyzer::names())));
    app.add_option("--chunk", command.chunk,
        "Tokens of a passage in a new collection; 0: documents are not cut [200]");
    auto* const lsa = app.add_flag("--lsa", command.lsa,
        "Give the passages of a new collection vectors by latent semantic analysis, fitted anew "
        "when documents change");
    add_model(app, command.model,
        "Give the passages of a new collection vectors by this model; of an existing one, where "
        "its model is now")
        ->excludes(lsa);
    app.add_flag("--keep", command.keep, "Keep documents that are gone from their source");
}

// What info, verify and compact share.
template <class Command>
void add_collection(CLI::App& app, Command& command) {
    app.add_option("collection", command.collection, "A folder that trawl add made")
        ->type_name("COLLECTION")
        ->required();
}

void add_export(CLI::App& app, export_command& command) {
    add_collection(app, command);
    app.add_option("--out", command.out, "A folder that does not exist yet")->required();
}

void add_embed(CLI::App& app, embed_command& command) {
    add_model(app, command.model, "The model")->required();
    auto* const corpus = app.add_option("--corpus", command.corpus,
        "Documents: jsonl with _id, title, text; title and text are embedded as one passage");
    auto* const queries =
        app.add_option("--queries", command.queries, "Or queries: jsonl with _id, text, or tsv");
    corpus->excludes(queries);
    app.add_option("--out", command.out, "The vectors, npy: row i belongs to line i")->required();
    app.final_callback([&command] {
        if (command.corpus.empty() && command.queries.empty())
            throw CLI::RequiredError("--corpus or --queries");
    });
}

void add_fuse(CLI::App& app, fuse_command& command) {
    app.add_option("--runs", command.runs, "TREC runs, at least one")
        ->required()
        ->expected(1, 1000);
    add_fusion(app, command.fusion);
    app.add_option("--k", command.k, "Hits for each query")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--out", command.out, "The fused run [stdout]");
}

// What eval, compare and report share.
template <class Command>
void add_measuring(CLI::App& app, Command& command) {
    app.add_option("--qrels", command.qrels, "Judgements: TREC, BEIR or JSON, gzip or not")
        ->required();
    app.add_option("--metrics", command.metrics, "Measures, such as ndcg@10,map; or all")
        ->capture_default_str();
    app.add_option("--convention", command.convention,
           "The tool whose rules hold for ties and for missing or unanswerable queries")
        ->check(CLI::IsMember({"trec_eval", "library", "ranx", "beir", "sbert"}))
        ->capture_default_str();
    app.add_option("--eligible", command.eligible,
        "A file of the keys that may be returned, one per line; adds ineligible@5, the share of "
        "hits that may not");
}

// What eval and compare share beside it.
template <class Command>
void add_rules(CLI::App& app, Command& command) {
    app.add_option("--ties", command.ties,
           "The order of equal scores, which overrides the convention's; expected: the mean over "
           "all orders")
        ->check(CLI::IsMember({"key_descending", "key_ascending", "expected"}));
    app.add_option("--level", command.level, "The lowest grade that counts as relevant")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

void add_eval(CLI::App& app, eval_command& command) {
    app.add_option("--run", command.run, "A run: TREC or JSON, gzip or not")->required();
    add_measuring(app, command);
    add_rules(app, command);
    app.add_flag("--per-query", command.per_query, "Show each query too");
    app.add_flag("--json", command.json, "Print JSON");
}

void add_table(CLI::App& app, table_options& options) {
    app.add_option("--format", options.format, "The format of the table")
        ->check(CLI::IsMember({"text", "markdown", "json", "csv"}))
        ->capture_default_str();
}

void add_compare(CLI::App& app, compare_command& command) {
    app.add_option("--runs", command.runs, "Runs; the first is the baseline")
        ->required()
        ->expected(2, 1000);
    command.metrics = "ndcg@10";
    add_measuring(app, command);
    add_rules(app, command);
    app.add_option("--confidence", command.confidence, "The confidence of the intervals")
        ->capture_default_str();
    app.add_option("--seed", command.seed, "The seed of the random numbers")->capture_default_str();
    add_table(app, command.table);
}

void add_report(CLI::App& app, report_command& command) {
    app.add_option("--runs", command.runs, "Runs; the first is the baseline")
        ->required()
        ->expected(1, 1000);
    add_measuring(app, command);
    app.add_option("--names", command.names, "Names of the runs [their file names]")
        ->delimiter(',');
    app.add_option("--costs", command.costs, "The cost of a query with each run")->delimiter(',');
    app.add_option("--cost", command.cost, "The unit of the costs: ms, model calls, …")
        ->capture_default_str();
    app.add_option("--unanswerable", command.unanswerable,
        "A file of the keys of queries without an answer, one per line; adds how well a score "
        "threshold detects them");
    app.add_option(
        "--queries", command.queries, "Texts of the queries: jsonl with _id, text, or tsv");
    app.add_option(
        "--corpus", command.corpus, "Titles of the documents: jsonl with _id, title, text");
    app.add_option("--explanations", command.explanations,
           "Files that `trawl search --explanations` wrote, one for each run; - for none")
        ->delimiter(',');
    app.add_option("--title", command.title, "The title of the page")->capture_default_str();
    app.add_option("--hits", command.hits, "Hits shown of each ranking")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--confidence", command.confidence, "The confidence of the intervals")
        ->capture_default_str();
    app.add_option("--seed", command.seed, "The seed of the random numbers")->capture_default_str();
    app.add_option("--format", command.format, "The format; html is one page that opens offline")
        ->check(CLI::IsMember({"html", "text", "markdown", "json", "csv"}))
        ->capture_default_str();
    app.add_option("--out", command.out, "The file [stdout]");
}

void add_pool(CLI::App& app, pool_command& command) {
    app.add_option("--runs", command.runs, "Runs whose first documents are pooled")
        ->required()
        ->expected(1, 1000);
    app.add_option("--depth", command.depth, "Documents taken from each run")
        ->capture_default_str();
    app.add_option("--qrels", command.qrels, "Existing judgements: reports how many are missing");
    app.add_option("--out", command.out, "The pool, as judgements of grade -1 [stdout]");
}

void add_judge(CLI::App& app, judge_command& command) {
    app.add_option("--pool", command.pool, "A pool that trawl pool wrote")->required();
    app.add_option("--queries", command.queries, "Queries: jsonl with _id, text, or tsv")
        ->required();
    app.add_option("--corpus", command.corpus, "Documents: jsonl with _id, title, text")
        ->required();
    app.add_option("--out", command.out, "The file of judgements; it is continued if it exists")
        ->required();
    app.add_option("--best", command.best, "The highest grade")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option("--shown", command.shown, "Bytes shown of each document")->capture_default_str();
}

void add_agreement(CLI::App& app, agreement_command& command) {
    app.add_option("--qrels", command.qrels, "Judgements, one file for each judge")
        ->required()
        ->expected(2, 1000);
    add_table(app, command.table);
}

// NAME=VALUE,VALUE,…
tried_parameter tried(std::string const& text) {
    auto const equals = text.find('=');
    tried_parameter out{text.substr(0, equals), {}};
    static std::vector<std::string> const known{
        "alpha", "window", "rrf-k", "depth", "lambda", "k1", "b", "chunk", "overlap"};
    if (equals == std::string::npos
        || std::find(known.begin(), known.end(), out.name) == known.end()) {
        throw CLI::ValidationError(
            "--try: '" + text + "' is not NAME=VALUES, NAME one of " + CLI::detail::join(known));
    }
    for (auto const& word : CLI::detail::split(text.substr(equals + 1), ',')) {
        auto const value = number_in<double>(word);
        if (!value) throw CLI::ConversionError("--try: '" + word + "' is not a number");
        out.values.push_back(*value);
    }
    return out;
}

// What tune and ablate share.
void add_judged_search(CLI::App& app, judged_search& command) {
    command.retrieval.retriever = "hybrid";
    add_search_options(app, command);
    app.add_option("--qrels", command.qrels, "Judgements: TREC, BEIR or JSON, gzip or not")
        ->required();
    app.add_option("--measure", command.measure, "The measure")->capture_default_str();
    // Before --measure existed, --metric was its name.
    app.add_option_function<std::string>(
           "--metric",
           [&](std::string const& name) {
               (is_vector_metric(name) ? command.retrieval.metric : command.measure) = name;
           },
           "How vectors are compared: cosine, dot_product, euclidean")
        ->type_name("TEXT");
    app.add_option("--eligible", command.eligible,
        "A file of the keys that may be returned, one per line; adds ineligible@5, the share of "
        "hits that may not");
    app.add_option("--seed", command.seed, "The seed of the random numbers")->capture_default_str();
    app.add_flag("--untimed", command.untimed, "Omit times, so that the output is reproducible");
    add_table(app, command.table);
}

void add_tune(CLI::App& app, tune_command& command) {
    add_judged_search(app, command);
    app.add_option_function<std::vector<std::string>>(
           "--try",
           [&](std::vector<std::string> const& texts) {
               for (auto const& text : texts) command.tried.push_back(tried(text));
           },
           "Values to try, NAME=VALUE,VALUE,…: alpha (weight of the dense arm), window, rrf-k, "
           "depth (of reranking by shared words), lambda (of MMR), k1 and b (of BM25), chunk and "
           "overlap (tokens of the passages that BM25 searches; chunk 0: whole texts). By default "
           "alpha in steps of .1; with --retriever bm25, k1 and b")
        ->type_name("NAME=FLOAT,FLOAT");
    app.add_option("--folds", command.folds, "Folds of the cross-validation")
        ->capture_default_str();
    app.add_flag("--without-judgements", command.without_judgements,
        "Ask for pieces that are cut out of the documents, which should find the document that "
        "they came from. The simplest setting within one standard error of the best is "
        "recommended. With --queries, pieces are as long as those; with --qrels too, the judged "
        "queries count beside them. The vectors are those of latent semantic analysis");
    app.add_option("--pseudo-queries", command.pseudo_queries,
           "With --without-judgements: how many pieces at most")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--cut", command.cut,
           "With --without-judgements: what is cut, in turn: passage, title, heading, "
           "first-sentence")
        ->delimiter(',')
        ->check(CLI::IsMember({"passage", "title", "heading", "first-sentence"}))
        ->capture_default_str();
    app.get_option("--queries")->required(false);
    app.get_option("--qrels")->required(false);
    app.final_callback([&command, &app] {
        check_retriever(app, command.retrieval);
        if (command.without_judgements) {
            refuse_unused(app,
                {"--vectors", "--query-vectors", "--model", "--eligible", "--where", "--untimed"},
                " does not go with --without-judgements");
            if (command.queries.empty()) refuse_unused(app, {"--qrels"}, " needs --queries");
            return;
        }
        check_vectors(app, command);
        refuse_unused(app, {"--pseudo-queries", "--cut"}, " goes with --without-judgements");
        if (command.queries.empty()) throw CLI::RequiredError("--queries");
        if (command.qrels.empty()) throw CLI::RequiredError("--qrels");
    });
}

void add_ablate(CLI::App& app, ablate_command& command) {
    add_judged_search(app, command);
    app.add_option("--alpha", command.alpha, "The weight of the dense arm")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--depth", command.depth, "Candidates reranked by shared words; 0: none")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option(
           "--lambda", command.lambda, "MMR: the weight of relevance; 1: no diversification")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option(
        "--label", command.label, "A field of the queries; each of its values gets a column");
    app.add_option("--texts", command.texts, "The kind of documents")
        ->check(CLI::IsMember({"reference", "dialogue"}));
}

// What to say if the first argument is the name of no command.
std::string unknown_command(CLI::App const& app, int argc, char** argv) {
    std::vector<std::string> names;
    for (auto const* const command : app.get_subcommands({})) names.push_back(command->get_name());
    auto const known = CLI::detail::join(names, ", ");
    if (argc < 2) return "A command (a subcommand) is required: " + known;
    std::string const word = argv[1];
    if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end())
        return {};
    return "There is no command '" + word + "'. The commands are " + known;
}

int refused(CLI::App const& app, CLI::ParseError const& e) {
    auto const help = app.exit(e) == 0; // prints it
    return help ? 0 : 2;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Hybrid search on files. trawl COMMAND --help lists the options of a command."};
    app.name("trawl");
    app.set_version_flag("--version", TRAWL_VERSION_STRING);
    app.require_subcommand(1);

    search_command search;
    index_command index;
    query_command query;
    add_command add;
    info_command info;
    verify_command verify;
    compact_command compact;
    export_command exported;
    embed_command embed;
    fuse_command fuse;
    eval_command eval;
    compare_command compare;
    report_command report;
    pool_command pool;
    judge_command judge;
    agreement_command agreement;
    tune_command tune;
    ablate_command ablate;
    auto* const search_app = app.add_subcommand("search", "Run many queries and write a run");
    auto* const index_app = app.add_subcommand("index", "Write a lexical index to a file");
    auto* const query_app =
        app.add_subcommand("query", "Query a collection, a corpus or an index file");
    auto* const add_app =
        app.add_subcommand("add", "Add folders and files to a collection, or update it");
    auto* const info_app = app.add_subcommand("info", "Show what a collection holds");
    auto* const verify_app = app.add_subcommand("verify", "Check every byte of a collection");
    auto* const compact_app = app.add_subcommand(
        "compact", "Merge a collection's files into one, without what was erased");
    auto* const export_app =
        app.add_subcommand("export", "Write a collection's documents as jsonl and npy");
    auto* const embed_app =
        app.add_subcommand("embed", "Write the vectors that a model gives a corpus or queries");
    auto* const fuse_app = app.add_subcommand("fuse", "Fuse several runs");
    auto* const eval_app = app.add_subcommand("eval", "Measure a run against judgements");
    auto* const compare_app =
        app.add_subcommand("compare", "Compare runs: differences and their significance");
    auto* const report_app = app.add_subcommand(
        "report", "Show runs side by side on one page: curves, tables, every query");
    auto* const pool_app = app.add_subcommand("pool", "Collect documents to judge");
    auto* const judge_app = app.add_subcommand("judge", "Judge pooled documents interactively");
    auto* const agreement_app =
        app.add_subcommand("agreement", "Measure the agreement of judges beyond chance");
    auto* const tune_app =
        app.add_subcommand("tune", "Choose the settings of a search by judged queries");
    auto* const ablate_app = app.add_subcommand(
        "ablate", "Measure what each technique contributes, and where queries fail");
    add_search(*search_app, search);
    add_index(*index_app, index);
    add_query(*query_app, query);
    add_add(*add_app, add);
    add_collection(*info_app, info);
    add_collection(*verify_app, verify);
    add_collection(*compact_app, compact);
    add_export(*export_app, exported);
    add_embed(*embed_app, embed);
    add_fuse(*fuse_app, fuse);
    add_eval(*eval_app, eval);
    add_compare(*compare_app, compare);
    add_report(*report_app, report);
    add_pool(*pool_app, pool);
    add_judge(*judge_app, judge);
    add_agreement(*agreement_app, agreement);
    add_tune(*tune_app, tune);
    add_ablate(*ablate_app, ablate);

    if (auto const wrong = unknown_command(app, argc, argv); !wrong.empty()) {
        std::fprintf(stderr, "%s\nRun with --help for more information.\n", wrong.c_str());
        return 2;
    }
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        return refused(app, e);
    }
    try {
        if (*search_app) run(search);
        if (*index_app) run(index);
        if (*query_app) run(query);
        if (*add_app) run(add);
        if (*info_app) run(info);
        if (*verify_app) run(verify);
        if (*compact_app) run(compact);
        if (*export_app) run(exported);
        if (*embed_app) run(embed);
        if (*fuse_app) run(fuse);
        if (*eval_app) run(eval);
        if (*compare_app) run(compare);
        if (*report_app) run(report);
        if (*pool_app) run(pool);
        if (*judge_app) run(judge);
        if (*agreement_app) run(agreement);
        if (*tune_app) run(tune);
        if (*ablate_app) run(ablate);
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
