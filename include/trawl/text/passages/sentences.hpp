// SPDX-License-Identifier: MIT
#pragma once

/// Splits a text into sentences.

#include <string_view>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// The sentences of a text in their order, without the blanks around them; the views point into the
/// text. The end of a line ends a sentence. So do marks outside ASCII (。 ！ । ۔ ؟ …, Unicode's
/// Sentence_Terminal) wherever they stand, and . ! ? before a blank that no small letter follows.
/// Closing brackets and quotation marks belong to the sentence before. Abbreviations are not known.
/// O(n).
[[nodiscard]] std::vector<std::string_view> sentences(std::string_view text);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/sentences_inl.hpp>
#endif
