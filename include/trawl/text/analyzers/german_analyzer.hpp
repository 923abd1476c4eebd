// SPDX-License-Identifier: MIT
#pragma once

/// For German prose, without a stemming library.

#include <string>
#include <string_view>

#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Takes plural and case endings off folded German words: Häuser and Haus become haus, Kindern and
/// Kinder kind. A term is touched only if it consists of the letters a to z.
/// @par Source Savoy, "Light stemming approaches for the French, Portuguese, German and Hungarian
/// languages", SAC 2006, as in Lucene's GermanLightStemmer.
struct german_light_stemmer {
    bool operator()(std::string& term) const {
        if (!detail::is_lower_ascii(term)) return true;
        plural(term);
        comparison(term);
        return true;
    }

private:
    static bool ends(std::string const& term, std::string_view suffix) {
        return std::string_view(term).ends_with(suffix);
    }

    // Whether an s or st after this letter is an ending.
    static bool before_s(char c) noexcept {
        return std::string_view("bdfghklmnt").find(c) != std::string_view::npos;
    }

    static void plural(std::string& term) {
        auto const n = term.size();
        if (n > 5 && ends(term, "ern")) {
            term.resize(n - 3);
        } else if (n > 4
                   && (ends(term, "em") || ends(term, "en") || ends(term, "er")
                       || ends(term, "es"))) {
            term.resize(n - 2);
        } else if (n > 3 && (ends(term, "e") || (ends(term, "s") && before_s(term[n - 2])))) {
            term.resize(n - 1);
        }
    }

    static void comparison(std::string& term) {
        auto const n = term.size();
        if (n > 5 && ends(term, "est")) {
            term.resize(n - 3);
        } else if (n > 4
                   && (ends(term, "er") || ends(term, "en")
                       || (ends(term, "st") && before_s(term[n - 3])))) {
            term.resize(n - 2);
        }
    }
};

static_assert(token_filter<german_light_stemmer>);

/// Standard, then Snowball's 231 stop words and german_light_stemmer. Umlauts are folded to their
/// vowels and ß to ss; ae, oe, ue stay as they are written; compounds are not taken apart.
/// snowball.hpp has the stronger stemmer.
///
///     Die Häuser in großen Städten    haus | gross | stadt     (positions 1, 3 and 4)
///
/// Thread-safe; copies share the list of stop words.
class german_analyzer
    : public composed_analyzer<standard_analyzer, stop_words, german_light_stemmer> {
public:
    german_analyzer() : composed_analyzer({}, german_stop_words(), {}) {}

    [[nodiscard]] static stop_words german_stop_words() {
        return stop_words::parse(
            "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer "
            "anderes anderm andern anderr anders auch auf aus bei bin bis bist da damit dann das "
            "dasselbe dazu daß dein deine deinem deinen deiner deines dem demselben den denn "
            "denselben "
            "der derer derselbe derselben des desselben dessen dich die dies diese dieselbe "
            "dieselben "
            "diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines "
            "einig "
            "einige einigem einigen einiger einiges einmal er es etwas euch euer eure eurem euren "
            "eurer "
            "eures für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn "
            "ihnen "
            "ihr ihre ihrem ihren ihrer ihres im in indem ins ist jede jedem jeden jeder jedes "
            "jene "
            "jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner keines können "
            "könnte "
            "machen man manche manchem manchen mancher manches mein meine meinem meinen meiner "
            "meines "
            "mich mir mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine "
            "seinem seinen seiner seines selbst sich sie sind so solche solchem solchen solcher "
            "solches "
            "soll sollte sondern sonst um und uns unse unsem unsen unser unses unter viel vom von "
            "vor "
            "war waren warst was weg weil weiter welche welchem welchen welcher welches wenn werde "
            "werden wie wieder will wir wird wirst wo wollen wollte während würde würden zu zum "
            "zur "
            "zwar zwischen über");
    }
};

static_assert(analyzer<german_analyzer>);

TRAWL_END_NAMESPACE
