// SPDX-License-Identifier: MIT
#pragma once

/// Tokens in a form that tests can read and compare, and the golden files of this folder.

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/concepts.hpp>

/// All terms, one space between them, a bar between positions: "get | api/v3 api v3".
template <trawl::analyzer A>
std::string terms(A const& analyzer, std::string_view text) {
    std::string out;
    std::uint32_t last = 0;
    analyzer.analyze(text, [&](trawl::token const& t) {
        if (!out.empty()) out += t.position == last ? " " : " | ";
        out += t.term;
        last = t.position;
    });
    return out;
}

/// The bytes of the text that each token covers, in the same form as terms.
template <trawl::analyzer A>
std::string covered(A const& analyzer, std::string_view text) {
    std::string out;
    std::uint32_t last = 0;
    analyzer.analyze(text, [&](trawl::token const& t) {
        if (!out.empty()) out += t.position == last ? " " : " | ";
        out += text.substr(t.begin, t.end - t.begin);
        last = t.position;
    });
    return out;
}

inline std::vector<std::string> split_at(std::string const& text, char mark) {
    std::vector<std::string> parts{""};
    for (char const c : text) {
        if (c == mark) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

/// The rows of tests/golden/text/NAME, split at tabs.
inline std::vector<std::vector<std::string>> golden(std::string const& name) {
    std::vector<std::vector<std::string>> rows;
    std::ifstream file("tests/golden/text/" + name);
    for (std::string line; std::getline(file, line);) rows.push_back(split_at(line, '\t'));
    return rows;
}
