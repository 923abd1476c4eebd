// SPDX-License-Identifier: MIT
// A search over a folder of notes, from nothing to an update: docs/application.md reads it aloud.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <trawl/collection/collection.hpp>
#include <trawl/embed/lsa.hpp>
#include <trawl/embed/storage.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/passages/markdown.hpp>

namespace fs = std::filesystem;

namespace {

// -- read
/// The pages of a folder; their front matter is metadata.
std::vector<trawl::document> read_pages(fs::path const& folder) {
    std::vector<trawl::document> pages;
    for (auto const& file : fs::directory_iterator(folder)) {
        trawl::document page{
            .key = file.path().filename().string(), .text = trawl::read_file(file.path().string())};
        for (auto const& [name, value] : trawl::parse_markdown(page.text).metadata) {
            if (name == "title") page.title = value;
            if (name == "version" || name == "lang") page.metadata.set(name, value);
        }
        pages.push_back(std::move(page));
    }
    std::sort(
        pages.begin(), pages.end(), [](auto const& a, auto const& b) { return a.key < b.key; });
    return pages;
}
// -- embedder
/// Stands for your model: fitted to the pages once, then kept beside the notes.
trawl::lsa_embedder model_for(std::vector<trawl::document> const& pages, std::string const& path) {
    if (fs::exists(path)) return trawl::open<trawl::lsa_embedder>(path);
    std::vector<std::string_view> texts;
    for (auto const& page : pages) texts.push_back(page.text);
    auto fitted = trawl::lsa_embedder::fit(texts, {.dim = 64});
    trawl::save(fitted, path);
    return fitted;
}
// -- show
void show(char const* title, trawl::collection_result const& found) {
    std::printf("%s\n", title);
    for (auto const& hit : found) {
        auto const* const version = hit.metadata.find("version");
        auto snippet = hit.snippet;
        std::replace(snippet.begin(), snippet.end(), '\n', ' ');
        std::printf("  %-27s %-4s %s\n", hit.key.c_str(),
            version == nullptr ? "" : version->as_text().c_str(), snippet.c_str());
    }
}
// -- end

} // namespace

int main(int argc, char** argv) {
    fs::path const folder = argc > 1 ? argv[1] : "examples/corpus/docs";
    auto const place = fs::temp_directory_path() / "trawl-example-notes";
    fs::remove_all(place);
    fs::create_directories(place);

    // -- open
    auto const pages = read_pages(folder);
    trawl::collection_options const options{
        .fields = {{"version", trawl::text_field}, {"lang", trawl::text_field}},
        .vectors = {{.embedder = model_for(pages, (place / "model.lsa").string())}},
        .analyzer = trawl::any_analyzer::named("english"),
    };
    auto const path = (place / "notes.trawl").string();
    {
        auto notes = trawl::collection::open(path, options);
        notes.put_all(pages);
        notes.commit();
        std::printf("%zu pages, %zu passages\n", notes.size(), notes.passages());
    }
    auto notes = trawl::collection::open(path, options); // the next start of the program
    // -- ask
    trawl::collection_search_options asked{.k = 3, .per_parent = 1};
    asked.highlight = {.before = "*", .after = "*", .length = 70};
    show("every version:", notes.search("how long is an access token valid", asked));
    asked.where = trawl::field("version") == "3.1" && trawl::field("lang") == "en";
    show("version 3.1:", notes.search("how long is an access token valid", asked));
    show("and not \"bearer\":", notes.search("access token -bearer", asked));
    // -- counts
    auto const counted = notes.search("backup", {.k = 0, .count = true, .facets = {"version"}});
    std::printf("%zu pages about backup:", *counted.matches);
    for (auto const& [value, count] : counted.facets[0].values)
        std::printf(" %s (%zu)", trawl::to_string(value).c_str(), count);
    // -- update
    notes.put({.key = "today.md",
        .title = "Today",
        .text = "PROD-4817 prints again.",
        .metadata = {{"version", "3.1"}, {"lang", "en"}}});
    notes.erase(trawl::field("version") == "1.9");
    notes.commit();
    std::printf("\n%zu pages\n", notes.size());
    show("an exact name:", notes.search("PROD-4817 prints", asked));
    // -- end
}
