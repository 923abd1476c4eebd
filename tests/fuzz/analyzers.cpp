// SPDX-License-Identifier: MIT
// Every analyzer, filter and stemmer on any bytes. The first byte chooses.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>
#include <trawl/text/analyzers/word_analyzer.hpp>
#include <trawl/text/elision.hpp>
#include <trawl/text/folding.hpp>
#include <trawl/text/stemmers/porter2_stemmer.hpp>
#include <trawl/text/synonyms.hpp>

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

template <class A>
void analyze(A const& analyzer, std::string_view text) {
    std::uint32_t position = 0;
    analyzer.analyze(text, [&](trawl::token const& t) {
        require(
            t.position >= position && t.begin < t.end && t.end <= text.size() && !t.term.empty());
        position = t.position;
    });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view const text(reinterpret_cast<char const*>(data) + 1, size - 1);
    auto const names = trawl::any_analyzer::names();
    auto const choice = data[0] % (names.size() + 4);
    if (choice < names.size()) {
        analyze(trawl::any_analyzer::named(names[choice]), text);
    } else if (choice == names.size()) {
        analyze(trawl::word_analyzer{}, text);
    } else if (choice == names.size() + 1) {
        analyze(trawl::composed_analyzer{trawl::whitespace_analyzer{}, trawl::elision::french(),
                    trawl::possessive{}, trawl::lower_case{}, trawl::porter2_stemmer{},
                    trawl::folding{}},
            text);
    } else if (choice == names.size() + 2) {
        analyze(trawl::synonym_analyzer{trawl::standard_analyzer{}, {{"a", "b c"}, {"1", "one"}}},
            text);
    } else {
        auto const once = trawl::folded(text);
        // of many marks in a row, the cut may move
        require(trawl::folded(once) == once || text.size() > 20);
    }
    return 0;
}
