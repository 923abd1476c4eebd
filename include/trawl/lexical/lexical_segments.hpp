// SPDX-License-Identifier: MIT
#pragma once

/// A BM25F index whose documents lie in immutable segments of the caller's files: what
/// trawl::collection searches. bm25f_index is the one to use otherwise.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>
#include <trawl/lexical/query_syntax.hpp>
#include <trawl/storage/sections.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE

struct lexical_query;

namespace detail {
struct opened_lexical_segment;
struct new_lexical_segment;
struct lexical_segments_state;
class term_dictionary;
} // namespace detail

/// What all segments of an index have in common.
struct lexical_segment_options {
    std::vector<bm25_field> fields = {};
    any_analyzer analyzer = {};
    bm25 parameters = {};
    index_options keep = {.positions = true};
};

/// Tells analyzers apart: a checksum of the terms that the analyzer makes of a sample text, on
/// which those of the library differ.
[[nodiscard]] std::uint64_t analyzer_fingerprint(any_analyzer const& analyzer);

/// The texts, lists and new terms of a segment. Immutable; copies share it.
class lexical_segment {
public:
    /// Opens what lexical_segment_builder::add_to() added, and keeps the file open.
    /// @param ids  of the rows, ascending; empty: first_id, first_id + 1, … They must live as long as
    /// the file.
    /// @throws trawl::error (corrupt), its text beginning "PATH: ".
    /// @par Complexity  O(fields).
    [[nodiscard]] static lexical_segment open(section_file const& file, std::size_t fields,
        doc_id first_id, std::span<doc_id const> ids, std::size_t rows);

    [[nodiscard]] std::size_t rows() const noexcept;

    /// Whether it holds the terms of its index from the first on, so that an index can begin with
    /// it.
    [[nodiscard]] bool is_whole() const noexcept;

    /// Checks every relation between its arrays.
    /// @throws trawl::error (corrupt), its text beginning "PATH: ".
    /// @par Complexity  O(bytes).
    void verify() const;

private:
    friend class lexical_dictionary;
    friend class lexical_segment_builder;
    friend class lexical_segments;

    std::shared_ptr<detail::opened_lexical_segment const> opened_ = {};
};

/// A segment and which of its rows are live.
struct live_lexical_segment {
    lexical_segment segment;
    std::shared_ptr<std::vector<std::uint64_t> const> live = {}; ///< a bit a row; null: all
};

/// The terms of all segments of an index; each field numbers its own (term ids). One thread at a
/// time may add terms; searches go on meanwhile. Copies share it.
class lexical_dictionary {
public:
    /// An empty dictionary.
    explicit lexical_dictionary(std::size_t fields);

    /// The terms of a whole segment.
    explicit lexical_dictionary(lexical_segment const& whole);

    /// Adds the terms that are new in a segment; those that are known already are skipped.
    /// @throws trawl::error (corrupt) if the segment does not continue these terms.
    void learn(lexical_segment const& segment);

    /// How many terms each field has.
    [[nodiscard]] std::vector<std::uint32_t> sizes() const;

    /// Forgets the newest terms. No segment that is searched may have them.
    /// @param sizes  what sizes() returned before they were added.
    void forget(std::span<std::uint32_t const> sizes) noexcept;

private:
    friend class lexical_segment_builder;
    friend class lexical_segments;

    detail::buffer<detail::counted_ptr<detail::term_dictionary>> fields_;
};

/// The arrays of a segment that is to be written.
class lexical_segment_builder {
public:
    /// The text of a field of a row.
    using text_of = function_ref<std::string_view(std::size_t row, std::size_t field)>;

    /// A segment of texts. Its new terms are added to the dictionary.
    /// @param ids  of the rows, ascending.
    /// @throws what the analyzer throws; the dictionary may then have new terms, which forget()
    /// removes.
    /// @par Complexity  O(tokens).
    [[nodiscard]] static lexical_segment_builder of_texts(lexical_segment_options const& options,
        lexical_dictionary& dictionary, std::span<doc_id const> ids, text_of text,
        executor const* pool = nullptr);

    /// The live rows of neighbouring segments as one segment. Terms keep their ids. Another thread may
    /// add terms meanwhile.
    /// @param dictionary  of the index; it has at least the terms of these segments.
    [[nodiscard]] static lexical_segment_builder of_segments(lexical_dictionary const& dictionary,
        std::span<live_lexical_segment const> segments, executor const* pool = nullptr);

    /// The live rows of all segments of an index, as a whole segment with the terms that they hold.
    /// The terms get new ids: make a new dictionary of the segment.
    [[nodiscard]] static lexical_segment_builder of_all(lexical_dictionary const& dictionary,
        std::span<live_lexical_segment const> segments, executor const* pool = nullptr);

    lexical_segment_builder(lexical_segment_builder&&) noexcept;
    lexical_segment_builder& operator=(lexical_segment_builder&&) noexcept;
    ~lexical_segment_builder();

    /// Adds the sections. The writer keeps views: this must live until it has written.
    void add_to(section_writer& writer) const;

private:
    lexical_segment_builder();

    std::unique_ptr<detail::new_lexical_segment> made_;
};

/// A term and how many documents hold it.
struct counted_term {
    std::string term = {};
    std::uint64_t documents = 0;
    friend bool operator==(counted_term const&, counted_term const&) = default;
};

/// Search over segments at one moment: the hits and the bits of a bm25f_index of their live
/// documents. Immutable; copies share it. Any number of threads may search at once. Query texts are
/// parsed leniently in the language of query_syntax.hpp, as syntax_search does.
class lexical_segments {
public:
    /// @param dictionary  knows the terms of all segments.
    /// @param segments  ids ascend from one to the next.
    /// @param before  the segments of an earlier moment with the same dictionary, or null: what it
    /// has counted of segments that have not changed is taken over.
    lexical_segments(std::shared_ptr<lexical_segment_options const> options,
        lexical_dictionary const& dictionary, std::vector<live_lexical_segment> segments,
        doc_id next_id, lexical_segments const* before = nullptr);

    [[nodiscard]] std::span<bm25_field const> fields() const noexcept;
    [[nodiscard]] any_analyzer const& analyzer() const noexcept;
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] doc_id next_id() const;
    [[nodiscard]] bool contains(doc_id id) const;

    /// The tree that a text is searched as.
    [[nodiscard]] lexical_query parsed(
        std::string_view text, syntax_mode mode = syntax_mode::lenient) const;

    /// As syntax_search over bm25f_index.
    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const;
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const;
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const;
    [[nodiscard]] std::optional<doc_set> conditions(query const& q, std::size_t universe) const;

    /// As bm25f_index, for a structured query.
    template <std::same_as<lexical_query> Query>
    [[nodiscard]] ranking search(Query const& q, search_options const& options = {}) const {
        return search_tree(q, options);
    }
    template <std::same_as<lexical_query> Query>
    [[nodiscard]] std::vector<hit> score(
        Query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        return score_tree(q, ids, options);
    }
    template <std::same_as<lexical_query> Query>
    [[nodiscard]] explanation explain(
        Query const& q, doc_id id, search_options const& options = {}) const {
        return explain_tree(q, id, options);
    }
    [[nodiscard]] std::optional<doc_set> matching(lexical_query const& q) const;

    /// The n most frequent words, as they were written, that begin with a prefix, and how many
    /// documents inside the filter contain them: most documents first, then in byte order.
    /// @par Complexity  O(terms), and the postings of those that match under a filter.
    [[nodiscard]] std::vector<counted_term> completions(
        std::string_view prefix, std::size_t n, filter where = {}) const;

    /// Corrects spelling: replaces each word that no document inside the filter contains by the
    /// nearest word that one does contain: within one edit for words of 3 to 5 letters, two
    /// for longer ones; of equally near words, the one that most documents contain. Nothing if no word
    /// is replaced.
    /// @par Complexity  O(terms).
    [[nodiscard]] std::optional<std::string> corrected(
        std::string_view text, filter where = {}) const;

private:
    [[nodiscard]] ranking search_tree(lexical_query const& q, search_options const& options) const;
    [[nodiscard]] std::vector<hit> score_tree(
        lexical_query const& q, std::span<doc_id const> ids, search_options const& options) const;
    [[nodiscard]] explanation explain_tree(
        lexical_query const& q, doc_id id, search_options const& options) const;

    std::shared_ptr<detail::lexical_segments_state const> state_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/lexical/detail/lexical_segments_inl.hpp>
#endif
