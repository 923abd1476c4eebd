// SPDX-License-Identifier: MIT
#pragma once

/// What tells analyzers apart: files keep its checksum, so that no program opens them with another
/// analyzer.

#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// A text on which the library's analyzers differ.
inline constexpr std::string_view analyzer_sample =
    "The cats' caresses: PROD-4817, /api/v3/orders_items and C++ don't run. L'avion des \xC3\xA9"
    "coles, Stra\xC3\x9F"
    "enb\xC3\xA4ume, \xD0\x9C\xD0\xBE\xD1\x81\xD0\xBA\xD0\xB2\xD0\xB0, \xE6\x9D\xB1\xE4\xBA\xAC\xE9"
    "\x83\xBD x";

/// The terms that an analyzer makes of analyzer_sample, each followed by a zero and as many blanks as
/// its position modulo 64.
template <analyzer A>
[[nodiscard]] std::string analyzed_sample(A const& a) {
    std::string made;
    auto const append = [&](token const& t) {
        if (t.term.empty()) return;
        made.append(t.term).append(1, '\0');
        made.append(t.position % 64, ' ');
    };
    a.analyze(analyzer_sample, append);
    return made;
}

TRAWL_END_NAMESPACE
