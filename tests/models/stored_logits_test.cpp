// SPDX-License-Identifier: MIT

// SciFact's test claims, reranked by the logits that tools/train_cross_encoder.py stored.
#include <trawl/rerank/rerank_stage.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/eval/judgements.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/formats/trec.hpp>

#include "support/catch.hpp"

namespace {

std::string const golden = "tests/golden/cross_encoder/";
std::string const scifact = "../shared/data/scifact/";

struct stored_logits {
    std::span<float const> candidates;
    std::span<float const> logits;

    void operator()(
        trawl::query const&, std::span<trawl::candidate const> batch, std::span<float> out) const {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            std::size_t at = 0;
            while (candidates[at] != static_cast<float>(batch[i].id)) ++at;
            out[i] = logits[at];
        }
    }
};

} // namespace

// Expected: the script's own nDCG of the same candidates.
TEST_CASE("Stored logits rerank SciFact as they did when they were computed", "[models][scifact]") {
    if (!std::filesystem::exists(scifact)) {
        WARN("SciFact is not here: its figures are not checked");
        return;
    }
    auto const candidates = trawl::read_npy(golden + "scifact_candidates.npy");
    auto const logits = trawl::read_npy(golden + "scifact_logits.npy");
    auto const corpus = trawl::read_corpus(scifact + "corpus.jsonl");
    auto const queries = trawl::read_queries(scifact + "queries.jsonl");
    auto const qrels = trawl::read_qrels(scifact + "qrels.tsv");
    REQUIRE(candidates.rows == queries.size());
    trawl::ndcg const measure{.k = 10};

    auto const mean = [&](std::size_t depth) {
        double sum = 0;
        for (std::size_t q = 0; q < qrels.size(); ++q) {
            std::vector<trawl::judgement> judged;
            for (auto const& j : qrels.judgements(q).all())
                judged.push_back({*corpus.keys.find(qrels.documents().key(j.id)), j.grade});
            auto const row = *queries.keys.find(qrels.query(q));
            auto const found = candidates.view().row(row);
            trawl::ranking hits;
            for (auto const document : found) {
                if (document < 0) break;
                hits.push_back(
                    {static_cast<trawl::doc_id>(document), 100 - static_cast<float>(hits.size())});
            }
            if (depth > 0) {
                hits = trawl::rerank_stage(stored_logits{found, logits.view().row(row)},
                    trawl::no_text{}, {.depth = depth})({}, std::move(hits));
            }
            sum += measure(hits, trawl::judgements(std::move(judged)));
        }
        return sum / static_cast<double>(qrels.size());
    };
    CHECK_THAT(mean(0), WithinAbs(.684453, 1e-5));
    CHECK_THAT(mean(10), WithinAbs(.629546, 1e-5));
    CHECK_THAT(mean(20), WithinAbs(.603294, 1e-5));
    CHECK_THAT(mean(50), WithinAbs(.549374, 1e-5));
}
