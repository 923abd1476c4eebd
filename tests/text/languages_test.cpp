// SPDX-License-Identifier: MIT
#include <trawl/text/analyzers/french_analyzer.hpp>

#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/german_analyzer.hpp>
#include <trawl/text/elision.hpp>
#include <trawl/text/folding.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

TEST_CASE("german: umlauts, stop words, endings", "[text][german]") {
    trawl::german_analyzer const german;
    CHECK(terms(german, "Die Häuser in großen Städten") == "haus | gross | stadt");
    CHECK(terms(german, "Über das Haus, MÜLLERS Straße") == "uber | haus | mullers | strass");
    // Two queries must not become one: Snowball's list has all of these prepositions.
    CHECK(terms(german, "Versand nach der Bestellung") == "versand | nach | bestellung");
    CHECK(terms(german, "Versand vor der Bestellung") == "versand | vor | bestellung");
    for (auto const* const word : {"nach", "vor", "ohne", "gegen", "unter", "über", "zwischen",
             "während", "hinter", "bis", "durch"}) {
        CAPTURE(word);
        CHECK(terms(german, std::string("Konto ") + word).find(" | ") != std::string::npos);
    }
    CHECK(terms(german, "mit dem Konto in der Bank von nicht") == "konto | bank");
    CHECK(terms(german, "PROD-4817 und Kindern") == "prod-4817 prod 4817 | kind");
    CHECK(covered(german, "die großen Städten") == "großen | Städten");
}

TEST_CASE("french: elision, stop words, endings", "[text][french]") {
    trawl::french_analyzer const french;
    CHECK(terms(french, "L\u2019avion des chanteuses, aujourd'hui")
          == "avion | chanteus | aujourd'hui");
    CHECK(terms(french, "qu'elle, jusqu'à Noël, les chevaux et le cheval")
          == "noel | cheval | cheval");
    CHECK(covered(french, "D\u2019ÉCOLES") == "D\u2019ÉCOLES");
    CHECK(terms(french, "compte sans carte") == "compt | sans | carte");
    CHECK(terms(french, "avant ou après la date") == "avant | apres | date");
    // The English list has the counterparts of neither.
    CHECK(terms(trawl::english_analyzer{}, "delivery without, after, before, against payment")
          == "deliveri | without | after | befor | against | payment");
}

// Lucene's stemmers: on folded words for German, on words as written for French; see
// MakeLight.java.
TEST_CASE("the light stemmers are Lucene's", "[text][german][french]") {
    auto const german = golden("light_german.tsv");
    REQUIRE(german.size() == 1708);
    for (auto const& row : german) {
        CAPTURE(row[0]);
        auto word = row[0];
        trawl::german_light_stemmer{}(word);
        CHECK(word == row[1]);
    }
    auto const french = golden("light_french.tsv");
    REQUIRE(french.size() == 1041);
    // succès, ambiguë: Lucene takes é off an end and no other e with an accent
    std::size_t unlike = 0;
    for (auto const& row : french) {
        CAPTURE(row[0]);
        auto word = trawl::folded(row[0]);
        trawl::french_light_stemmer{}(word);
        auto const other =
            row[0].find("è") != std::string::npos || row[0].find("ë") != std::string::npos;
        unlike += word != trawl::folded(row[1]) ? 1u : 0u;
        if (!other) CHECK(word == trawl::folded(row[1]));
    }
    CHECK(unlike < 5);
}

TEST_CASE("an article goes with its apostrophe, other words stay", "[text][elision]") {
    auto const french = trawl::elision::french();
    auto const elided = [&](std::string term) {
        french(term);
        return term;
    };
    CHECK(elided("l'avion") == "avion");
    CHECK(elided("L\u2019Avion") == "Avion");
    CHECK(elided("jusqu'ici") == "ici");
    CHECK(elided("aujourd'hui") == "aujourd'hui");
    CHECK(elided("presqu'ile") == "presqu'ile");
    CHECK(elided("avion") == "avion");
    CHECK(elided("'x") == "'x");
    CHECK(elided("").empty());
    auto word = std::string("dell'arte");
    trawl::elision::italian()(word);
    CHECK(word == "arte");
}
