// SPDX-License-Identifier: MIT
// Whatever the bytes, opening a dense index or fvecs is an error or gives results within bounds.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/dense/inverted_file_storage.hpp>
#include <trawl/dense/storage.hpp>
#include <trawl/formats/fvecs.hpp>
#include <trawl/storage/file.hpp>

namespace {

template <class Index>
void try_index(std::string const& path) {
    try {
        auto index = trawl::open<Index>(path);
        if (index.dim() > 4096) return;
        std::vector<float> const query(index.dim(), 0.5f);
        auto const best = index.search(query, 10);
        if (best.size() > 10 || best.size() > index.size()) __builtin_trap();
        for (auto const& h : best) static_cast<void>(index.explain({.vector = query}, h.id));
        static_cast<void>(index.erase(0));
        index.compact();
        static_cast<void>(index.search(query, 1000));
    } catch (trawl::error const&) {
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const bytes(reinterpret_cast<char const*>(data), size);
    try {
        static_cast<void>(trawl::parse_fvecs(bytes, "x"));
    } catch (trawl::error const&) {
    }
    static std::string const path = "/dev/shm/trawl_fuzz_dense_" + std::to_string(getpid());
    trawl::write_file(path, bytes);
    try_index<trawl::flat_index>(path);
    try_index<trawl::float16_index>(path);
    try_index<trawl::int8_index>(path);
    try_index<trawl::one_bit_index>(path);
    try_index<trawl::inverted_file_index>(path);
    return 0;
}
