// SPDX-License-Identifier: MIT
#pragma once

/// Everything in text/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/text/analyzed_sample.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/analyzers/bm25s_analyzer.hpp>
#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/french_analyzer.hpp>
#include <trawl/text/analyzers/german_analyzer.hpp>
#include <trawl/text/analyzers/lucene_english_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/analyzers/tantivy_default_analyzer.hpp>
#include <trawl/text/analyzers/technical_analyzer.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>
#include <trawl/text/analyzers/word_analyzer.hpp>
#include <trawl/text/elision.hpp>
#include <trawl/text/folding.hpp>
#include <trawl/text/passages/chunker.hpp>
#include <trawl/text/passages/citations.hpp>
#include <trawl/text/passages/context.hpp>
#include <trawl/text/passages/extractive_answerer.hpp>
#include <trawl/text/passages/highlight.hpp>
#include <trawl/text/passages/markdown.hpp>
#include <trawl/text/passages/passage_finder.hpp>
#include <trawl/text/passages/sentences.hpp>
#include <trawl/text/stemmers/porter2_stemmer.hpp>
#include <trawl/text/stemmers/porter_stemmer.hpp>
#include <trawl/text/surface.hpp>
#include <trawl/text/synonyms.hpp>
#include <trawl/text/token_filter.hpp>
#include <trawl/text/utf8.hpp>
