// SPDX-License-Identifier: MIT
#include "tour.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/embed/any_embedder.hpp>
#include <trawl/embed/lsa.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/models/sentence_encoder.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/overlap_reranker.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

namespace demo {
namespace {

using lexical_index = trawl::basic_bm25_index<trawl::english_analyzer>;

class stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// What makes the vectors: the model in the folder that TRAWL_MODEL names; without one, latent semantic
// analysis of the documents.
struct vector_maker {
    trawl::any_embedder model = {};
    char const* name = "";
    double weight = 0; // beside BM25
};

vector_maker vector_maker_for(
    std::span<std::string_view const> texts, trawl::executor const& pool) {
    stopwatch const watch;
    if (auto const* const folder = std::getenv("TRAWL_MODEL"); folder != nullptr && *folder != 0) {
        vector_maker out{trawl::sentence_encoder::open(folder, {.pool = &pool}), "model", 0.5};
        std::printf("  model, opened       %6.3f s  %s, %zu dimensions\n", watch.seconds(), folder,
            out.model.dim());
        return out;
    }
    auto fitted = trawl::basic_lsa_embedder<trawl::english_analyzer>::fit(texts, {.dim = 128});
    std::printf("  LSA, fitted         %6.1f s  %zu terms -> %zu dimensions\n", watch.seconds(),
        fitted.terms(), fitted.dim());
    return {std::move(fitted), "LSA", 0.3}; // the weaker arm
}

void heading(std::string_view text) {
    std::printf("\n== %.*s\n\n", static_cast<int>(text.size()), text.data());
}

void print_columns(
    std::vector<document> const& documents, std::vector<trawl::ranking> const& rankings) {
    for (std::size_t i = 0; i < 5; ++i) {
        std::printf("  ");
        for (auto const& hits : rankings) {
            auto const name =
                i < hits.size() ? documents[hits[i].id].name.substr(0, 22) : std::string("-");
            std::printf("%-24s", name.c_str());
        }
        std::printf("\n");
    }
}

// Lines of an explanation, cut to the width of a terminal.
void print_tree(trawl::explanation const& tree) {
    auto const text = trawl::to_text(tree);
    for (std::string_view rest = text; !rest.empty();) {
        auto const end = rest.find('\n');
        std::printf("  %.*s\n", static_cast<int>((std::min)(end, std::size_t{96})), rest.data());
        rest.remove_prefix(end + 1);
    }
}

} // namespace

void show_tour(std::vector<document> const& documents, script const& script) {
    heading("1. Index");
    std::vector<std::string> texts;
    std::size_t bytes = 0;
    for (auto const& d : documents) {
        texts.push_back(d.searched());
        bytes += texts.back().size();
    }
    auto const count = static_cast<double>(documents.size());
    std::printf("  %zu documents, %.1f MB of text, one thread\n", documents.size(),
        static_cast<double>(bytes) / 1e6);

    stopwatch const lexical_watch;
    lexical_index lexical;
    for (auto const& text : texts) lexical.add(text);
    auto seconds = lexical_watch.seconds();
    std::printf(
        "  BM25 index          %6.1f s  %8.0f documents a second\n", seconds, count / seconds);

    std::vector<std::string_view> const views(texts.begin(), texts.end());
    trawl::thread_executor const pool;
    auto const maker = vector_maker_for(views, pool);
    auto const& model = maker.model;

    stopwatch const dense_watch;
    trawl::matrix<float> vectors{
        std::vector<float>(texts.size() * model.dim()), texts.size(), model.dim()};
    model.embed_all(views, trawl::text_role::passage, vectors.view(), 256,
        [](std::size_t done, std::size_t all) {
            std::fprintf(stderr, "\rembedding %zu/%zu%s", done, all, done < all ? "" : "\r\033[K");
        });
    trawl::flat_index dense{model.dim()};
    dense.add_all(vectors.view());
    seconds = dense_watch.seconds();
    std::printf("  embedded, indexed   %6.1f s  %8.0f documents a second, %.0f MB of vectors\n",
        seconds, count / seconds, static_cast<double>(vectors.values.size() * sizeof(float)) / 1e6);

    heading("2. Ask");
    auto const text_of = [&](trawl::doc_id id) { return std::string_view(texts[id]); };
    trawl::basic_overlap_reranker<trawl::english_analyzer> const overlap;
    trawl::weighted_sum const sum{.weights = {1 - maker.weight, maker.weight}};
    auto const fused =
        trawl::hybrid_search{lexical, dense}.fuse(sum, {.complete = true}).embed(model);
    auto const reranked = trawl::hybrid_search{lexical, dense}
                              .fuse(sum, {.complete = true})
                              .embed(model)
                              .rerank(overlap, text_of);
    std::printf("  fused: %.1f BM25 + %.1f cosine, min-max scaled, missing scores computed\n\n",
        1 - maker.weight, maker.weight);
    std::printf("  %-24s%-24s%-24s%-24s\n", "BM25",
        (std::string("cosine (") + maker.name + ")").c_str(), "fused", "fused, reranked");
    for (auto const& question : script.questions) {
        std::vector<float> vector(model.dim());
        std::string_view const text = question;
        model.embed({&text, 1}, trawl::text_role::query, {vector.data(), 1, vector.size()});
        std::printf("\n  \"%s\"\n", question.c_str());
        stopwatch const watch;
        auto const known =
            std::any_of(vector.begin(), vector.end(), [](float x) { return x != 0; });
        auto const near_by = known ? dense.search(vector, 5) : trawl::ranking{};
        print_columns(documents, {lexical.search(text, 5), near_by, fused({.text = text}, 5),
                                     reranked({.text = text}, 5)});
        if (!known) std::printf("  (no document holds any of these words: neither arm can know)\n");
        std::printf("  (all four in %.1f ms)\n", watch.seconds() * 1e3);
    }

    heading("3. Why? The first hit of the first question, to the last term");
    trawl::query const first{.text = script.questions.front()};
    for (auto const& best : fused(first, 1)) {
        std::printf(
            "  %s: %s\n", documents[best.id].name.c_str(), documents[best.id].summary.c_str());
        print_tree(fused.explain(first, best.id));
    }

    heading("4. Filter both arms");
    trawl::doc_set allowed(documents.size());
    for (trawl::doc_id id = 0; id < documents.size(); ++id)
        if (documents[id].group == script.group) allowed.insert(id);
    std::printf("  \"%s\", everything beside the %zu documents of \"%s\"\n",
        script.filtered_question.c_str(), allowed.count(), script.group.c_str());
    trawl::query const asked{.text = script.filtered_question};
    print_columns(documents, {fused(asked, 5), fused(asked, 5, allowed)});
}

} // namespace demo
