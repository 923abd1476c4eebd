// SPDX-License-Identifier: MIT
#pragma once

/// The documents of the tour: packages of this machine's distribution, or else the manual in
/// examples/corpus.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <trawl/error.hpp>

namespace demo {

struct document {
    std::string name = {};
    std::string group = {}; ///< a package's section; a page's language
    std::string summary = {};
    std::string text = {};

    [[nodiscard]] std::string searched() const { return name + ". " + summary + ". " + text; }
};

/// Reads what packages.sh wrote: name, section, priority, summary, description between tabs.
[[nodiscard]] inline std::vector<document> read_packages(std::string const& path) {
    std::ifstream file(path);
    if (!file) throw trawl::error(trawl::errc::io, path + ": cannot be opened");
    std::vector<document> out;
    for (document d; std::getline(file, d.name, '\t');) {
        std::string priority;
        std::getline(file, d.group, '\t');
        std::getline(file, priority, '\t');
        std::getline(file, d.summary, '\t');
        std::getline(file, d.text);
        out.push_back(d);
    }
    return out;
}

/// Reads pages that begin with front matter (title, lang) between two lines "---".
[[nodiscard]] inline std::vector<document> read_manual(std::string const& folder) {
    std::vector<document> out;
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        document d{.name = entry.path().stem().string()};
        std::ifstream file(entry.path());
        int fences = 0;
        for (std::string line; std::getline(file, line);) {
            if (line == "---" && fences < 2) {
                ++fences;
            } else if (fences < 2) {
                if (line.starts_with("title: ")) d.summary = line.substr(7);
                if (line.starts_with("lang: ")) d.group = line.substr(6);
            } else {
                d.text += line + ' ';
            }
        }
        out.push_back(std::move(d));
    }
    return out;
}

} // namespace demo
