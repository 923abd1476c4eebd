// SPDX-License-Identifier: MIT

/// The `trawl` program: the library on files of the field's own formats. Here its options; what the
/// commands do stands in a file each.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/version.hpp>

#include "options.hpp"

namespace {

using namespace cli;

std::vector<double> numbers(std::string const& text) {
    std::vector<double> out;
    for (auto const& word : CLI::detail::split(text, ',')) {
        auto const value = trawl::detail::parse_double(word);
        if (!value) throw CLI::ConversionError("--weights: '" + word + "' is not a number");
        out.push_back(*value);
    }
    return out;
}

std::vector<std::string> texts(std::span<std::string_view const> names) {
    return {names.begin(), names.end()};
}

void add_fusion(CLI::App& app, fusion_options& options) {
    app.add_option("--fusion", options.rule, "How rankings are fused")
        ->check(CLI::IsMember({"rrf", "weighted"}))
        ->capture_default_str();
    app.add_option("--rrf-k", options.rrf_k, "Rank offset of rrf; 60 unless given");
    // One argument, not several: a question may follow it.
    app.add_option_function<std::string>(
           "--weights", [&](std::string const& text) { options.weights = numbers(text); },
           "A weight for each arm, LEXICAL,DENSE; 1 each unless given")
        ->type_name("FLOAT,FLOAT");
    app.add_option(
           "--norm", options.norm, "How weighted puts scores on one scale; min-max unless given")
        ->check(CLI::IsMember({"min-max", "z-score", "none"}));
}

void add_bm25(CLI::App& app, retrieval_options& options) {
    app.add_option("--corpus", options.corpus, "Documents: jsonl with _id, title, text")
        ->required();
    app.add_option("--analyzer", options.analyzer, "How texts become terms")
        ->check(CLI::IsMember(texts(trawl::any_analyzer::names())))
        ->capture_default_str();
    app.add_option("--variant", options.variant, "Whose BM25")
        ->check(CLI::IsMember(texts(trawl::bm25_variant_names())))
        ->capture_default_str();
    app.add_option("--k1", options.k1, "BM25: how late a repeated term stops to count")
        ->capture_default_str();
    app.add_option("--b", options.b, "BM25: how much long documents pay")->capture_default_str();
    app.add_flag(
        "--byte-lengths", options.byte_lengths, "BM25: lengths as Lucene's one byte keeps them");
    app.add_option("--title-weight", options.title_weight,
        "BM25F: title and text as two fields, a word of the title counting so many times; without, "
        "one text");
}

void add_retrieval(CLI::App& app, retrieval_options& options) {
    add_bm25(app, options);
    app.add_option("--retriever", options.retriever, "Which arms search")
        ->check(CLI::IsMember({"bm25", "dense", "hybrid"}))
        ->capture_default_str();
    app.add_option("--window", options.window, "Hits taken from each arm of a hybrid search")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    add_fusion(app, options.fusion);
    app.add_flag(
        "--complete", options.complete, "Compute the scores that an arm did not return (weighted)");
}

// What search and tune share.
template <class Command>
void add_search_options(CLI::App& app, Command& command) {
    add_retrieval(app, command.retrieval);
    app.add_option("--queries", command.queries, "Questions: jsonl with _id, text, or tsv")
        ->required();
    auto* const vectors = app.add_option("--vectors", command.retrieval.vectors,
        "Vectors of the documents, npy, row i for line i; without, latent semantic analysis of the "
        "corpus");
    auto* const asked =
        app.add_option("--query-vectors", command.query_vectors, "Vectors of the questions, npy");
    vectors->needs(asked);
    asked->needs(vectors);
    app.add_option("--k", command.k, "Hits for each question")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

void add_search(CLI::App& app, search_command& command) {
    add_search_options(app, command);
    app.add_option("--out", command.out, "The run file; stdout unless given");
    app.add_option("--explanations", command.explanations,
        "A file of JSON lines: how the first hits came about, for trawl report");
    app.add_option("--explained", command.explained, "Hits of each question in that file")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

void add_index(CLI::App& app, index_command& command) {
    add_bm25(app, command.retrieval);
    app.add_flag("--positions", command.retrieval.positions, "Keep where words stand, for phrases");
    app.add_option("--out", command.out, "The index file")->required();
}

void add_query(CLI::App& app, query_command& command) {
    command.retrieval.retriever = "hybrid";
    add_retrieval(app, command.retrieval);
    app.get_option("--corpus")->required(false);
    app.add_option("words", command.words,
           "A file of trawl index, unless there is a --corpus; then the question: without, one is "
           "read from "
           "each "
           "line of stdin")
        ->type_name("[FILE] [QUESTION]")
        ->expected(0, 2);
    app.final_callback([&command] {
        auto const most = command.retrieval.corpus.empty() ? 2u : 1u;
        if (command.words.size() > most) throw CLI::ExtrasError({command.words.back()});
        if (most == 2 && command.words.empty()) throw CLI::RequiredError("FILE or --corpus");
        command.retrieval.positions = command.retrieval.syntax;
    });
    app.add_option("--k", command.k, "Hits shown")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_flag("--explain", command.explain, "Show how each score came about");
    app.add_flag("--syntax", command.retrieval.syntax,
        "Questions say more than words: \"exact phrase\" +must -not term^2 pref* fuzz~1 "
        "title:term; an index "
        "file has phrases if it was made with --positions, fields if with --title-weight");
}

void add_fuse(CLI::App& app, fuse_command& command) {
    app.add_option("--runs", command.runs, "TREC runs, two or more")->required()->expected(1, 1000);
    add_fusion(app, command.fusion);
    app.add_option("--k", command.k, "Hits for each question")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--out", command.out, "The fused run; stdout unless given");
}

// What eval, compare and report share.
template <class Command>
void add_measuring(CLI::App& app, Command& command) {
    app.add_option("--qrels", command.qrels, "Judgements: TREC's, BEIR's or JSON; gzip is unfolded")
        ->required();
    app.add_option(
           "--metrics", command.metrics, "Measures, such as ndcg@10,map; all: every one there is")
        ->capture_default_str();
    app.add_option("--convention", command.convention,
           "Whose rules: order of equal scores, missing and unanswerable questions")
        ->check(CLI::IsMember({"trec_eval", "library", "ranx", "beir", "sbert"}))
        ->capture_default_str();
    app.add_option("--eligible", command.eligible,
        "A file of the keys that may be found, one a line: adds ineligible@5, the share that may "
        "not");
}

// What eval and compare share beside it.
template <class Command>
void add_rules(CLI::App& app, Command& command) {
    app.add_option("--ties", command.ties,
           "How equal scores are ordered, whatever the convention; expected: in every order, the "
           "mean")
        ->check(CLI::IsMember({"key_descending", "key_ascending", "expected"}));
    app.add_option("--level", command.level, "The least grade of a relevant document")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

void add_eval(CLI::App& app, eval_command& command) {
    app.add_option("--run", command.run, "A run: TREC's or JSON; gzip is unfolded")->required();
    add_measuring(app, command);
    add_rules(app, command);
    app.add_flag("--per-query", command.per_query, "Show each question too");
    app.add_flag("--json", command.json, "Print JSON");
}

void add_table(CLI::App& app, table_options& options) {
    app.add_option("--format", options.format, "How the table is printed")
        ->check(CLI::IsMember({"text", "markdown", "json", "csv"}))
        ->capture_default_str();
}

void add_compare(CLI::App& app, compare_command& command) {
    app.add_option("--runs", command.runs, "Runs; the first is what the others are compared with")
        ->required()
        ->expected(2, 1000);
    command.metrics = "ndcg@10";
    add_measuring(app, command);
    add_rules(app, command);
    app.add_option("--confidence", command.confidence, "Of the intervals")->capture_default_str();
    app.add_option("--seed", command.seed, "Of the random numbers")->capture_default_str();
    add_table(app, command.table);
}

void add_report(CLI::App& app, report_command& command) {
    app.add_option("--runs", command.runs, "Runs; the first is what the others are compared with")
        ->required()
        ->expected(1, 1000);
    add_measuring(app, command);
    app.add_option("--names", command.names,
           "What the runs are called, one each; their files' names unless given")
        ->delimiter(',');
    app.add_option("--costs", command.costs, "What a question costs with each run")->delimiter(',');
    app.add_option("--cost", command.cost, "What costs are: ms, expensive calls …")
        ->capture_default_str();
    app.add_option("--unanswerable", command.unanswerable,
        "A file of the keys of questions without an answer, one a line: adds how well a floor "
        "under the "
        "score "
        "finds them out");
    app.add_option(
        "--queries", command.queries, "Texts of the questions: jsonl with _id, text, or tsv");
    app.add_option(
        "--corpus", command.corpus, "Titles of the documents: jsonl with _id, title, text");
    app.add_option("--explanations", command.explanations,
           "What `search --explanations` wrote, a file for each run; - for a run that has none")
        ->delimiter(',');
    app.add_option("--title", command.title, "Of the page")->capture_default_str();
    app.add_option("--hits", command.hits, "Hits of each ranking that are shown")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--confidence", command.confidence, "Of the intervals")->capture_default_str();
    app.add_option("--seed", command.seed, "Of the random numbers")->capture_default_str();
    app.add_option("--format", command.format, "html: one page that opens offline")
        ->check(CLI::IsMember({"html", "text", "markdown", "json", "csv"}))
        ->capture_default_str();
    app.add_option("--out", command.out, "The file; stdout unless given");
}

void add_pool(CLI::App& app, pool_command& command) {
    app.add_option("--runs", command.runs, "Runs whose first documents are to be judged")
        ->required()
        ->expected(1, 1000);
    app.add_option("--depth", command.depth, "Documents taken from each run")
        ->capture_default_str();
    app.add_option(
        "--qrels", command.qrels, "Judgements that there are: says how many are missing");
    app.add_option(
        "--out", command.out, "The pool, as judgements of grade -1; stdout unless given");
}

void add_judge(CLI::App& app, judge_command& command) {
    app.add_option("--pool", command.pool, "What trawl pool wrote")->required();
    app.add_option("--queries", command.queries, "Questions: jsonl with _id, text, or tsv")
        ->required();
    app.add_option("--corpus", command.corpus, "Documents: jsonl with _id, title, text")
        ->required();
    app.add_option("--out", command.out, "The judgements; those that are there are kept")
        ->required();
    app.add_option("--best", command.best, "The highest grade")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option("--shown", command.shown, "Bytes of a document that are shown")
        ->capture_default_str();
}

void add_agreement(CLI::App& app, agreement_command& command) {
    app.add_option("--qrels", command.qrels, "Judgements, a file of each judge")
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
        auto const value = trawl::detail::parse_double(word);
        if (!value) throw CLI::ConversionError("--try: '" + word + "' is not a number");
        out.values.push_back(*value);
    }
    return out;
}

// What tune and ablate share.
void add_judged_search(CLI::App& app, judged_search& command) {
    command.retrieval.retriever = "hybrid";
    add_search_options(app, command);
    app.add_option("--qrels", command.qrels, "Judgements: TREC's, BEIR's or JSON; gzip is unfolded")
        ->required();
    app.add_option("--metric", command.metric, "The measure")->capture_default_str();
    app.add_option("--eligible", command.eligible,
        "A file of the keys that may be found, one a line: adds ineligible@5, the share that may "
        "not");
    app.add_option("--seed", command.seed, "Of the random numbers")->capture_default_str();
    app.add_flag("--untimed", command.untimed, "Leave times out: the same output each time");
    add_table(app, command.table);
}

void add_tune(CLI::App& app, tune_command& command) {
    add_judged_search(app, command);
    app.add_option_function<std::vector<std::string>>(
           "--try",
           [&](std::vector<std::string> const& texts) {
               for (auto const& text : texts) command.tried.push_back(tried(text));
           },
           "Values of alpha (the dense arm's weight), window, rrf-k, depth (of reranking by common "
           "words), "
           "lambda (of MMR on the scores before it), BM25's k1 and b, chunk and overlap (tokens of "
           "the "
           "passages "
           "that BM25 searches; chunk 0: whole texts): NAME=VALUE,VALUE,…; alpha by tenths unless "
           "given, k1 "
           "and "
           "b where the retriever is bm25")
        ->type_name("NAME=FLOAT,FLOAT");
    app.add_option("--folds", command.folds, "Of the cross-validation")->capture_default_str();
}

void add_ablate(CLI::App& app, ablate_command& command) {
    add_judged_search(app, command);
    app.add_option("--alpha", command.alpha, "The dense arm's weight")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option(
           "--depth", command.depth, "Candidates that are reranked by shared words; 0: none")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--lambda", command.lambda, "Of MMR, the weight of relevance; 1: none")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option(
        "--label", command.label, "A field of the questions: a column for each of its values");
    app.add_option("--texts", command.texts, "What the documents are like")
        ->check(CLI::IsMember({"reference", "dialogue"}));
}

int refused(CLI::App const& app, CLI::ParseError const& e) {
    auto const help = app.exit(e) == 0; // prints it
    return help ? 0 : 2;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Hybrid search on files. trawl COMMAND --help tells the options of a command."};
    app.name("trawl");
    app.set_version_flag("--version", TRAWL_VERSION_STRING);
    app.require_subcommand(1);

    search_command search;
    index_command index;
    query_command query;
    fuse_command fuse;
    eval_command eval;
    compare_command compare;
    report_command report;
    pool_command pool;
    judge_command judge;
    agreement_command agreement;
    tune_command tune;
    ablate_command ablate;
    auto* const search_app = app.add_subcommand("search", "Answer many questions, write a run");
    auto* const index_app = app.add_subcommand("index", "Write a lexical index to a file");
    auto* const query_app =
        app.add_subcommand("query", "Ask a corpus or an index file, once or again and again");
    auto* const fuse_app = app.add_subcommand("fuse", "Fuse runs into one");
    auto* const eval_app = app.add_subcommand("eval", "Measure a run against judgements");
    auto* const compare_app =
        app.add_subcommand("compare", "Compare runs: differences and whether they mean anything");
    auto* const report_app = app.add_subcommand(
        "report", "Runs side by side on one page: curves, tables, every question");
    auto* const pool_app =
        app.add_subcommand("pool", "Collect the documents that are to be judged");
    auto* const judge_app =
        app.add_subcommand("judge", "Judge pooled documents, one after the other");
    auto* const agreement_app =
        app.add_subcommand("agreement", "How far judges agree beyond chance");
    auto* const tune_app =
        app.add_subcommand("tune", "Choose the settings of a search by judged questions");
    auto* const ablate_app = app.add_subcommand(
        "ablate", "What each technique contributes, and where questions are lost");
    add_search(*search_app, search);
    add_index(*index_app, index);
    add_query(*query_app, query);
    add_fuse(*fuse_app, fuse);
    add_eval(*eval_app, eval);
    add_compare(*compare_app, compare);
    add_report(*report_app, report);
    add_pool(*pool_app, pool);
    add_judge(*judge_app, judge);
    add_agreement(*agreement_app, agreement);
    add_tune(*tune_app, tune);
    add_ablate(*ablate_app, ablate);

    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        return refused(app, e);
    }
    try {
        if (*search_app) run(search);
        if (*index_app) run(index);
        if (*query_app) run(query);
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
