// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of context.hpp.

#include <trawl/text/passages/context.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE context build_context(std::span<hit const> hits,
    function_ref<std::string(doc_id)> key_of, function_ref<std::string(doc_id)> text_of,
    context_options const& options, function_ref<void(std::string_view, token_sink)> count) {
    context out;
    for (auto const& h : hits) {
        if (out.passages.size() >= options.passages) break;
        passage next{h.id, key_of(h.id), text_of(h.id)};
        if (next.key.empty() || next.key.find_first_of(" \t\r\n\f\v,;[]") != std::string::npos) {
            fail(errc::invalid_argument, join("make_context: the key '", next.key, "' of document ",
                                             h.id, " is empty or cannot stand in square brackets"));
        }
        auto const block =
            join(out.passages.empty() ? "" : "\n\n", "[", next.key, "]\n", next.text);
        TRAWL_COUNT(block.size());
        std::size_t tokens = 0; // positions
        std::uint32_t last = 0;
        count(block, [&](token const& t) {
            if (tokens == 0 || t.position != last) ++tokens;
            last = t.position;
        });
        if (tokens > options.tokens - out.tokens) break;
        out.tokens += tokens;
        out.text += block;
        out.passages.push_back(std::move(next));
    }
    return out;
}

} // namespace detail

TRAWL_INLINE std::string make_prompt(context const& given, std::string_view question) {
    return detail::join(
        answer_instruction, "\nContext:\n\n", given.text, "\n\nQuestion: ", question, "\n");
}

TRAWL_END_NAMESPACE
