// SPDX-License-Identifier: MIT
#pragma once

/// Everything in text/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/text/any_analyzer.hpp>
#include <trawl/text/bm25s_analyzer.hpp>
#include <trawl/text/character_runs.hpp>
#include <trawl/text/chunker.hpp>
#include <trawl/text/citations.hpp>
#include <trawl/text/composed_analyzer.hpp>
#include <trawl/text/context.hpp>
#include <trawl/text/elision.hpp>
#include <trawl/text/english_analyzer.hpp>
#include <trawl/text/extractive_answerer.hpp>
#include <trawl/text/folding.hpp>
#include <trawl/text/french_analyzer.hpp>
#include <trawl/text/german_analyzer.hpp>
#include <trawl/text/highlight.hpp>
#include <trawl/text/identifier.hpp>
#include <trawl/text/lucene_english_analyzer.hpp>
#include <trawl/text/markdown.hpp>
#include <trawl/text/porter2_stemmer.hpp>
#include <trawl/text/porter_stemmer.hpp>
#include <trawl/text/sentence.hpp>
#include <trawl/text/standard_analyzer.hpp>
#include <trawl/text/synonyms.hpp>
#include <trawl/text/tantivy_default_analyzer.hpp>
#include <trawl/text/technical_analyzer.hpp>
#include <trawl/text/token_filter.hpp>
#include <trawl/text/unicode.hpp>
#include <trawl/text/unicode_tables.hpp>
#include <trawl/text/whitespace_analyzer.hpp>
#include <trawl/text/word_analyzer.hpp>
#include <trawl/text/word_break.hpp>
