// SPDX-License-Identifier: MIT
// Instantiates every public template and uses what is public once, as a consumer would, so that the
// strict warnings, -fno-exceptions, -fno-rtti and libc++ see all of the library's code.
#include <trawl/fwd.hpp>

#include <trawl/all.hpp>
#include <trawl/collection.hpp>
#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/maxsim_index.hpp>
#include <trawl/formats.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/models.hpp>
#include <trawl/storage.hpp>

#if __has_include(<Eigen/Core>)
#include <trawl/embed/lsa.hpp>
#include <trawl/embed/storage.hpp>
#endif
#if __has_include(<nlohmann/json.hpp>)
#include <trawl/collection/condition_json.hpp>
#include <trawl/collection/metadata_json.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/json.hpp>
#endif

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

int failures = 0;

void expect(bool holds, char const* what) {
    if (holds) return;
    std::printf("does not hold: %s\n", what);
    ++failures;
}

std::vector<std::string_view> const texts{
    "the cat sat on the mat", "a dog and a cat", "PROD-4817 refund policy", "refunds for dogs"};
std::vector<float> const vectors{1, 0, 0, 1, 0.6f, 0.8f, -1, 0}; // [4 x 2]

std::span<float const> vector_of(trawl::doc_id id) {
    return std::span(vectors).subspan(std::size_t{2} * id, 2);
}

void use_core() {
    auto const odd = trawl::doc_set(10, {1, 3, 5, 7, 9});
    auto const all = trawl::doc_set::all(10);
    expect((all - odd).count() == 5 && (odd | ~odd) == all && (odd & ~odd).empty(), "set algebra");
    std::size_t visited = 0;
    odd.for_each([&](trawl::doc_id) { ++visited; });
    expect(visited == 5 && !trawl::filter(odd).admits(2), "a filter admits members only");

    trawl::thread_executor const threads(2);
    std::vector<std::size_t> squares(5);
    trawl::run_tasks(&threads, squares.size(), [&](std::size_t i) { squares[i] = i * i; });
    expect(squares.back() == 16, "every task runs");

    trawl::explanation const tree{
        .op = trawl::operation::sum, .value = 3, .children = {{.value = 1}, {.value = 2}}};
    expect(trawl::adds_up(tree) && !trawl::to_text(tree).empty(), "an explanation adds up");

    trawl::key_table keys;
    expect(keys.add("a") == 0 && keys.find("a") == 0u && keys.key(0) == "a", "keys");
}

template <trawl::analyzer Analyzer>
std::size_t words(Analyzer const& analyzer, std::string_view text) {
    std::size_t n = 0;
    analyzer.analyze(text, [&](trawl::token const&) { ++n; });
    return n;
}

void use_text() {
    expect(words(trawl::standard_analyzer{}, texts[0]) == 6, "standard");
    expect(words(trawl::technical_analyzer{}, texts[2]) == 3, "technical");
    expect(words(trawl::english_analyzer{}, texts[0]) == 3, "english");
    expect(words(trawl::any_analyzer::named("english"), texts[0]) == 3, "by name");
    auto const own = trawl::composed_analyzer{trawl::standard_analyzer{}, trawl::possessive{},
        trawl::stop_words{"the"}, trawl::porter_stemmer{}};
    expect(words(own, texts[0]) == 4, "composed");
    for (auto const name : trawl::any_analyzer::names()) {
        expect(words(trawl::any_analyzer::named(name), texts[2]) > 0, "each by its name");
    }
    auto const french = trawl::composed_analyzer{trawl::word_analyzer{}, trawl::lower_case{},
        trawl::elision::french(), trawl::porter2_stemmer{}, trawl::folding{}};
    expect(words(french, "l'avion") == 1, "elision");
    trawl::synonym_analyzer const cars{trawl::standard_analyzer{}, {{"car", "automobile"}}};
    expect(words(cars, "car") == 2, "synonyms");
    expect(
        trawl::highlight(texts[1], {.text = "cat"}).text == "a dog and a <b>cat</b>", "highlight");
    auto const document = trawl::chunk_markdown("D1", "---\ntitle: T\n---\n# A\n\nwords here\n");
    expect(document.chunks.size() == 1 && document.chunks[0].id == "D1-chunk-1", "chunks");
    expect(document.metadata.at("title") == "T" && document.metadata.size() == 1, "front matter");
    expect(trawl::decode_utf8("\xC3\xA9", 0).code == 0xE9, "UTF-8");
}

template <class Index, class Question>
void use_index(Index& index, Question const& question, trawl::query const& q) {
    auto const all = index.search(q, {.k = 4});
    auto const some = trawl::doc_set(4, {0, 1});
    expect(!all.empty() && index.search(question, 1).size() == 1, "search");
    expect(index.search(question, 4, some).size() <= 2, "filtered search");
    std::vector<trawl::doc_id> const ids{all[0].id};
    expect(
        index.score(q, ids) == std::vector<trawl::hit>{all[0]}, "score gives the bits of search");
    auto const why = index.explain(q, all[0].id);
    expect(trawl::adds_up(why) && static_cast<float>(why.value) == all[0].score,
        "explain gives the score");
    expect(index.size() == 4 && index.next_id() == 4 && index.contains(0), "sizes");
    expect(index.erase(3) && !index.erase(3) && index.size() == 3, "erase");
}

template <class Index>
void use_coded_vectors() {
    Index index(2);
    index.add_all(trawl::matrix_view<float const>{vectors.data(), 4, 2});
    expect(index.search(vector_of(1), 1).front().id == 1, "coded vectors");
    expect(index.update(0, vector_of(1)), "update");
    trawl::query const queries[] = {{.vector = vector_of(1)}, {.text = "words"}};
    auto const found = index.search(std::span<trawl::query const>(queries));
    expect(found.size() == 2 && !found[0].empty() && found[1].empty(), "several queries");
    if constexpr (requires { index.set_candidates(2); }) {
        index.set_candidates(2);
        index.train();
    }
    index.compact();
}

void use_maxsim_index() {
    trawl::maxsim_index index(2);
    trawl::matrix_view<float const> const tokens{vectors.data(), 4, 2};
    index.add(tokens);
    trawl::query const q{.token_vectors = tokens};
    auto const best = index.search(q, {});
    expect(
        best.size() == 1 && index.score(q, std::vector<trawl::doc_id>{0}) == best, "token vectors");
    expect(trawl::adds_up(index.explain(q, 0)), "token vectors explained");
}

void use_questions() {
    trawl::bm25_index index({}, {.positions = true});
    for (auto const text : texts) index.add(text);
    index.set_parameters({.k1 = 0.9, .b = 0.4});
    using namespace trawl::ask;
    auto const question = every("cat").also(phrase("cat sat")).without(trawl::ask::words("dog"));
    auto const found = index.search(question, 4);
    expect(found.size() == 1 && found.front().id == 0, "a question");
    expect(trawl::adds_up(index.explain(question, 0)), "its explanation");
    expect(index.search(prefix("refund"), 4).size() == 2
               && index.search(fuzzy("cta", 1), 4).size() == 2,
        "patterns");
    trawl::bm25_index together;
    expect(together.add_all(texts) == 0 && together.size() == texts.size(), "documents together");
    together.compact(nullptr);
    together.freeze(nullptr);
    expect(together.search(every("cat sat"), 4).size() == 1, "all words of a resting index");
    trawl::syntax_search const typed{index};
    expect(typed.search("+cat -dog", 4).size() == 1, "as people type it");

    trawl::bm25f_index fields({{"title", 2}, {"text", 1, 0.5}});
    for (auto const text : texts) fields.add({"animals", text});
    std::span<std::string_view const> const none[2];
    fields.add_all(std::span(none).first(0));
    expect(
        fields.search("cat", 4).size() == 2 && trawl::adds_up(fields.explain({.text = "cat"}, 0)),
        "fields");
    trawl::syntax_search const titled{fields};
    expect(titled.search("title:animals -text:dog", 4).size() == 3, "a field by name");
    std::vector<trawl::doc_id> const ids{1};
    expect(
        fields.score({.text = "dog"}, ids).size() == 1 && fields.contains(3), "scores of fields");
    fields.update(0, {"", "dog"});
    fields.compact();
    expect(fields.erase(0) && fields.size() == 3 && fields.next_id() == 4, "changes of fields");
}

void use_pipeline() {
    trawl::bm25_index lexical;
    trawl::basic_bm25_index<trawl::any_analyzer> english(
        trawl::any_analyzer::named("english"), {.k1 = 0.9, .b = 0.4});
    trawl::flat_index dense{2};
    trawl::flat_index distances{2, trawl::metric::euclidean};
    for (trawl::doc_id id = 0; id < texts.size(); ++id) {
        lexical.add(texts[id]);
        english.add(id, texts[id]);
        dense.add(id, vector_of(id));
        distances.add(vector_of(id));
    }
    trawl::query const q{.text = "refund cat", .vector = vector_of(2)};
    use_index(lexical, q.text, q);
    use_index(english, q.text, q);
    use_index(dense, q.vector, q);
    use_index(distances, q.vector, q);

    auto const text_of = [](trawl::doc_id id) { return texts[id]; };
    auto const model = [](trawl::query const&, std::span<trawl::candidate const> batch,
                           std::span<float> out) {
        for (std::size_t i = 0; i < batch.size(); ++i)
            out[i] = static_cast<float>(batch[i].text.size());
    };
    auto const search = trawl::hybrid_search{lexical, dense}
                            .window(10)
                            .fuse(trawl::rrf{.k = 60, .weights = {0.6, 0.4}})
                            .rerank(model, text_of, {.depth = 2})
                            .diversify(trawl::mmr{.lambda = 0.5}, dense);
    auto const best = search(q, 3);
    expect(best.size() == 3 && search.report(q).ranking.size() == 3, "a pipeline searches");
    expect(trawl::adds_up(search.explain(q, best[0].id)), "a pipeline explains");

    auto const completed = trawl::hybrid_search{search,
        std::make_shared<trawl::bm25_index const>(lexical),
        trawl::flat_index{2}}.rerank(trawl::basic_overlap_reranker<trawl::english_analyzer>{},
        text_of);
    trawl::any_pipeline const any = trawl::hybrid_search{lexical, dense}.fuse(
        trawl::weighted_sum{.weights = {0.5, 0.5}, .norm = trawl::normaliser::min_max},
        {.complete = true});
    trawl::rrf const rule{.weights = {0.6, 0}};
    double const of_variants[] = {1, 0.5};
    float const scores[] = {3, 1};
    expect(trawl::spread_over(rule, 2, of_variants).weights.size() == 4
               && trawl::leaves_out(rule, 1)
               && trawl::normalised(trawl::normaliser::min_max, scores)[0] == 1,
        "rules spread over variants, normalised scores");
    auto const reranked = search.report(q).trace[3];
    expect(
        reranked.given == trawl::score_origin{} && reranked.left.value_or(reranked.given).own == 2,
        "a stage tells whose scores its hits have");
    trawl::any_retriever const arm(dense);
    expect(!completed(q).empty() && any(q).size() == 3
               && trawl::hybrid_search{arm}(q).size() == arm.search(q).size(),
        "nested and erased pipelines");
}

void use_eval() {
    trawl::run const found{{"q1", "d1", 2.0}, {"q1", "d2", 1.0}};
    trawl::qrels const judged{{"q1", "d2", 1}};
    auto const figures =
        trawl::evaluate(found, judged, trawl::measures_named("ndcg@10,map,mrr,recall@100"));
    expect(figures.summaries.size() == 4 && !trawl::to_text(figures).empty(), "evaluation");
    expect(trawl::warnings(figures, found, judged).empty() && figures.column(0).size() == 1
               && trawl::ordered_entries(found, 0, figures.rules).size() == 2,
        "what an evaluation tells");

    trawl::ranking const hits{{0, 2.0f}, {1, 1.0f}};
    trawl::judgements const known({{1, 1}});
    expect(trawl::ndcg{.k = 10}(hits, known) > 0 && trawl::recall{.k = 1}(hits, known) == 0.0,
        "measures");
    expect(trawl::overlap(hits, hits).share() == 1.0, "overlap");
    std::vector<std::optional<std::size_t>> const ranks{1, 3, std::nullopt};
    expect(trawl::smallest_depth(ranks, 0.6) == 3u, "smallest depth");

    std::vector<trawl::tuned_parameter> const parameters{{"alpha", {0, 1}, true}};
    auto const tuned = trawl::tune(parameters, [](std::span<double const> at) {
        return std::vector<double>{at[0], at[0]};
    });
    expect(tuned.points[tuned.best].parameters[0] == 1.0 && !tuned.warnings.empty(), "tuning");

    auto const chosen = trawl::choose_weight(
        [](double w) {
            return std::vector<double>{w, w + .1};
        },
        {.groups = {"title", "title"}});
    expect(chosen.weight == 1.0 && !chosen.summary("words", "vectors").empty()
               && chosen.groups.size() == 1,
        "a weight");
    trawl::titled_text const cut{.text = "Open the lid and press the green lever until it clicks"};
    auto const drawn = trawl::draw_pseudo_queries(
        std::span(&cut, 1), trawl::standard_analyzer{}, {.min_words = 3, .max_words = 3});
    auto const one_key = [](trawl::doc_id) { return std::string_view("a"); };
    expect(drawn.size() == 1 && trawl::judgements_of(drawn, one_key).size() == 1, "pseudo-queries");
    expect(trawl::sentences("One. Two.").size() == 2, "sentences");

    std::vector<std::string> const techniques{"a", "b"};
    auto const parts = trawl::ablate(techniques, [](std::vector<bool> const& on) {
        return std::optional(trawl::search_outcome{.values = {on[0] ? 1.0 : 0.0, 1.0}});
    });
    expect(parts.sentences.size() == 2, "ablation");
    std::vector<std::string_view> const asked{"who is Maria Schulze"};
    expect(trawl::profile_of(asked).exact == 1.0, "query profile");
}

void use_io() {
    trawl::line_reader lines("a\n\n", "name");
    std::string_view line;
    expect(lines.next(line) && line == "a" && lines.next(line) && trawl::is_blank(line), "lines");
    trawl::matrix_view<float const> const rows{vectors.data(), 4, 2};
    auto const back = trawl::parse_npy<float>(trawl::to_npy(rows), "vectors.npy");
    expect(back.values == vectors, "npy");
    auto const text = std::string_view("q1 Q0 d1 1 2.5 tag\n");
    expect(trawl::to_text(trawl::parse_run(text, "run")) == text, "TREC run");
#if __has_include(<nlohmann/json.hpp>)
    auto const corpus =
        trawl::parse_corpus("{\"_id\": \"a\", \"title\": \"t\", \"text\": \"b\"}\n", "corpus");
    expect(corpus.keys.size() == 1, "BEIR corpus");
    expect(nlohmann::json(trawl::hit{3, 0.5f}).dump() == "{\"id\":3,\"score\":0.5}", "JSON");
#endif
}

void use_metadata() {
    using trawl::field;
    std::vector<trawl::metadata> const rows = {
        {{"version", "3.1"}, {"tags", {"a", "b"}}, {"pages", 12}, {"price", 2.5}, {"draft", false},
            {"published", trawl::date(2024, 2, 29)}},
        {{"version", std::string("3.0")}, {"pages", 5ull}, {"price", 1.5f}}};
    trawl::metadata_table const about(
        {{"version", trawl::text_field}, {"tags", trawl::text_list_field},
            {"pages", trawl::integer_field}, {"price", trawl::float_field},
            {"draft", trawl::bool_field}, {"published", trawl::date_field}},
        rows);
    auto const asked = field("version") == "3.1" && field("tags").contains("a")
                       && field("pages").in({12, 13}) && !(field("price") < 2)
                       && (field("draft") != true || !field("published").exists());
    expect(about.matching(asked) == trawl::doc_set(2, {0}), "a condition");
    expect(trawl::parse_condition(to_text(asked)) == asked, "a condition as text");
    expect(about.facets("tags", 1).size() == 1, "facets");
#if __has_include(<nlohmann/json.hpp>)
    expect(trawl::json_condition(nlohmann::ordered_json(asked)) == asked, "a condition as JSON");
    expect(trawl::parse_json_condition(nlohmann::json(asked).dump()) == asked, "JSON of text");
    nlohmann::ordered_json const first = rows[0];
    expect(converted(trawl::json_metadata(first), about.fields()) == rows[0], "metadata as JSON");
    auto const fields = trawl::fields_as_json(about.fields());
    expect(trawl::json_metadata_fields(fields).size() == 6, "fields as JSON");
#endif
}

void use_collection() {
    auto notes = trawl::collection::in_memory(
        {.fields = {{"version", trawl::text_field}}, .vectors = {{.dim = 2}}});
    notes.put({.key = "a", .text = "a refund", .metadata = {{"version", "3.1"}}});
    notes.put({.key = "b", .text = "no refund", .vector = {1, 0}});
    notes.commit();
    auto const found = notes.search("refund", {.where = trawl::field("version") == "3.1"});
    expect(found.size() == 1 && found.hits[0].key == "a", "a collection");
    std::vector<float> const right = {1, 0};
    expect(notes.search("", {.vector = right, .exact = true}).size() == 1, "an exact search");
    auto const now = notes.view(trawl::field("version") != "3.1").snapshot();
    auto const search = trawl::hybrid_search{now.words(), now.vectors()};
    expect(search({.text = "refund"}).size() == 1, "the arms of a view");
    expect(now.hits(search({.text = "refund"}), "refund").at(0).key == "b", "the hits of the arms");
    expect(now.stored_vectors().dim() == 2 && now.matching({}).count() == 1, "a view's vectors");
    expect(!notes.maintain(), "nothing to merge");
}

void use_models() {
    std::string const folder = "tests/golden/models/";
    trawl::any_embedder const sentences(trawl::sentence_encoder::open(folder + "sentence_bert"));
    std::vector<float> out(sentences.dim() * texts.size());
    sentences.embed_all(
        texts, trawl::text_role::passage, {out.data(), texts.size(), sentences.dim()});
    expect(out[0] != 0, "a sentence encoder");
    auto const reranker = trawl::cross_encoder::open(folder + "bert_classifier");
    auto const text = [](trawl::doc_id id) { return texts[id]; };
    auto const ranked = trawl::rerank_stage(reranker, text)({.text = "a cat"}, {{0, 2}, {1, 1}});
    expect(ranked.size() == 2, "a cross-encoder");
    auto const late = trawl::late_interaction_encoder::open(folder + "late_interaction");
    expect(late.encode(texts[0], trawl::text_role::query).rows > 2, "token vectors");
    trawl::any_embedder const table(trawl::static_embedding::open(folder + "static"));
    expect(table.dim() == 24, "a static embedding");
    auto const tokenizer = trawl::tokenizer::open(folder + "xlm_roberta");
    auto const pair = tokenizer.encode_pair(texts[0], texts[1], {.max_tokens = 12});
    expect(pair.size() == 12 && pair.truncated, "tokens of a pair");
    expect(tokenizer.find(tokenizer.token(pair.ids[0])) == tokenizer.special().begin, "a token");
    auto const about = trawl::read_model_folder(folder + "sentence_bert");
    expect(about.find_prompt("query") == "query: ", "a model's folder");
    trawl::safetensors const weights(about.weights);
    expect(weights.names().size() == weights.size(), "a model's weights");
}

void use_embed() {
#if __has_include(<Eigen/Core>)
    auto const model = trawl::lsa_embedder::fit(texts, {.dim = 2});
    trawl::flat_index dense{model.dim()};
    trawl::matrix<float> rows{
        std::vector<float>(texts.size() * model.dim()), texts.size(), model.dim()};
    model.embed(texts, trawl::text_role::passage, rows.view());
    dense.add_all(std::as_const(rows).view());
    auto const search = trawl::hybrid_search{dense}.embed(model);
    expect(search({.text = "cat"}).size() == texts.size(), "embedding a question");
    trawl::any_embedder const any(model);
    any.embed_all(texts, trawl::text_role::query, rows.view());
    expect(any.fingerprint() == model.fingerprint(), "an embedder's fingerprint");
    if (failures > 1000) { // instantiates, and writes no file
        trawl::save(model, "");
        expect(trawl::open<trawl::lsa_embedder>("").dim() == 2, "LSA in a file");
    }
#endif
}

} // namespace

int main() { // NOLINT(bugprone-exception-escape): it may end the program
    use_core();
    use_text();
    use_coded_vectors<trawl::bfloat16_index>();
    use_coded_vectors<trawl::float16_index>();
    use_coded_vectors<trawl::int8_index>();
    use_coded_vectors<trawl::one_bit_index>();
    use_coded_vectors<trawl::inverted_file_index>();
    use_maxsim_index();
    use_questions();
    use_pipeline();
    use_eval();
    use_io();
    use_metadata();
    use_collection();
    use_embed();
    use_models();
    return failures == 0 ? 0 : 1;
}
