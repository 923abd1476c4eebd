// SPDX-License-Identifier: MIT
// Any bytes as an npy file, and any text as a list of measures: an error or a result.
#include <cstdint>
#include <string_view>

#include <trawl/error.hpp>
#include <trawl/eval/measure.hpp>
#include <trawl/formats/npy.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    try {
        static_cast<void>(trawl::parse_npy<float>(text, "f"));
    } catch (trawl::error const&) {
    }
    try {
        static_cast<void>(trawl::measures_named(text.substr(0, 200)));
    } catch (trawl::error const&) {
    }
    return 0;
}
