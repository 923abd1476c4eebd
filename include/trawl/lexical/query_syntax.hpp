// SPDX-License-Identifier: MIT
#pragma once

/// The query language that people type.
///
///     dead lock            documents with either word, preferably both
///     +dead -lock          must contain "dead", must not contain "lock"
///     "dead lock"          the words side by side; "dead lock"~2 up to two places out of line
///     ref*                 words that begin with "ref"
///     refnd~  refnd~1      misspelt words, within two edits or one
///     refund^2             counts twice; after any of the above
///     title:refund         in that field; before any of the above, after a + or -
///     \+ \- \" \* \~ \^ \: \\    the character itself
///
/// The grammar. Clauses are separated by blanks. A sign has its meaning only where this grammar
/// mentions it; anywhere else it is an ordinary character, which the index's analyzer sees.
///
///     query    = { clause }
///     clause   = [ "+" | "-" ] [ field ":" ] ( phrase | word )
///     phrase   = quote text quote [ "~" integer ] [ "^" number ]       then a blank or the end;
///                otherwise what follows the closing quote is a word of its own
///     word     = text [ "*" | "~" | "~1" | "~2" ] [ "^" number ]       then a blank or the end
///     field    = a letter or _, then letters, digits, _ - . ; of an index of fields, one of them
///
/// A + or - needs a phrase, a field, or a word that begins with a letter, a digit or one of
/// _ . / # @ $ \ directly behind it: "linux - install", "c++", "--amend" and "->" contain no signs.
/// So PROD-4817, x^y, a~b, 10:30 and http://example.org/~anna are plain words. Numbers are >= 0.
///
/// Blanks are those of Unicode (a no-break space and U+3000 too). Fullwidth forms of the signs and
/// digits mean the same (＋ － ＊ ～ ＾ ： ＂ ＼). A quote is ", or any curly or angle double
/// quotation mark: “like this”, „like this“, «like this».

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/query_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// What parse_query does with a query that breaks the grammar.
enum class syntax_mode : unsigned char {
    strict, ///< throws, and says where: for queries that a program or an expert writes
    /// reads the offending characters, and weights above 10^6, as ordinary text, and marks phrases
    /// as relaxed. Neither parsing nor a search throws because of the query: for what people paste
    lenient,
};

/// Parses a query in the language above.
/// @param fields  those of the index to be searched, index.fields(). If empty, a colon is an
/// ordinary character.
/// @throws trawl::error (parse) in strict mode only: "query, column 7: …", counting characters from
/// 1. Errors are a quotation mark that is never closed, a field that the index lacks or with
/// nothing behind it, a lone "*", and a number out of range behind "~" or "^".
/// @par Complexity O(size of the text * number of fields).
[[nodiscard]] lexical_query parse_query(std::string_view text,
    std::span<bm25_field const> fields = {}, syntax_mode mode = syntax_mode::strict);

/// Wraps a bm25_index or bm25f_index so that query texts are parsed as above: a retriever, usable
/// as an arm of a hybrid search. An lvalue is borrowed, an rvalue owned, a shared_ptr shared.
/// @tparam Index  How the index is held; deduced.
template <class Index>
class syntax_search {
public:
    /// @throws trawl::error (invalid_argument) for a null shared_ptr.
    template <class I>
        requires(std::same_as<detail::held<I>, Index> && retriever<detail::held_target<I>>)
    explicit syntax_search(I&& index, syntax_mode mode = syntax_mode::strict)
        : index_(
            (detail::require_object(index, "syntax_search: the index"), std::forward<I>(index))),
          mode_(mode) {}

    /// Searches the index for parse_query(q.text). If q has terms, they replace the text and are
    /// not parsed.
    /// @throws trawl::error as parse_query and the index's search.
    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const {
        return q.terms.empty() ? index_.get().search(parsed(q.text), options)
                               : index_.get().search(q, options);
    }
    [[nodiscard]] ranking search(std::string_view text, std::size_t k, filter where = {}) const {
        return search(query{.text = text}, search_options{.k = k, .where = std::move(where)});
    }

    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        if (!q.terms.empty() || q.text.empty()) return index_.get().score(q, ids, options);
        return index_.get().score(parsed(q.text), ids, options);
    }

    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return q.terms.empty() ? index_.get().explain(parsed(q.text), id, options)
                               : index_.get().explain(q, id, options);
    }

    /// What a search for q.text leaves out or replaces, for a trace; see the index's warnings.
    [[nodiscard]] std::vector<std::string> warnings(query const& q) const
        requires requires(
            Index const& held, lexical_query const& tree) { held.get().warnings(tree); }
    {
        if (!q.terms.empty() || q.text.empty()) return {};
        return index_.get().warnings(parsed(q.text));
    }

    /// The documents that fulfil the conditions of q.text, see condition_filter; nothing if it has
    /// none. In a hybrid_search they bind every arm.
    /// @param universe  of the set, at least.
    [[nodiscard]] std::optional<doc_set> conditions(query const& q, std::size_t universe) const
        requires requires(
            Index const& held, lexical_query const& tree) { held.get().matching(tree); }
    {
        if (!q.terms.empty() || q.text.empty()) return std::nullopt;
        return condition_filter(index_.get(), parsed(q.text), universe);
    }

    /// The tree that a text is searched as.
    [[nodiscard]] lexical_query parsed(std::string_view text) const {
        if constexpr (requires { index_.get().fields(); }) {
            return parse_query(text, index_.get().fields(), mode_);
        } else {
            return parse_query(text, {}, mode_);
        }
    }

    [[nodiscard]] std::size_t size() const { return index_.get().size(); }
    [[nodiscard]] doc_id next_id() const { return index_.get().next_id(); }
    [[nodiscard]] bool contains(doc_id id) const { return index_.get().contains(id); }

private:
    Index index_;
    syntax_mode mode_;
};

template <class I>
syntax_search(I&&) -> syntax_search<detail::held<I>>;
template <class I>
syntax_search(I&&, syntax_mode) -> syntax_search<detail::held<I>>;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/lexical/detail/query_syntax_inl.hpp>
#endif
