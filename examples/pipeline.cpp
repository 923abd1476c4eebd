// SPDX-License-Identifier: MIT
// The parts of a search, one after the other: docs/pipeline.md reads it aloud.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/all.hpp>

namespace {

// -- pages
struct page {
    char const* text;
    std::vector<float> vector; // your model's; here by hand
    int version;
    int manual; // the pages of a manual belong together
};

std::vector<page> const pages{
    {"An access token is valid for 12 hours.", {1, .1f}, 2, 0},
    {"A bearer credential expires after 30 minutes.", {.9f, .3f}, 3, 1},
    {"Refresh a bearer credential before it expires.", {.8f, .4f}, 3, 1},
    {"Tokens are printed on the back of the card.", {.2f, 1}, 3, 2},
    {"HLY-2388: the token was revoked.", {.5f, .8f}, 3, 3},
};
// -- end

void show(char const* title, trawl::ranking const& hits) {
    std::printf("%s\n", title);
    for (auto const& [id, score] : hits)
        std::printf("  %.4f  version %d  %s\n", static_cast<double>(score), pages[id].version,
            pages[id].text);
}

} // namespace

int main() {
    // -- index
    trawl::bm25_index words;
    trawl::flat_index meaning{2};
    trawl::doc_set current(pages.size());
    for (auto const& p : pages) {
        auto const id = meaning.add(p.vector);
        words.add(id, p.text);
        if (p.version == 3) current.insert(id);
    }
    std::vector<float> const vector{1, .2f};
    trawl::query const query{.text = "How long is an access token valid?", .vector = vector};
    // -- fuse
    auto const fused = trawl::hybrid_search{words, meaning}.window(20).fuse(
        trawl::weighted_sum{.weights = {0.4, 0.6}}, {.complete = true});
    show("fused, every version:", fused(query, 3));
    show("fused, version 3:", fused(query, 3, current));
    // -- stages
    auto const text_of = [](trawl::doc_id id) { return std::string_view(pages[id].text); };
    auto const manual_of = [](trawl::doc_id id) { return pages[id].manual; };
    // Stands for your model; this one prefers short texts.
    auto const cross_encoder = [](trawl::query const&, std::span<trawl::candidate const> batch,
                                   std::span<float> out) {
        for (std::size_t i = 0; i < batch.size(); ++i)
            out[i] = -static_cast<float>(batch[i].text.size());
    };
    auto const search = trawl::hybrid_search{words, meaning}
                            .window(20)
                            .fuse(trawl::weighted_sum{.weights = {0.4, 0.6}}, {.complete = true})
                            .rerank(cross_encoder, text_of, {.depth = 2})
                            .then(trawl::group_by_parent{manual_of});
    show("reranked to depth 2, one page of each manual:", search(query, 3, current));
    // -- report
    auto const report = search.report(query, {.k = 3, .where = current});
    for (auto const& step : report.trace) {
        std::printf("%-16s %zu in, %zu out, %zu scored\n", step.name.c_str(), step.candidates_in,
            step.candidates_out, step.scored);
        for (auto const& note : step.notes) std::printf("%-16s %s\n", "", note.c_str());
    }
    // -- explain
    auto const why = fused.explain(query, 1, {.k = 3, .where = current});
    std::printf("%s", trawl::to_text(why.children[0].children[0]).c_str());
    // -- pages
    auto cursor = fused.pages(query, {.k = 3, .where = current});
    while (!cursor.at_end()) show("next page:", cursor.next(2));
    // -- end
}
