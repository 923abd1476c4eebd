// SPDX-License-Identifier: MIT

/// Tuning without judgements: the weight of latent semantic analysis beside BM25, chosen by
/// pseudo-queries, and what it is worth on the judged queries of eight collections. Prints the tables of
/// docs/tuning.md. Reads ../shared/data and examples/corpus; what is absent is left out. With
/// TRAWL_MODEL, the folder of a model for English, also of its vectors, by 3 seeds. --quick: 3 seeds
/// instead of 20, no model.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trawl/core/sort_by_rank.hpp>
#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/embed/any_embedder.hpp>
#include <trawl/embed/lsa.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/eval/pseudo_queries.hpp>
#include <trawl/eval/weight_choice.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/models/sentence_encoder.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>

#include "harness.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t steps = 20;
constexpr std::size_t rounds = 8;
constexpr std::size_t wanted = 1000;

struct collection {
    std::string name;
    std::string analyzer;
    std::vector<std::string> titles = {};
    std::vector<std::string> texts = {};
    std::vector<std::string> queries = {};
    std::vector<trawl::judgements> known = {};

    [[nodiscard]] std::string searched(std::size_t i) const {
        return titles[i].empty() ? texts[i] : titles[i] + " " + texts[i];
    }
};

std::optional<collection> beir(std::string const& name, std::string const& analyzer,
    fs::path const& folder, std::string const& corpus_name = "corpus.jsonl") {
    if (!fs::exists(folder / corpus_name)) return std::nullopt;
    auto const corpus = trawl::read_corpus((folder / corpus_name).string());
    auto const queries = trawl::read_queries((folder / "queries.jsonl").string());
    auto const judged = trawl::read_qrels((folder / "qrels.tsv").string());
    collection out{name, analyzer, corpus.titles, corpus.texts};
    for (std::size_t q = 0; q < judged.size(); ++q) {
        auto const id = queries.keys.find(judged.query(q));
        std::vector<trawl::judgement> known;
        for (auto const& j : judged.judgements(q).all())
            if (auto const document = corpus.keys.find(judged.documents().key(j.id)))
                known.push_back({*document, j.grade});
        if (!id || known.empty()) continue;
        out.queries.push_back(queries.texts[*id]);
        out.known.emplace_back(std::move(known));
    }
    return out;
}

// Pages of commands: the first line of the description asks for the rest of its page.
std::optional<collection> tldr(
    std::string const& language, std::string const& analyzer, fs::path const& folder) {
    if (!fs::exists(folder)) return std::nullopt;
    std::vector<fs::path> files;
    for (auto const& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".md") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    collection out{"tldr_" + language, analyzer};
    for (auto const& file : files) {
        std::string title;
        std::string description;
        std::string rest;
        auto const text = trawl::read_file(file.string());
        for (std::size_t at = 0; at < text.size();) {
            auto const end = (std::min)(text.find('\n', at), text.size());
            auto const line = text.substr(at, end - at);
            at = end + 1;
            if (line.starts_with("# ")) {
                title = line.substr(2);
            } else if (line.starts_with("> ") && description.empty()) {
                description = line.substr(2);
            } else if (!line.starts_with("> ") || line.find("http") == line.npos) {
                rest += line + "\n";
            }
        }
        if (description.empty() || rest.empty()) continue;
        out.known.push_back({{static_cast<trawl::doc_id>(out.texts.size()), 1}});
        out.titles.push_back(title);
        out.texts.push_back(rest);
        out.queries.push_back(description);
    }
    return out;
}

trawl::any_embedder analysis_of(
    std::vector<std::string> const& texts, trawl::any_analyzer const& analyzer) {
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    return trawl::basic_lsa_embedder<trawl::any_analyzer>::fit(views,
        {.dim = (std::min)(std::size_t{200}, texts.size()),
            .least_df = texts.size() < 1000 ? 1u : 2u},
        analyzer);
}

// An embedder of texts that come again.
struct remembering_embedder {
    trawl::any_embedder model;
    std::unordered_map<std::string, std::vector<float>> mutable known = {};

    [[nodiscard]] std::size_t dim() const { return model.dim(); }
    [[nodiscard]] std::vector<float> const& passage(std::string const& text) const {
        auto const [at, is_new] = known.try_emplace(text);
        if (is_new) at->second = embedded(text, trawl::text_role::passage);
        return at->second;
    }
    [[nodiscard]] std::vector<float> embedded(std::string_view text, trawl::text_role role) const {
        std::vector<float> out(dim());
        model.embed(std::span(&text, 1), role, {out.data(), 1, out.size()});
        return out;
    }
};

// BM25 and vectors of some texts.
class two_arms {
public:
    two_arms(std::vector<std::string> const& texts, trawl::any_analyzer const& analyzer,
        remembering_embedder const& model)
        : words_(analyzer), model_(model), vectors_(model.dim()) {
        for (auto const& text : texts) {
            words_.add(text);
            vectors_.add(model.passage(text));
        }
    }

    // Both rankings of 50, each completed over the union.
    [[nodiscard]] std::vector<trawl::ranking> ask(std::string const& text) const {
        auto const vector = model_.embedded(text, trawl::text_role::query);
        trawl::query const q{.text = text, .vector = vector};
        trawl::search_options const options{.k = 50};
        std::set<trawl::doc_id> found;
        for (auto const& h : words_.search(q, options)) found.insert(h.id);
        for (auto const& h : vectors_.search(q, options)) found.insert(h.id);
        std::vector<trawl::doc_id> const ids(found.begin(), found.end());
        std::vector<trawl::ranking> out{words_.score(q, ids), vectors_.score(q, ids)};
        for (auto& arm : out) trawl::sort_by_rank(arm);
        return out;
    }

private:
    trawl::basic_bm25_index<trawl::any_analyzer> words_;
    remembering_embedder const& model_;
    trawl::flat_index vectors_;
};

// Both arms' rankings of a query, and what it should find.
struct asked {
    std::vector<trawl::ranking> arms;
    trawl::judgements known;
};

std::vector<double> values(std::vector<asked> const& queries, double weight) {
    trawl::weighted_sum const rule{.weights = {1 - weight, weight}};
    std::vector<double> out;
    for (auto const& q : queries) out.push_back(trawl::ndcg{.k = 10}(rule(q.arms), q.known));
    return out;
}

double mean(std::vector<double> const& of) {
    double sum = 0;
    for (double const v : of) sum += v;
    return sum / static_cast<double>(of.size());
}

// Several rounds of pseudo-queries, asked of what is left of the documents.
// @param learnt  null: latent semantic analysis of what is left.
std::vector<asked> pseudo_queries(collection const& c, std::uint64_t seed,
    std::vector<trawl::pseudo_query_source> const& sources, remembering_embedder const* learnt) {
    auto const analyzer = trawl::any_analyzer::named(c.analyzer);
    std::vector<trawl::titled_text> views;
    for (std::size_t i = 0; i < c.texts.size(); ++i) views.push_back({c.titles[i], c.texts[i]});
    std::vector<asked> out;
    for (std::size_t round = 0; round < rounds && out.size() < wanted; ++round) {
        auto const drawn = trawl::draw_pseudo_queries(views, analyzer,
            {.count = wanted - out.size(), .seed = seed * rounds + round, .sources = sources});
        if (drawn.empty()) break;
        auto left = c;
        for (auto const& q : drawn) {
            left.titles[q.document] = q.title;
            left.texts[q.document] = q.text;
        }
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < left.texts.size(); ++i) texts.push_back(left.searched(i));
        std::optional<remembering_embedder> own;
        if (learnt == nullptr) own = remembering_embedder{analysis_of(texts, analyzer)};
        two_arms const arms(texts, analyzer, own ? *own : *learnt);
        for (auto const& q : drawn) out.push_back({arms.ask(q.query), {{q.document, 1}}});
    }
    return out;
}

// What each weight is worth for the judged queries.
struct real_worth {
    std::vector<asked> judged = {};
    std::vector<double> means = {};

    real_worth(collection const& c, remembering_embedder const& model) {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < c.texts.size(); ++i) texts.push_back(c.searched(i));
        two_arms const whole(texts, trawl::any_analyzer::named(c.analyzer), model);
        auto const every = (c.queries.size() + 1499) / 1500;
        for (std::size_t q = 0; q < c.queries.size(); q += every)
            judged.push_back({whole.ask(c.queries[q]), c.known[q]});
        for (std::size_t i = 0; i <= steps; ++i)
            means.push_back(mean(values(judged, static_cast<double>(i) / steps)));
    }
    [[nodiscard]] double operator()(double weight) const {
        return means[static_cast<std::size_t>(weight * steps + .5)];
    }
    [[nodiscard]] double better() const { return (std::max)(means.front(), means[steps / 2]); }
    [[nodiscard]] double best() const { return *std::max_element(means.begin(), means.end()); }
};

trawl::weight_choice choice_of(std::vector<asked> const& queries) {
    return trawl::choose_weight([&](double w) { return values(queries, w); });
}

void print_weights(std::map<double, int> const& weights) {
    for (auto const& [weight, count] : weights) std::printf(" %g (%d)", weight, count);
    std::puts(" |");
    std::fflush(stdout);
}

void measure(collection const& c, std::size_t seeds) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < c.texts.size(); ++i) texts.push_back(c.searched(i));
    remembering_embedder const whole{analysis_of(texts, trawl::any_analyzer::named(c.analyzer))};
    real_worth const worth(c, whole);
    auto const better = worth.better();

    using source = trawl::pseudo_query_source;
    auto const usual = trawl::pseudo_query_options().sources;
    double chosen = 0;
    double most = 0;
    double passages = 0;
    double leaking = 0;
    double with_judged = 0;
    double worst = 1;
    std::map<double, int> weights;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        auto queries = pseudo_queries(c, seed, usual, nullptr);
        auto const choice = choice_of(queries);
        ++weights[choice.weight];
        chosen += worth(choice.weight);
        worst = (std::min)(worst, worth(choice.weight));
        most += worth(choice.tried.points[choice.tried.best].parameters[0]);
        trawl::detail::random numbers(seed);
        for (int i = 0; i < 20; ++i)
            queries.push_back(worth.judged[numbers.below(worth.judged.size())]);
        with_judged += worth(choice_of(queries).weight);
        if (seed > 5) continue; // the rest only shows what not to do
        passages += worth(choice_of(pseudo_queries(c, seed, {source::passage}, nullptr)).weight);
        leaking += worth(choice_of(pseudo_queries(c, seed, usual, &whole)).weight);
    }
    auto const n = static_cast<double>(seeds);
    auto const few = static_cast<double>((std::min)(seeds, std::size_t{5}));
    std::printf("| %s | %zu | %.4f | %.4f | %+.4f | **%+.4f** | %+.4f | %+.4f | %+.4f | %+.4f | "
                "%+.4f |",
        c.name.c_str(), worth.judged.size(), worth(0), worth(.5), worth.best() - better,
        chosen / n - better, worst - better, with_judged / n - better, most / n - better,
        passages / few - better, leaking / few - better);
    print_weights(weights);
}

// With the vectors of a model, which has not read the collection.
void measure(collection const& c, remembering_embedder const& model) {
    real_worth const worth(c, model);
    auto const better = worth.better();
    constexpr std::uint64_t seeds = 3;
    double chosen = 0;
    double worst = 1;
    std::map<double, int> weights;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        auto const choice =
            choice_of(pseudo_queries(c, seed, trawl::pseudo_query_options().sources, &model));
        ++weights[choice.weight];
        chosen += worth(choice.weight);
        worst = (std::min)(worst, worth(choice.weight));
    }
    std::printf("| %s | %zu | %.4f | %.4f | %+.4f | **%+.4f** | %+.4f |", c.name.c_str(),
        worth.judged.size(), worth(0), worth(.5), worth.best() - better,
        chosen / static_cast<double>(seeds) - better, worst - better);
    print_weights(weights);
}

} // namespace

int main(int argc, char** argv) {
    auto const quick = bench::parse(argc, argv).quick;
    fs::path const data = "../shared/data";
    std::vector<std::optional<collection>> const english = {
        beir("examples/corpus", "english", "examples/corpus", "chunks.jsonl"),
        beir("xquad_en", "english", data / "xquad_en"),
        beir("scifact", "english", data / "scifact")};
    std::puts(
        "| collection | queries | BM25 | half | hindsight | chosen | worst seed | and 20 judged | "
        "highest mean | passages alone | learnt from all | weights chosen (seeds) |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (auto const& c : {english[0], english[1], beir("xquad_de", "german", data / "xquad_de"),
             beir("piaf_fr", "french", data / "piaf_fr"), english[2],
             tldr("en", "english", data / "tldr/en"), tldr("de", "german", data / "tldr/de"),
             tldr("fr", "french", data / "tldr/fr")})
        if (c) measure(*c, quick ? 3 : 20);
    char const* const folder = std::getenv("TRAWL_MODEL");
    if (folder == nullptr || quick) return 0;
    trawl::thread_executor const pool;
    remembering_embedder const model{trawl::sentence_encoder::open(folder, {.pool = &pool})};
    std::puts("\n| collection | queries | BM25 | half | hindsight | chosen | worst seed | weights "
              "chosen (seeds) |\n|---|---|---|---|---|---|---|---|");
    for (auto const& c : english)
        if (c) measure(*c, model);
}
