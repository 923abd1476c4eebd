// SPDX-License-Identifier: MIT
#pragma once

/// Tantivy's tokenizer "default".

#include <string_view>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Matches runs of alphanumeric characters and puts them in lower case. A run of 40 bytes or more is
/// dropped and leaves its position empty. Accents are kept; of the marks only alphabetic ones belong
/// to words.
///
///     Don't x_y café CO₂    don | t | x | y | café | co₂
///
/// Thread-safe. O(n).
class tantivy_default_analyzer {
public:
    /// Passes the tokens of a text to sink. The text is UTF-8; any bytes are allowed.
    /// @throws trawl::error (invalid_argument) if the text has 4 GiB or more.
    void analyze(std::string_view text, token_sink sink) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/tantivy_default_analyzer_inl.hpp>
#endif
