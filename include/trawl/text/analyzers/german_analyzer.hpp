// SPDX-License-Identifier: MIT
#pragma once

/// For German prose, without a stemming library.

#include <string>
#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/text/surface.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Removes plural and case endings from folded German words: Häuser and Haus become haus, Kindern
/// and Kinder kind. Only terms that consist of the letters a to z are changed. O(length).
/// @par Source Savoy, "Light stemming approaches for the French, Portuguese, German and Hungarian
/// languages", SAC 2006, as in Lucene's GermanLightStemmer.
struct german_light_stemmer {
    static constexpr bool reduces_words = true; ///< see surface.hpp

    bool operator()(std::string& term) const;
};

/// The standard analyzer, then german_stop_words() and german_light_stemmer. Umlauts are folded to
/// their vowels and ß to ss; ae, oe and ue are kept as written; compounds are not split. snowball.hpp
/// has a stronger stemmer.
///
///     Die Häuser in großen Städten    haus | gross | stadt     (positions 1, 3 and 4)
///     Versand vor der Zahlung         versand | vor | zahlung
///
/// Thread-safe; copies share the list of stop words. O(n).
class german_analyzer {
public:
    german_analyzer();

    /// Passes the tokens of a text to sink. The text is UTF-8; any bytes are allowed.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const;

    /// Passes the words of a text to sink, those dropped as well: see surface.hpp.
    void analyze_surface(std::string_view text, surface_sink sink) const;

    /// Snowball's list, 220 words, less the prepositions that change what a query means and that
    /// English lists do not have either: nach, vor, während (after, before, during), bis (until),
    /// ohne, gegen (without, against), unter, über (under, over), zwischen, hinter, durch (between,
    /// behind, through). A delivery before payment is not one after it. Keeping them costs nothing:
    /// nDCG@10 of 1190 questions (XQuAD) is .9449 if all are kept, .9435 if only "nach" is (not
    /// tested for significance). Negations (nicht, kein) are on the list, as "no" and "not" are in
    /// English: BM25 cannot tell what they negate.
    [[nodiscard]] static stop_words german_stop_words();

private:
    stop_words stop_words_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/german_analyzer_inl.hpp>
#endif
