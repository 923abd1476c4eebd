// SPDX-License-Identifier: MIT
#pragma once

/// The BM25 family: its variants and their parameters; what an index by it keeps.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// Whose formula scores a document. N is the number of documents and df how many of them contain
/// the term; tf is how often this document contains it; B = 1 - b + b * length / average length.
/// Logarithms are natural. A score is the sum of idf * tf factor over the terms that the document
/// and the query share. This holds for BM25L and BM25+ too: bm25s and rank_bm25 also add their
/// shift to documents without the term. (rank_bm25's BM25L multiplies by tf once more than the
/// paper.)
enum class bm25_variant : unsigned char {
    lucene, ///< idf ln(1 + (N - df + .5) / (df + .5)); tf factor tf / (tf + k1 B)
    /// rank_bm25's: idf ln((N - df + .5) / (df + .5)), replaced where negative by epsilon * the
    /// mean idf of all terms, negative ones included; tf factor tf (k1 + 1) / (tf + k1 B)
    okapi,
    robertson, ///< bm25s': idf ln max(1, (N - df + .5) / (df + .5)); tf factor as lucene
    atire,     ///< idf ln(N / df); tf factor as okapi
    /// idf ln((N + 1) / (df + .5)); tf factor (k1 + 1) (c + delta) / (k1 + c + delta), c = tf / B
    bm25l,
    bm25plus, ///< idf ln((N + 1) / df); tf factor as okapi, + delta
    /// SQLite's, its sign changed: idf as okapi, 1e-6 where that is <= 0; tf factor as okapi
    fts5,
    pisa, ///< idf max(1e-6, that of okapi); tf factor as okapi
    /// idf as lucene; tf factor as okapi. With exact lengths also that of IResearch and retriv
    tantivy,
    /// idf ln(w), w = (N - df + .5) / (df + .5), replaced by w / 2 + 1 where below 2; tf factor as
    /// okapi, where a document counts as at least least_length averages long; a term of weight q in
    /// the query counts (k3 + 1) q / (k3 + q)
    xapian,
    /// TF_l.delta.p x IDF: idf ln((N + 1) / df); tf factor 1 + ln(1 + ln(tf / B + delta))
    tf_ldp,
};

namespace detail {

inline constexpr std::string_view bm25_names[] = {"lucene", "okapi", "robertson", "atire", "bm25l",
    "bm25plus", "fts5", "pisa", "tantivy", "xapian", "tf_ldp"};
inline constexpr std::size_t bm25_variants = sizeof bm25_names / sizeof bm25_names[0];

} // namespace detail

/// The name of a variant: "lucene", "okapi", …
[[nodiscard]] constexpr std::string_view name_of(bm25_variant variant) noexcept {
    return detail::bm25_names[static_cast<std::size_t>(variant)];
}

/// The names of all variants, in the order of the enumeration.
[[nodiscard]] constexpr std::span<std::string_view const> bm25_variant_names() noexcept {
    return {detail::bm25_names, detail::bm25_variants};
}

/// The precision of a document's length in the score. The average length is always that of the
/// exact lengths.
enum class length_code : unsigned char {
    exact,
    /// the one-byte norm of Lucene and Tantivy: exact up to 40, then rounded down to one of 8
    /// values per power of two
    lucene_byte,
};

/// Parameters of BM25. The defaults are Lucene's, with exact lengths.
/// @par Source Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009;
/// Kamphuis, de Vries, Boytsov, Lin, "Which BM25 Do You Mean?", ECIR 2020; Lv, Zhai, "When
/// documents are very long, BM25 fails!", SIGIR 2011, and "Lower-bounding term frequency
/// normalization", CIKM 2011; Rousseau, Vazirgiannis, "Composition of TF normalizations", SIGIR
/// 2013.
struct bm25 {
    bm25_variant variant = bm25_variant::lucene;
    double k1 = 1.2;       ///< term-frequency saturation, [0, 1000]; 0 ignores repetition
    double b = 0.75;       ///< length normalisation, [0, 1]; 0 ignores the length
    double epsilon = 0.25; ///< okapi only: replaces a negative idf by epsilon * mean idf, >= 0
    /// bm25l and bm25plus: [0, 1000]; tf_ldp: [1, 1000]. None means the papers' value: .5 for
    /// bm25l, 1 for the others.
    std::optional<double> delta = {};
    double k3 = 1; ///< xapian only: saturation of a term repeated in the query, [0, 1000]
    /// xapian only: the shortest length that counts, in average lengths, [0, 1000]
    double least_length = 0.5;
    length_code lengths = length_code::exact;

    /// The defaults of the engine that the variant is named after, its length code included: for
    /// okapi, bm25l and bm25plus those of rank_bm25, for robertson and atire those of bm25s.
    [[nodiscard]] static constexpr bm25 as_run_by(bm25_variant variant) noexcept {
        switch (variant) {
        case bm25_variant::okapi:
        case bm25_variant::robertson:
        case bm25_variant::atire:
        case bm25_variant::bm25l:
        case bm25_variant::bm25plus:
            return {.variant = variant, .k1 = 1.5};
        case bm25_variant::pisa:
            return {.variant = variant, .k1 = 0.9, .b = 0.4};
        case bm25_variant::xapian:
            return {.variant = variant, .k1 = 1, .b = 0.5};
        case bm25_variant::lucene:
        case bm25_variant::tantivy:
            return {.variant = variant, .lengths = length_code::lucene_byte};
        case bm25_variant::fts5:
        case bm25_variant::tf_ldp:
            break;
        }
        return {.variant = variant};
    }

    /// Checks every parameter against its range.
    /// @throws trawl::error (not_finite; invalid_argument) naming the parameter and its value.
    void validate() const;

    friend bool operator==(bm25 const&, bm25 const&) = default;
};

/// A field of a document, such as its title, and how a bm25f_index weighs it.
struct bm25_field {
    std::string name = {};        ///< not empty, without a zero byte
    double weight = 1;            ///< multiplies the field's term frequency, (0, 1000]
    std::optional<double> b = {}; ///< bm25::b of this field; none: that of the index
};

/// What a lexical index keeps besides what BM25 needs.
struct index_options {
    bool positions = false; ///< the positions of words, for phrases: 1.2 to 1.4 bytes a word
    /// The surfaces of words (as written, folded), where the analyzer stems or drops them: prefixes
    /// match them, and phrases match the words in identifiers. Costs nothing under an analyzer that
    /// does neither; under english_analyzer some 40 % of the file's bytes, and 1.6 times as long to
    /// build.
    bool surfaces = true;
};

/// The variant of this name, as name_of gives it.
/// @throws trawl::error (invalid_argument), naming all variants, if there is none.
[[nodiscard]] bm25_variant bm25_variant_named(std::string_view name);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/lexical/detail/bm25_inl.hpp>
#endif
