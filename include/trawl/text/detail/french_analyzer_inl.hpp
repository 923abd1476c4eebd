// SPDX-License-Identifier: MIT
#pragma once

/// Body of french_analyzer.hpp.

#include <trawl/text/analyzers/french_analyzer.hpp>

#include <string>
#include <string_view>

#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/detail/filter_tokens.hpp>
#include <trawl/text/detail/is_lower_ascii.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE bool french_light_stemmer::operator()(std::string& term) const {
    if (term.size() < 6 || !detail::is_lower_ascii(term)) return true;
    if (term.back() == 'x') {
        term.pop_back();
        if (term.ends_with("au")) term.back() = 'l';
        return true;
    }
    if (term.back() == 's') term.pop_back();
    if (term.back() == 'r') term.pop_back();
    if (term.back() == 'e') term.pop_back();
    if (term.back() == 'e') term.pop_back(); // it was é: née
    if (term.back() == term[term.size() - 2]) term.pop_back();
    return true;
}

TRAWL_INLINE french_analyzer::french_analyzer()
    : elision_(elision::french()), stop_words_(french_stop_words()) {}

TRAWL_INLINE void french_analyzer::analyze(std::string_view text, token_sink sink) const {
    detail::filter_tokens(standard_analyzer{}, text, sink, [this](std::string& term) {
        return elision_(term) && stop_words_(term) && french_light_stemmer{}(term);
    });
}

TRAWL_INLINE stop_words french_analyzer::french_stop_words() {
    return stop_words::parse(
        "ai aie aient aies ait au aurai auraient aurais aurait aurez auriez aurions aurons auront "
        "aux avaient avais avait avec avez aviez avons ayant ayez ayons c ce ceci cela celà ces "
        "cet cette d dans de des du elle en es et eu eue eues eurent eus eusse eussent eusses "
        "eussiez eussions eut eux eûmes eût eûtes furent fus fusse fussent fusses fussiez fussions "
        "fut fûmes fûtes ici il ils j je l la le les leur leurs lui m ma mais me mes moi mon même "
        "n ne nos notre nous on ont ou par pas pour qu que quel quelle quelles quels qui s sa se "
        "sera serai seraient serais serait seras serez seriez serions serons seront ses soi soient "
        "sois soit sont soyez soyons suis sur t ta te tes toi ton tu un une vos votre vous y à "
        "étaient étais était étant étiez étions étée étées êtes");
}

TRAWL_INLINE void french_analyzer::analyze_surface(std::string_view text, surface_sink sink) const {
    detail::filter_surfaces(
        standard_analyzer{}, text, sink, [this](std::string& term) { return elision_(term); },
        [this](std::string& term) { return stop_words_(term) && french_light_stemmer{}(term); });
}

TRAWL_END_NAMESPACE
