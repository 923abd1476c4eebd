// SPDX-License-Identifier: MIT
// The program of docs/tuning.md: whether vectors help a search of these documents, asked without
// judged queries, then with a few.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection.hpp>
#include <trawl/embed/lsa.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

int main() {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (auto const& entry :
        fs::directory_iterator(fs::path(__FILE__).parent_path() / "corpus/docs"))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<trawl::document> documents;
    for (auto const& file : files)
        documents.push_back(
            {.key = file.filename().string(), .text = trawl::read_file(file.string())});
    std::vector<std::string_view> texts;
    for (auto const& d : documents) texts.push_back(d.text);

    // -- fit
    using latent_semantic_analysis = trawl::basic_lsa_embedder<trawl::english_analyzer>;
    auto const fit = [](std::span<std::string_view const> read) -> trawl::any_embedder {
        return latent_semantic_analysis::fit(read, {.dim = 100, .least_df = 1});
    };
    auto manual = trawl::collection::in_memory({
        .vectors = {{.name = "topics", .embedder = fit(texts)}},
        .analyzer = trawl::english_analyzer{},
    });
    manual.put_all(documents);
    manual.commit();

    // -- tune
    auto const choice = trawl::tune(manual.all(), fit);
    std::printf("%s\n", choice.summary("words", "topics").c_str());
    for (auto const i : {0u, 2u, 5u, 10u, 20u}) {
        auto const& point = choice.tried.points[i];
        std::printf("weight %.2f  nDCG@10 %.3f\n", point.parameters[0], point.mean);
    }

    // -- search
    auto const found = manual.search("How long does an access token stay valid?",
        {.k = 1, .weights = {1 - choice.weight, choice.weight}});
    std::printf("%s\n", found.hits[0].document.c_str());

    // -- judged
    std::vector<trawl::judged_query> const judged = {
        {"How long does an access token stay valid?", {"D002-access-tokens.md"}},
        {"How long does the system keep trying to reach my server when it is down?",
            {"D007-webhook-delivery.md"}},
    };
    auto const both = trawl::tune(manual.all(), fit, {.judged = judged});
    std::printf("%zu queries, weight %g\n", both.tried.held_out.size(), both.weight);
    // --
}
