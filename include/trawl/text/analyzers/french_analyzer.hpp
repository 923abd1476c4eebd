// SPDX-License-Identifier: MIT
#pragma once

/// For French prose, without a stemming library.

#include <string>
#include <string_view>

#include <trawl/core/words.hpp>
#include <trawl/text/elision.hpp>
#include <trawl/text/surface.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Removes plural and gender endings from folded French words of six or more letters: chanteuses and
/// chanteuse become chanteus, chevaux and cheval cheval. Only terms that consist of the letters a to
/// z are changed. O(length).
/// @par Source Savoy, "A stemming procedure and stopword list for general French corpora", JASIS
/// 50(10), 1999, as in Lucene's FrenchMinimalStemmer.
struct french_light_stemmer {
    static constexpr bool reduces_words = true; ///< see surface.hpp

    bool operator()(std::string& term) const;
};

/// The standard analyzer, then elision, french_stop_words() and french_light_stemmer.
/// snowball.hpp has a stronger stemmer.
///
///     L'avion des chanteuses, aujourd'hui    avion | chanteus | aujourd'hui     (positions 0, 2 and 3)
///
/// Thread-safe; copies share the lists. O(n).
class french_analyzer {
public:
    french_analyzer();

    /// Passes the tokens of a text to sink. The text is UTF-8; any bytes are allowed.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const;

    /// Passes the words of a text to sink, those dropped as well: see surface.hpp.
    void analyze_surface(std::string_view text, surface_sink sink) const;

    /// Snowball's list, 153 words, less "sans" (without), which changes what a query means and
    /// which English lists do not have either. "après", "avant", "contre" and "sous" (after,
    /// before, against, under) are not on the list; the negations "ne" and "pas" are.
    [[nodiscard]] static stop_words french_stop_words();

private:
    elision elision_;
    stop_words stop_words_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/french_analyzer_inl.hpp>
#endif
