// SPDX-License-Identifier: MIT
#pragma once

/// The documentation set of examples/corpus in memory, as every program of the learning path uses
/// it. Not part of the library.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/lexical/bm25_index.hpp>

namespace learn {

/// A section of a page. Its place in corpus::chunks is its doc_id.
struct chunk {
    std::string key;     ///< D002-chunk-1
    std::string path;    ///< the headings above it
    std::string text;    ///< without its heading
    std::string version; ///< 3.1, 2.6 or 1.9
    std::string status;  ///< current or historical
    std::string lang;    ///< en, de or fr

    /// What is indexed: headings, a space, text.
    [[nodiscard]] std::string searched() const { return path + " " + text; }
};

struct question {
    std::string key;
    std::string text;
    std::string label;   ///< paraphrase, identifier, keywords, …, none
    std::string version; ///< whose answer is wanted
    trawl::judgements judged;
    std::span<float const> vector;

    /// The question as the library takes it: its words for BM25, its vector for the dense arm.
    [[nodiscard]] trawl::query query() const { return {.text = text, .vector = vector}; }
    /// A chunk that answers it: the first of the highest grade, no_doc if there is none.
    [[nodiscard]] trawl::doc_id expected() const;
    [[nodiscard]] bool has_answer() const { return judged.count(1) > 0; }
};

/// Cannot be copied: its questions point into its vectors.
struct corpus {
    /// Reads the files of a folder; the folder's name is relative to the project's root.
    explicit corpus(std::string const& folder = default_folder());
    /// examples/corpus, wherever the program is started.
    [[nodiscard]] static std::string default_folder();
    corpus(corpus const&) = delete;
    corpus& operator=(corpus const&) = delete;

    std::vector<chunk> chunks;
    std::vector<question> questions;
    trawl::matrix<float> vectors; ///< all-MiniLM-L6-v2, row i is chunk i
    trawl::matrix<float> question_vectors;

    /// By key: "Q001", "D002-chunk-1". An error if there is none.
    [[nodiscard]] question const& asked(std::string_view key) const;
    [[nodiscard]] trawl::doc_id id(std::string_view key) const;
    [[nodiscard]] std::string const& key(trawl::doc_id id) const { return chunks[id].key; }

    /// The chunks of one version: what a question about it may be answered from.
    [[nodiscard]] trawl::doc_set of_version(std::string_view version) const;

    /// The arms: BM25 over the words, cosine over the vectors.
    [[nodiscard]] trawl::bm25_index lexical() const;
    [[nodiscard]] trawl::flat_index dense(trawl::metric how = trawl::metric::cosine) const;
};

/// Prints the question and whose answer is wanted.
void print_question(question const& q);

/// Prints a ranking, a line a hit: a mark, the rank, id, score, version, status, headings. The mark
/// is ** for a chunk that answers the question, * for one that helps. Hits of equal score say
/// "tied". Above stands the share of these rows that is of another version than the question asks
/// about.
/// @param score_name  what the scores are: "BM25", "cosine", "RRF"
void print_hits(corpus const& c, question const& q, trawl::ranking const& hits,
    char const* score_name, std::size_t rows = 5);

/// Prints the one sentence to take away, after an empty line.
void take_away(char const* sentence);

/// The text at the given width at most, cut with "…".
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

/// The place of a document in a ranking, from 1; 0 if it is not in it.
[[nodiscard]] std::size_t rank_of(trawl::ranking const& hits, trawl::doc_id id);

} // namespace learn
