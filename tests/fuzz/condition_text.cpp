// SPDX-License-Identifier: MIT
// Any bytes as a condition in text: an error that says where, or a condition that survives text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <trawl/collection/condition_text.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    try {
        auto const asked = trawl::parse_condition(text);
        if (!(trawl::parse_condition(to_text(asked)) == asked)) std::abort();
    } catch (trawl::error const& e) {
        std::string_view const what = e.what();
        if (e.code() != trawl::errc::parse || !what.starts_with("condition, column ")) std::abort();
    }
    return 0;
}
