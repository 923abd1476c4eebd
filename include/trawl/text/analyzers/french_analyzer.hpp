// SPDX-License-Identifier: MIT
#pragma once

/// For French prose, without a stemming library.

#include <string>

#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/elision.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Takes plural and gender endings off folded French words of six or more letters: chanteuses and
/// chanteuse become chanteus, chevaux and cheval cheval. A term is touched only if it consists of
/// the letters a to z.
/// @par Source Savoy, "A stemming procedure and stopword list for general French corpora", JASIS
/// 50(10), 1999, as in Lucene's FrenchMinimalStemmer.
struct french_light_stemmer {
    bool operator()(std::string& term) const {
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
};

static_assert(token_filter<french_light_stemmer>);

/// Standard, then elision, Snowball's 154 stop words and french_light_stemmer. snowball.hpp has the
/// stronger stemmer.
///
///     L'avion des chanteuses, aujourd'hui    avion | chanteus | aujourd'hui     (positions 0, 2 and 3)
///
/// Thread-safe; copies share the lists.
class french_analyzer
    : public composed_analyzer<standard_analyzer, elision, stop_words, french_light_stemmer> {
public:
    french_analyzer() : composed_analyzer({}, elision::french(), french_stop_words(), {}) {}

    [[nodiscard]] static stop_words french_stop_words() {
        return stop_words::parse(
            "ai aie aient aies ait au aurai auraient aurais aurait aurez auriez aurions aurons "
            "auront "
            "aux avaient avais avait avec avez aviez avons ayant ayez ayons c ce ceci cela celà "
            "ces cet "
            "cette d dans de des du elle en es et eu eue eues eurent eus eusse eussent eusses "
            "eussiez "
            "eussions eut eux eûmes eût eûtes furent fus fusse fussent fusses fussiez fussions fut "
            "fûmes fûtes ici il ils j je l la le les leur leurs lui m ma mais me mes moi mon même "
            "n ne "
            "nos notre nous on ont ou par pas pour qu que quel quelle quelles quels qui s sa sans "
            "se "
            "sera serai seraient serais serait seras serez seriez serions serons seront ses soi "
            "soient "
            "sois soit sont soyez soyons suis sur t ta te tes toi ton tu un une vos votre vous y à "
            "étaient étais était étant étiez étions étée étées êtes");
    }
};

static_assert(analyzer<french_analyzer>);

TRAWL_END_NAMESPACE
