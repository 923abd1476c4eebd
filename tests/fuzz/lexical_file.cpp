// SPDX-License-Identifier: MIT
// Any bytes as the arrays of a lexical index: an error or results. The front, which a checksum guards, is
// right.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include <trawl/lexical/storage.hpp>
#include <trawl/text/whitespace_analyzer.hpp>

namespace {

using index_type = trawl::basic_bm25_index<trawl::whitespace_analyzer>;

std::string const path = "build/fuzz/lexical_file.tmp";

std::string const& good() {
    static std::string const bytes = [] {
        index_type index;
        for (int i = 0; i < 500; ++i) {
            index.add(
                "all w" + std::to_string(i % 3) + " w" + std::to_string(i % 7) + " w" + std::to_string(i));
        }
        trawl::save(index, path);
        return trawl::read_file(path);
    }();
    return bytes;
}

} // namespace

// Each six bytes of data are a change: where and what.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto bytes = good();
    for (; size >= 6; data += 6, size -= 6) {
        std::uint32_t at = 0;
        std::memcpy(&at, data, 4);
        at = 64 + at % static_cast<std::uint32_t>(bytes.size() - 65);
        std::memcpy(bytes.data() + at, data + 4, 2);
    }
    trawl::detail::file_header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::memset(bytes.data() + 56, 0, 8);
    auto const sum = trawl::checksum(std::as_bytes(std::span(bytes)).first(header.payload));
    std::memcpy(bytes.data() + 56, &sum, 8);
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
    try {
        auto index = trawl::open<index_type>(path);
        trawl::doc_set const some(500, {1, 17, 300});
        for (auto const* const text : {"all w1", "w0 w2 w5 w6", "w17"}) {
            static_cast<void>(index.search(text, 10));
            static_cast<void>(index.search(text, 10, some));
            static_cast<void>(index.explain({.text = text}, 17));
        }
        static_cast<void>(index.erase(17));
        index.compact();
        static_cast<void>(index.search("all w1 w2", 1000));
    } catch (trawl::error const&) {
    }
    return 0;
}
