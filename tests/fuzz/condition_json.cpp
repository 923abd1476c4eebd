// SPDX-License-Identifier: MIT
// Any bytes as a condition in JSON: an error, or a condition that survives JSON, and text but for dates.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <trawl/collection/condition_json.hpp>
#include <trawl/collection/condition_text.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    try {
        auto const asked = trawl::parse_json_condition(text);
        if (!(trawl::json_condition(nlohmann::ordered_json(asked)) == asked)) std::abort();
        if (!(trawl::parse_condition(to_text(asked)) == asked)) std::abort();
    } catch (trawl::error const& e) {
        if (e.code() != trawl::errc::parse) std::abort();
    }
    return 0;
}
