// SPDX-License-Identifier: MIT
#pragma once

/// Body of german_analyzer.hpp.

#include <trawl/text/analyzers/german_analyzer.hpp>

#include <string>
#include <string_view>

#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/detail/filter_tokens.hpp>
#include <trawl/text/detail/is_lower_ascii.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline bool german_ends(std::string const& term, std::string_view suffix) {
    return std::string_view(term).ends_with(suffix);
}

// Whether an s or st after this letter is an ending.
[[nodiscard]] inline bool german_before_s(char c) noexcept {
    return std::string_view("bdfghklmnt").find(c) != std::string_view::npos;
}

inline void cut_german_plural(std::string& term) {
    auto const n = term.size();
    if (n > 5 && german_ends(term, "ern")) {
        term.resize(n - 3);
    } else if (n > 4
               && (german_ends(term, "em") || german_ends(term, "en") || german_ends(term, "er")
                   || german_ends(term, "es"))) {
        term.resize(n - 2);
    } else if (n > 3
               && (german_ends(term, "e")
                   || (german_ends(term, "s") && german_before_s(term[n - 2])))) {
        term.resize(n - 1);
    }
}

inline void cut_german_comparison(std::string& term) {
    auto const n = term.size();
    if (n > 5 && german_ends(term, "est")) {
        term.resize(n - 3);
    } else if (n > 4
               && (german_ends(term, "er") || german_ends(term, "en")
                   || (german_ends(term, "st") && german_before_s(term[n - 3])))) {
        term.resize(n - 2);
    }
}

} // namespace detail

TRAWL_INLINE bool german_light_stemmer::operator()(std::string& term) const {
    if (!detail::is_lower_ascii(term)) return true;
    detail::cut_german_plural(term);
    detail::cut_german_comparison(term);
    return true;
}

TRAWL_INLINE german_analyzer::german_analyzer() : stop_words_(german_stop_words()) {}

TRAWL_INLINE void german_analyzer::analyze(std::string_view text, token_sink sink) const {
    detail::filter_tokens(standard_analyzer{}, text, sink,
        [this](std::string& term) { return stop_words_(term) && german_light_stemmer{}(term); });
}

TRAWL_INLINE stop_words german_analyzer::german_stop_words() {
    return stop_words::parse(
        "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer "
        "anderes anderm andern anderr anders auch auf aus bei bin bist da damit dann das dasselbe "
        "dazu daß dein deine deinem deinen deiner deines dem demselben den denn denselben der "
        "derer derselbe derselben des desselben dessen dich die dies diese dieselbe dieselben "
        "diesem diesen dieser dieses dir doch dort du ein eine einem einen einer eines einig "
        "einige einigem einigen einiger einiges einmal er es etwas euch euer eure eurem euren "
        "eurer eures für gewesen hab habe haben hat hatte hatten hier hin ich ihm ihn ihnen ihr "
        "ihre ihrem ihren ihrer ihres im in indem ins ist jede jedem jeden jeder jedes jene jenem "
        "jenen jener jenes jetzt kann kein keine keinem keinen keiner keines können könnte machen "
        "man manche manchem manchen mancher manches mein meine meinem meinen meiner meines mich "
        "mir mit muss musste nicht nichts noch nun nur ob oder sehr sein seine seinem seinen "
        "seiner seines selbst sich sie sind so solche solchem solchen solcher solches soll sollte "
        "sondern sonst um und uns unse unsem unsen unser unses viel vom von war waren warst was "
        "weg weil weiter welche welchem welchen welcher welches wenn werde werden wie wieder will "
        "wir wird wirst wo wollen wollte würde würden zu zum zur zwar");
}

TRAWL_INLINE void german_analyzer::analyze_surface(std::string_view text, surface_sink sink) const {
    detail::filter_surfaces(
        standard_analyzer{}, text, sink, [](std::string&) { return true; },
        [this](std::string& term) { return stop_words_(term) && german_light_stemmer{}(term); });
}

TRAWL_END_NAMESPACE
