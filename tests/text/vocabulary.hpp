// SPDX-License-Identifier: MIT
#pragma once

/// Snowball's vocabularies, where they are there.

#include <fstream>
#include <string>

#include "support/catch.hpp"

/// Checks stem(std::string& word) on every word of a language.
template <class Stem>
void check_vocabulary(std::string const& language, Stem const& stem) {
    auto const folder = "../shared/golden/stemming/" + language;
    std::ifstream words(folder + "/voc.txt");
    std::ifstream stems(folder + "/output.txt");
    if (!words || !stems) {
        WARN("skipped: " << folder << " is not there");
        return;
    }
    std::size_t rows = 0;
    std::string wanted;
    for (std::string word; std::getline(words, word) && std::getline(stems, wanted); ++rows) {
        auto stemmed = word;
        stem(stemmed);
        if (stemmed != wanted) {
            CAPTURE(word);
            CHECK(stemmed == wanted);
        }
    }
    CHECK(rows > 20000);
}
