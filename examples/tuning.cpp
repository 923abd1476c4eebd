// SPDX-License-Identifier: MIT
// How long should chunks be, how much should they overlap, and which constants suit BM25? Chosen by
// judged queries, over the pages of examples/corpus.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/eval.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/passages/chunker.hpp>

namespace {

struct page {
    std::string key; // D002
    std::string text;
};

std::vector<page> read_pages() {
    std::vector<page> out;
    for (auto const& file : std::filesystem::directory_iterator("examples/corpus/docs")) {
        auto const name = file.path().filename().string();
        out.push_back(
            {name.substr(0, name.find('-')), trawl::read_file(file.path().generic_string())});
    }
    std::sort(out.begin(), out.end(), [](page const& a, page const& b) { return a.key < b.key; });
    return out;
}

// The judgements name chunks of one length; of pages, D002-chunk-2 is D002. The best grade counts.
trawl::qrels read_judgements() {
    auto const chunks = trawl::read_qrels("examples/corpus/qrels.tsv");
    std::map<std::pair<std::string, std::string>, int> grades;
    for (std::size_t q = 0; q < chunks.size(); ++q) {
        for (auto const& j : chunks.judgements(q).all()) {
            std::string const key(chunks.documents().key(j.id));
            auto& grade = grades[{std::string(chunks.query(q)), key.substr(0, key.find('-'))}];
            grade = (std::max)(grade, j.grade);
        }
    }
    std::vector<trawl::qrels_row> rows;
    for (auto const& [where, grade] : grades) rows.push_back({where.first, where.second, grade});
    return trawl::qrels(rows);
}

} // namespace

int main() {
    auto const pages = read_pages();
    auto const queries = trawl::read_queries("examples/corpus/queries.jsonl");
    auto const judged = read_judgements();
    auto const measures = trawl::measures_named("ndcg@10");

    // -- measure
    // An index for each way of cutting the pages, made once. BM25's constants are not in it.
    struct cut {
        trawl::bm25_index index;
        std::vector<std::size_t> pages; // of each chunk
    };
    std::map<std::pair<double, double>, cut> cuts;
    auto const measured = [&](std::span<double const> at) -> std::optional<trawl::search_outcome> {
        auto const tokens = at[0], overlap = at[1];
        if (overlap >= tokens) return std::nullopt; // makes no sense, is left out
        auto& [index, page_of] = cuts[{tokens, overlap}];
        for (std::size_t p = 0, cutting = index.size() == 0 ? pages.size() : 0; p < cutting; ++p) {
            trawl::chunk_options const length{
                static_cast<std::size_t>(tokens), static_cast<std::size_t>(overlap)};
            for (auto const& chunk :
                trawl::chunk_markdown(pages[p].key, pages[p].text, length).chunks) {
                index.add(chunk.text);
                page_of.push_back(p);
            }
        }
        index.set_parameters({.k1 = at[2], .b = at[3]});
        std::vector<trawl::run_row> found; // a page counts with its best chunk
        for (trawl::doc_id q = 0; q < queries.size(); ++q) {
            std::vector<bool> seen(pages.size());
            for (auto const& h : index.search(queries.texts[q], 100)) {
                auto const p = page_of[h.id];
                if (!seen[p]) found.push_back({queries.keys.key(q), pages[p].key, h.score});
                seen[p] = true;
            }
        }
        return trawl::search_outcome{
            .values = trawl::evaluate(trawl::run(found), judged, measures).values};
    };
    // -- tune
    std::vector<trawl::tuned_parameter> const parameters{{"chunk", {25, 50, 100, 200}},
        {"overlap", {0, 25, 50}}, {"k1", {.3, .6, .9, 1.2, 1.5}, true},
        {"b", {0, .25, .5, .75, 1}, true}};
    std::vector<trawl::tuning_reference> const defaults{
        {"BM25 of chunks of 200", measured(std::vector<double>{200, 40, 1.2, .75})->values}};
    auto const tuned = trawl::tune(parameters, measured, defaults);
    std::fputs(trawl::to_text(trawl::to_table(tuned, defaults, 5)).c_str(), stdout);
    // -- end
}
