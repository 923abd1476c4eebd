// SPDX-License-Identifier: MIT
#pragma once

/// A text on its way into a lexical index.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct analyzed_document {
    std::vector<inverted_index::number> terms = {};
    std::uint32_t length = 0;                  ///< positions that hold a term
    std::vector<std::uint32_t> positions = {}; ///< of the terms; none unless the index keeps them
};

/// @param writer  or what else numbers terms.
template <analyzer Analyzer, class Writer>
[[nodiscard]] analyzed_document analyzed(
    Analyzer const& analyzer, std::string_view text, bool positions, Writer& writer) {
    analyzed_document made;
    std::optional<std::uint32_t> position;
    auto const keep = [&](token const& t) {
        made.terms.push_back(writer.intern(t.term));
        if (positions) made.positions.push_back(t.position);
        if (position != t.position) ++made.length;
        position = t.position;
    };
    analyzer.analyze(text, keep);
    return made;
}

/// Of terms in order, each at a position of its own.
template <analyzer Analyzer>
[[nodiscard]] analyzed_document analyzed(Analyzer const&, std::span<std::string_view const> terms,
    bool positions, inverted_index::writer& writer) {
    analyzed_document made{.length = static_cast<std::uint32_t>(terms.size())};
    made.terms.reserve(terms.size());
    for (auto const term : terms) made.terms.push_back(writer.intern(term));
    if (positions) {
        made.positions.resize(terms.size());
        std::iota(made.positions.begin(), made.positions.end(), 0u);
    }
    return made;
}

inline void append(inverted_index::writer& writer, doc_id id, analyzed_document const& document) {
    writer.append(id, document.length, document.terms, document.positions);
}

/// The id under which a document is added: the one wanted, if any, else the next.
/// @throws trawl::error (invalid_argument; id_order).
[[nodiscard]] inline doc_id checked_id(
    std::string_view caller, std::optional<doc_id> wanted, doc_id next) {
    auto const id = wanted.value_or(next);
    if (id == no_doc) {
        fail(errc::invalid_argument, join(caller, ": 0xFFFFFFFF is not a document id"));
    }
    if (id < next) {
        fail(errc::id_order, join(caller, ": id ", id, " is below the next id ", next));
    }
    return id;
}

/// @throws trawl::error (invalid_argument) if there are fewer ids from the first one on than
/// documents.
inline void check_ids(std::string_view caller, std::size_t documents, doc_id first) {
    if (documents <= no_doc - first) return;
    fail(errc::invalid_argument,
        join(caller, ": ", documents, " documents from id ", first, " on are too many"));
}

} // namespace detail
TRAWL_END_NAMESPACE
