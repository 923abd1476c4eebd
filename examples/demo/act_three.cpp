// SPDX-License-Identifier: MIT

#include "act_two.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/eval/validity.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/passages/chunker.hpp>

namespace demo {
namespace {

struct section {
    std::string version;
    std::string page;
    std::string text;
};

std::vector<section> read_sections(std::filesystem::path const& folder) {
    std::vector<std::filesystem::path> pages;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
        auto const inside = entry.path().lexically_relative(folder).generic_string();
        if (entry.path().extension() == ".md" && inside.starts_with('v'))
            pages.push_back(entry.path());
    }
    std::sort(pages.begin(), pages.end());
    std::vector<section> out;
    for (auto const& page : pages) {
        auto const inside = page.lexically_relative(folder).generic_string();
        auto const slash = inside.find('/');
        for (auto const& chunk :
            trawl::chunk_markdown(inside, trawl::read_file(page.string())).chunks) {
            std::string text;
            for (auto const& heading : chunk.headings) text += heading + " ";
            out.push_back({inside.substr(0, slash), inside.substr(slash + 1), text + chunk.text});
        }
    }
    return out;
}

// The first line that holds a number of at least five digits: here, the default value.
std::string line_with_number(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        auto const end = (std::min)(text.find('\n', at), text.size());
        auto const line = text.substr(at, end - at);
        if (line.find("0000") != std::string_view::npos) return std::string(line);
        at = end + 1;
    }
    return "";
}

} // namespace

void show_versions(std::string const& folder) {
    std::printf("\n== One product, nine manuals: etcd\n\n");
    if (!std::filesystem::exists(folder)) {
        std::printf("  left out: %s is not here\n", folder.c_str());
        return;
    }
    auto const sections = read_sections(folder);
    trawl::basic_bm25_index<trawl::english_analyzer> index;
    for (auto const& s : sections) index.add(s.text);
    std::printf("  %zu passages; BM25, as there are no vectors for them\n", sections.size());

    auto const of_version = [&](std::string_view version) {
        trawl::doc_set set(sections.size());
        for (trawl::doc_id id = 0; id < sections.size(); ++id) {
            if (sections[id].version == version) set.insert(id);
        }
        return set;
    };
    auto const show = [&](char const* name, trawl::ranking const& hits) {
        std::printf("    %-16s", name);
        for (std::size_t i = 0; i < hits.size() && i < 5; ++i) {
            bool const tied = (i > 0 && hits[i - 1].score == hits[i].score)
                              || (i + 1 < hits.size() && hits[i + 1].score == hits[i].score);
            std::printf(" %s%s", sections[hits[i].id].version.c_str(), tied ? " (tied)" : "");
        }
        if (!hits.empty()) {
            auto const& first = sections[hits.front().id];
            std::printf(
                "   first: %s  %s", first.page.c_str(), line_with_number(first.text).c_str());
        }
        std::printf("\n");
    };

    char const* const questions[] = {
        "how many committed transactions trigger a snapshot to disk, snapshot-count default",
        "auto compaction retention default", "how do I enable authentication for root user",
        "restore a cluster from a snapshot backup", "upgrade a running cluster with zero downtime",
        "what is the storage size limit"};
    double open = 0, count = 0;
    for (auto const* const question : questions) {
        for (char const* const version : {"v2.3", "v3.1", "v3.4", "v3.6"}) {
            auto const eligible = of_version(version);
            auto const all = index.search(question, 6);
            open += trawl::ineligible{.k = 5}(all, eligible);
            ++count;
            if (question != questions[0] && question != questions[3]) continue;
            if (std::string_view(version) == "v2.3") {
                std::printf("\n  \"%s\"\n", question);
                show("no filter", all);
            }
            show((std::string("only ") + version).c_str(), index.search(question, 6, eligible));
        }
    }
    std::printf("\n  ineligible@5 over %.0f questions about one version: %.2f without the filter, "
                "0 with it. The "
                "nine\n"
                "  manuals say nearly the same in nearly the same words, so no score can choose "
                "between them, and\n"
                "  \"tied\" means that the order of the files did.\n",
        count, open / count);
}

} // namespace demo
