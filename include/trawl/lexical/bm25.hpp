// SPDX-License-Identifier: MIT
#pragma once

/// The BM25 family: its parameters and its formulas.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// Whose formulas. N documents, df of them with the term, tf times in this one; B = 1 - b + b *
/// length / average length; natural logarithms. A score is the sum of idf * tf part over the terms
/// that document and query share: of BM25L and BM25+ too, whose shift bm25s and rank_bm25 give to
/// documents without the term as well. (rank_bm25's BM25L multiplies by tf once more than the
/// paper.)
enum class bm25_variant : unsigned char {
    lucene, ///< idf ln(1 + (N - df + .5) / (df + .5)); tf part tf / (tf + k1 B)
    /// rank_bm25's: idf ln((N - df + .5) / (df + .5)), where below 0: epsilon * the mean idf of all
    /// terms, negative ones included; tf part tf (k1 + 1) / (tf + k1 B)
    okapi,
    robertson, ///< bm25s': idf ln max(1, (N - df + .5) / (df + .5)); tf part as lucene
    atire,     ///< idf ln(N / df); tf part as okapi
    /// idf ln((N + 1) / (df + .5)); tf part (k1 + 1) (c + delta) / (k1 + c + delta), c = tf / B
    bm25l,
    bm25plus, ///< idf ln((N + 1) / df); tf part as okapi, + delta
    /// SQLite's, not negated: idf as okapi, 1e-6 where that is not above 0; tf part as okapi
    fts5,
    pisa, ///< idf max(1e-6, that of okapi); tf part as okapi
    /// idf as lucene; tf part as okapi. IResearch's and retriv's, too, with exact lengths
    tantivy,
    /// idf ln(w), w = (N - df + .5) / (df + .5), where below 2: w / 2 + 1; tf part as okapi with no
    /// document shorter than least_length averages; a term's weight q in the query counts (k3 + 1)
    /// q / (k3 + q)
    xapian,
    tf_ldp, ///< TF_l.delta.p x IDF: idf ln((N + 1) / df); tf part 1 + ln(1 + ln(tf / B + delta))
};

namespace detail {

inline constexpr std::string_view bm25_names[] = {"lucene", "okapi", "robertson", "atire", "bm25l",
    "bm25plus", "fts5", "pisa", "tantivy", "xapian", "tf_ldp"};
inline constexpr std::size_t bm25_variants{std::size(bm25_names)};

} // namespace detail

/// "lucene", "okapi", …
[[nodiscard]] constexpr std::string_view name_of(bm25_variant variant) noexcept {
    return detail::bm25_names[static_cast<std::size_t>(variant)];
}

/// All of them, in the order of the enumeration.
[[nodiscard]] constexpr std::span<std::string_view const> bm25_variant_names() noexcept {
    return detail::bm25_names;
}

/// How a document's length is known when it is scored. The average is that of the exact lengths.
enum class length_code : unsigned char {
    exact,
    /// as Lucene's and Tantivy's norms of one byte keep it: exact up to 40, then rounded down to
    /// one of 8 steps for each doubling
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
    /// how late a repeated term stops to count, [0, 1000]; 0: once is as good as often
    double k1 = 1.2;
    double b = 0.75;       ///< how much long documents pay, [0, 1]
    double epsilon = 0.25; ///< okapi only: the floor's share of the mean idf, >= 0
    /// bm25l and bm25plus: >= 0; tf_ldp: >= 1. None: that of the papers, .5 for bm25l, 1 for the
    /// others.
    std::optional<double> delta = {};
    /// xapian only: how late a repeated word of the query stops to count, >= 0
    double k3 = 1;
    double least_length = 0.5; ///< xapian only: shorter documents count as so many averages, >= 0
    length_code lengths = length_code::exact;

    /// The parameters with which the variant's own engine runs, its length code among them; those
    /// of rank_bm25 for okapi, bm25l and bm25plus, of bm25s for robertson and atire.
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

    /// @throws trawl::error (not_finite, invalid_argument) naming the parameter.
    void validate() const {
        if (static_cast<std::size_t>(variant) >= detail::bm25_variants) {
            detail::fail(errc::invalid_argument,
                detail::join("bm25: there is no variant ", static_cast<unsigned>(variant)));
        }
        if (lengths > length_code::lucene_byte) {
            detail::fail(errc::invalid_argument,
                detail::join("bm25: there is no length code ", static_cast<unsigned>(lengths)));
        }
        require("k1", k1, 0, 1000);
        require("b", b, 0, 1);
        require("epsilon", epsilon, 0, 1000);
        require("delta", delta.value_or(1), variant == bm25_variant::tf_ldp ? 1 : 0, 1000);
        require("k3", k3, 0, 1000);
        require("least_length", least_length, 0, 1000);
    }

    friend bool operator==(bm25 const&, bm25 const&) = default;

private:
    static void require(std::string_view name, double value, double least, double most) {
        if (!detail::is_finite(value)) {
            detail::fail(
                errc::not_finite, detail::join("bm25: ", name, " must be a number, is ", value));
        }
        if (value < least || value > most) {
            detail::fail(errc::invalid_argument,
                detail::join("bm25: ", name, " must be in [", least, ", ", most, "], is ", value));
        }
    }
};

/// A field of documents, such as their title, and how a bm25f_index counts it.
struct bm25_field {
    std::string name = {};
    double weight = 1;            ///< so many times a word counts that stands here, (0, 1000]
    std::optional<double> b = {}; ///< as bm25::b, of this field; none: that of the index
};

/// The variant of that name.
/// @throws trawl::error (invalid_argument) naming all if there is none.
[[nodiscard]] inline bm25_variant bm25_variant_named(std::string_view name) {
    std::string all;
    for (std::size_t i = 0; i < detail::bm25_variants; ++i) {
        if (detail::bm25_names[i] == name) return static_cast<bm25_variant>(i);
        all += detail::join(i == 0 ? "" : ", ", detail::bm25_names[i]);
    }
    detail::fail(
        errc::invalid_argument, detail::join("bm25: no variant '", name, "'; there are ", all));
}

namespace detail {

// The barriers keep a compiler with -ffast-math from a vector logarithm of fewer digits.
[[nodiscard]] inline double logarithm(double value) noexcept {
    return rounded(std::log(rounded(value)));
}

/// The idf of a term that df >= 1 of so many documents have, before okapi's floor.
[[nodiscard]] inline double idf(
    bm25_variant variant, std::uint64_t documents, std::uint64_t df) noexcept {
    auto const all = static_cast<double>(documents);
    auto const with = static_cast<double>(df);
    auto const odds = rounded((static_cast<double>(documents - df) + 0.5) / rounded(with + 0.5));
    constexpr double least = 1e-6;
    switch (variant) {
    case bm25_variant::lucene:
    case bm25_variant::tantivy:
        return logarithm(1 + odds);
    case bm25_variant::okapi:
        return logarithm(odds);
    case bm25_variant::robertson:
        return logarithm((std::max)(1.0, odds));
    case bm25_variant::atire:
        return logarithm(all / rounded(with));
    case bm25_variant::bm25l:
        return logarithm((all + 1) / rounded(with + 0.5));
    case bm25_variant::bm25plus:
    case bm25_variant::tf_ldp:
        return logarithm((all + 1) / rounded(with));
    case bm25_variant::fts5: {
        auto const value = logarithm(odds);
        return value > 0 ? value : least;
    }
    case bm25_variant::pisa:
        return (std::max)(least, logarithm(odds));
    case bm25_variant::xapian:
        return logarithm(odds < 2 ? odds / 2 + 1 : odds);
    }
    return 0;
}

/// How much a term counts that the query gives this weight.
[[nodiscard]] inline double query_part(bm25 const& parameters, double weight) noexcept {
    if (parameters.variant != bm25_variant::xapian || weight == 0) return weight;
    return rounded(rounded((parameters.k3 + 1) * weight) / rounded(parameters.k3 + weight));
}

} // namespace detail
TRAWL_END_NAMESPACE
