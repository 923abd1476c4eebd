// SPDX-License-Identifier: MIT
// Any bytes as the arrays of a lexical index, of one text or of fields: an error or results. The
// front, which a checksum guards, is right.
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include <trawl/lexical/bm25f_storage.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/storage.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/detail/section_layout.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>

namespace {

using text_index = trawl::basic_bm25_index<trawl::whitespace_analyzer>;
using field_index = trawl::basic_bm25f_index<trawl::whitespace_analyzer>;

std::string const path = "/dev/shm/trawl_fuzz_lexical_file_" + std::to_string(getpid());

std::string text_of(int i) {
    return (i % 50 == 0 ? "all all all all w" : "all w") + std::to_string(i % 3) + " w"
           + std::to_string(i % 7) + " w" + std::to_string(i);
}

std::string saved(bool fields) {
    text_index texts({}, {.positions = true});
    field_index titled({{"title", 2, 1.0}, {"text"}}, {}, {.positions = true});
    for (int i = 0; i < 200; ++i) {
        texts.add(text_of(i));
        titled.add({"w" + std::to_string(i % 5), text_of(i)});
    }
    if (fields) {
        trawl::save(titled, path);
    } else {
        trawl::save(texts, path);
    }
    return trawl::read_file(path);
}

template <class Index>
void use() {
    using namespace trawl::ask;
    static auto const question =
        any_of({phrase("w1 w2", 2), phrase("all w0"), prefix("w1"), fuzzy("w22", 1)})
            .without(words("w6"));
    auto index = trawl::open<Index>(path);
    trawl::doc_set const some(200, {1, 17, 150});
    for (auto const* const text : {"all w1", "w0 w2 w5 w6", "w17"}) {
        static_cast<void>(index.search(text, 10));
        static_cast<void>(index.search(text, 10, some));
        static_cast<void>(index.explain({.text = text}, 17));
    }
    static_cast<void>(index.search(question, 10));
    static_cast<void>(index.explain(question, 17));
    static_cast<void>(index.erase(17));
    index.compact();
    static_cast<void>(index.search("all w1 w2", 1000));
    static_cast<void>(index.search(question, 10));
}

} // namespace

// The first byte chooses the index. Each six bytes behind it are a change: where and what.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static std::array<std::string, 2> const good{saved(false), saved(true)};
    if (size == 0) return 0;
    bool const fields = *data % 2 == 1;
    auto bytes = good[fields ? 1 : 0];
    for (++data, --size; size >= 6; data += 6, size -= 6) {
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
        if (fields) {
            use<field_index>();
        } else {
            use<text_index>();
        }
    } catch (trawl::error const&) {
    }
    return 0;
}
