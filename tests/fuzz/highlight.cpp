// SPDX-License-Identifier: MIT
// A question and a text, a zero byte between them, and any length.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/passages/highlight.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view const bytes(reinterpret_cast<char const*>(data) + 1, size - 1);
    auto const middle = bytes.find('\0');
    if (middle == bytes.npos) return 0;
    auto const text = bytes.substr(middle + 1);
    auto const found = trawl::highlight(text, {.text = bytes.substr(0, middle)},
        trawl::english_analyzer{}, {.before = "", .after = "", .length = data[0]});
    auto const sound = found.begin <= found.end && found.end <= text.size()
                       && found.end - found.begin <= data[0]
                       && found.text == text.substr(found.begin, found.end - found.begin);
    if (!sound) std::abort();
    return 0;
}
