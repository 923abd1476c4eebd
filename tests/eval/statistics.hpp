// SPDX-License-Identifier: MIT
#pragma once

/// The golden figures of tests/golden/eval/make_statistics.py.

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trawl/detail/number_text.hpp>
#include <trawl/formats/detail/columns.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"

namespace support {

struct statistics_golden {
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> cases;
    std::map<std::string, std::map<std::string, double>> figures; ///< by name, then case
};

inline std::vector<double> numbers_of(std::string_view text) {
    std::vector<double> out;
    while (!text.empty()) {
        auto const word = text.substr(0, text.find(' '));
        out.push_back(*trawl::detail::parse_double(word));
        text.remove_prefix((std::min)(text.size(), word.size() + 1));
    }
    return out;
}

inline statistics_golden read_statistics() {
    statistics_golden out;
    std::array<std::string_view, 3> field;
    auto const cases = trawl::read_file("tests/golden/eval/statistics_cases.tsv");
    trawl::line_reader case_lines(cases);
    for (std::string_view line; case_lines.next(line);) {
        REQUIRE(trawl::detail::split_tabs(line, field) == 3);
        out.cases[std::string(field[0])] = {numbers_of(field[1]), numbers_of(field[2])};
    }
    auto const figures = trawl::read_file("tests/golden/eval/statistics.tsv");
    trawl::line_reader lines(figures);
    for (std::string_view line; lines.next(line);) {
        REQUIRE(trawl::detail::split_tabs(line, field) == 3);
        out.figures[std::string(field[0])][std::string(field[1])] =
            *trawl::detail::parse_double(field[2]);
    }
    return out;
}

} // namespace support
