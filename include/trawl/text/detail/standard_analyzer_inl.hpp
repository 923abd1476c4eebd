// SPDX-License-Identifier: MIT
#pragma once

/// Body of standard_analyzer.hpp.

#include <trawl/text/analyzers/standard_analyzer.hpp>

#include <cstddef>
#include <cstdint>

#include <trawl/text/detail/identifier.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct standard_rules {
    static char_class kind(folded_character const& c) noexcept { return c.kind; }
};

inline void emit_parts(identifier const& found, std::uint32_t position, token_sink sink) {
    auto const runs = found.runs();
    std::size_t segment = 0; // first run of the path segment
    for (std::size_t i = 0; i < runs; ++i) {
        auto const last = i + 1 == runs;
        if (!last && found.joiner(i + 1) != '/') continue;
        if (segment > 0 && segment < i) sink(found.part(segment, i, position));
        if (i > 0 && !last) sink(found.part(0, i, position));
        segment = i + 1;
    }
    for (std::size_t i = 0; i < runs; ++i) sink(found.part(i, i, position));
}

} // namespace detail

TRAWL_INLINE void standard_analyzer::analyze(std::string_view text, token_sink sink) const {
    std::uint32_t position = 0;
    detail::split<detail::standard_rules>(text, [&](detail::identifier const& found) {
        sink(found.whole(position));
        if (found.is_pair()) {
            sink(found.part(0, 0, position));
        } else if (found.runs() > 1) {
            detail::emit_parts(found, position, sink);
        }
        ++position;
    });
}

TRAWL_END_NAMESPACE
