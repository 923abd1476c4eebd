// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of any_analyzer.hpp: the analyzers by name.

#include <trawl/text/analyzers/any_analyzer.hpp>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include <trawl/error.hpp>
#include <trawl/text/analyzers/bm25s_analyzer.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/french_analyzer.hpp>
#include <trawl/text/analyzers/german_analyzer.hpp>
#include <trawl/text/analyzers/lucene_english_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/analyzers/tantivy_default_analyzer.hpp>
#include <trawl/text/analyzers/technical_analyzer.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <class A>
any_analyzer make_analyzer() {
    return A{};
}

inline constexpr std::string_view analyzer_names[] = {"standard", "technical", "english", "german",
    "french", "lucene_english", "tantivy_default", "bm25s", "whitespace"};
inline constexpr any_analyzer (*analyzer_makers[])() = {make_analyzer<standard_analyzer>,
    make_analyzer<technical_analyzer>, make_analyzer<english_analyzer>,
    make_analyzer<german_analyzer>, make_analyzer<french_analyzer>,
    make_analyzer<lucene_english_analyzer>, make_analyzer<tantivy_default_analyzer>,
    make_analyzer<bm25s_analyzer>, make_analyzer<whitespace_analyzer>};
static_assert(std::size(analyzer_names) == std::size(analyzer_makers));

} // namespace detail

TRAWL_INLINE any_analyzer::any_analyzer() : any_analyzer(standard_analyzer{}) {}

TRAWL_INLINE any_analyzer any_analyzer::named(std::string_view name) {
    std::string known;
    for (std::size_t i = 0; i < names().size(); ++i) {
        if (name == names()[i]) return detail::analyzer_makers[i]();
        known.append(known.empty() ? "" : ", ").append(names()[i]);
    }
    detail::fail(errc::invalid_argument,
        detail::join("any_analyzer::named: no analyzer '", name, "', known are ", known));
}

TRAWL_INLINE std::span<std::string_view const> any_analyzer::names() noexcept {
    return detail::analyzer_names;
}

TRAWL_END_NAMESPACE
