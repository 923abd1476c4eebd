// SPDX-License-Identifier: MIT
#pragma once

/// Surface forms in the dictionary of an index: entries beside the terms, for prefixes.

#include <optional>
#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A word whose surface differs from its term has an entry of its own in the dictionary: 0xFF, the
/// surface, 0xFF, the term (empty if the analyzer drops the word). No analyzer that reduces words
/// makes terms with that byte, for no UTF-8 text contains it. The documents that contain a word as
/// it was written are those of its entry, or, if the surface is the term, those of the term less
/// those of the term's other surfaces.
struct surface_entry {
    std::string_view surface;
    std::string_view term;
};

[[nodiscard]] inline bool is_surface_entry(std::string_view text) noexcept {
    return !text.empty() && text.front() == '\xFF';
}

[[nodiscard]] inline std::optional<surface_entry> surface_entry_of(std::string_view text) noexcept {
    if (!is_surface_entry(text)) return std::nullopt;
    auto const middle = text.find('\xFF', 1);
    if (middle == text.npos) return std::nullopt;
    return surface_entry{text.substr(1, middle - 1), text.substr(middle + 1)};
}

/// Writes the entry into `out`, whose memory is reused.
inline void make_surface_entry(std::string_view surface, std::string_view term, std::string& out) {
    out.assign(1, '\xFF');
    out.append(surface).append(1, '\xFF').append(term);
}

} // namespace detail
TRAWL_END_NAMESPACE
