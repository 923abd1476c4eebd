// SPDX-License-Identifier: MIT
// Cuts the pages of examples/corpus/docs into chunks, one section a chunk, and prints them as the
// lines of chunks.jsonl: build/examples/trawl_corpus > examples/corpus/chunks.jsonl

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/formats/json.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/passages/chunker.hpp>

namespace {

std::string joined(std::vector<std::string> const& headings) {
    std::string path;
    for (auto const& heading : headings) path += (path.empty() ? "" : " > ") + heading;
    return path;
}

// The chunker keeps a section's heading in the text; here it stands in the title.
std::string_view without_heading(std::string_view text) {
    while (text.starts_with('#')) {
        text.remove_prefix(text.find('\n'));
        text.remove_prefix(text.find_first_not_of('\n'));
    }
    return text;
}

} // namespace

int main() {
    std::vector<std::string> pages;
    for (auto const& entry : std::filesystem::directory_iterator("examples/corpus/docs")) {
        pages.push_back(entry.path().generic_string());
    }
    std::sort(pages.begin(), pages.end());
    for (auto const& page : pages) {
        auto const name = std::filesystem::path(page).filename().string();
        auto const document =
            trawl::chunk_markdown(name.substr(0, name.find('-')), trawl::read_file(page));
        auto const field = [&](char const* key) { return document.metadata.find(key)->second; };
        for (auto const& chunk : document.chunks) {
            nlohmann::ordered_json const line{{"_id", chunk.id}, {"title", joined(chunk.headings)},
                {"text", without_heading(chunk.text)}, {"version", field("version")},
                {"status", field("status")}, {"lang", field("lang")}, {"path", "docs/" + name}};
            std::printf("%s\n", line.dump().c_str());
        }
    }
}
