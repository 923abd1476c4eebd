// SPDX-License-Identifier: MIT
// Any bytes as BEIR's corpus and questions, and as ranx's JSON: an error or a result.
#include <cstdint>
#include <string_view>

#include <trawl/error.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/ranx.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const survives = [](auto&& parse) {
        try {
            static_cast<void>(parse());
        } catch (trawl::error const&) {
        }
    };
    survives([&] { return trawl::parse_corpus(text, "f"); });
    survives([&] { return trawl::parse_queries(text, "f.jsonl"); });
    survives([&] { return trawl::parse_queries(text, "f.tsv"); });
    survives([&] { return trawl::parse_json_run(text, "f"); });
    survives([&] { return trawl::parse_json_qrels(text, "f"); });
    return 0;
}
