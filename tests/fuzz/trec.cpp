// SPDX-License-Identifier: MIT
// Any bytes as a TREC run and as judgements: an error, or what is written again reads as the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <trawl/error.hpp>
#include <trawl/formats/trec.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    try {
        auto const once = trawl::to_text(trawl::parse_run(text, "f"));
        if (trawl::to_text(trawl::parse_run(once, "f")) != once) std::abort();
    } catch (trawl::error const&) {
    }
    try {
        auto const once = trawl::to_text(trawl::parse_qrels(text, "f"));
        if (trawl::to_text(trawl::parse_qrels(once, "f")) != once) std::abort();
    } catch (trawl::error const&) {
    }
    return 0;
}
