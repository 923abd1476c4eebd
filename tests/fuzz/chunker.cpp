// SPDX-License-Identifier: MIT
// Chunks of any document, with any options: in the text, in order, no larger than allowed.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <trawl/text/passages/chunker.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size < 2) return 0;
    std::string_view const text(reinterpret_cast<char const*>(data) + 2, size - 2);
    trawl::chunk_options const options{
        .tokens = data[0] % 32 + std::size_t{1}, .overlap = data[1] % (data[0] % 32 + 1u)};
    auto const document = trawl::chunk_markdown("D", text, options);
    std::size_t end = 0;
    for (auto const& chunk : document.chunks) {
        auto const sound =
            chunk.begin < chunk.end && chunk.end <= text.size() && chunk.end >= end
            && chunk.tokens <= options.tokens && chunk.text.size() <= 40 * options.tokens
            && chunk.text.ends_with(text.substr(chunk.begin, chunk.end - chunk.begin));
        if (!sound) std::abort();
        end = chunk.end;
    }
    return 0;
}
