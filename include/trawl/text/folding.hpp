// SPDX-License-Identifier: MIT
#pragma once

/// Folding maps the many spellings of a word to one form, in every script. It is Unicode's NFKC and
/// full case folding, and further:
///
/// - Accents are dropped from Latin and Greek letters, and wherever letter and accent are not a
///   letter of their own (й stays, the stress of Росси́я is dropped).
/// - Letters without a decomposition are spelled out: ß ss, œ oe, æ ae, ø o, ł l, đ d, þ th, ı i, ё е.
/// - Hebrew points, Arabic harakat and tatweel are dropped; variants of alef, kaf, yeh and heh become
///   ا ك ي ه, as Lucene's ArabicNormalizer and PersianNormalizer have it.
/// - Digits of every script become ASCII, and so do apostrophes (the ʻokina and the geresh too),
///   gershayim, typographic hyphens and fraction bars. The acute accent (don´t) becomes an
///   apostrophe, with which UTS #39 lists it as confusable; the grave accent does not: it quotes code,
///   also directly behind a word (sql`select`), and UAX #29 ends words there.
/// - A symbol that stands for letters or digits (™ ½ ㎏ ①) gets a blank on either side.
///
/// Canonically equivalent texts fold alike, except for these blanks.

#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// Folds a text as the analyzers do. Any bytes are allowed: each byte that is not UTF-8 becomes
/// U+FFFD, so the result is valid UTF-8. Folding is idempotent. O(n).
[[nodiscard]] std::string folded(std::string_view text);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/folding_inl.hpp>
#endif
