// SPDX-License-Identifier: MIT
// Dense files whose sections were changed and whose checksums are right: an error, or answers that
// keep the laws. The input chooses the kind of index and the changes.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <trawl/dense/inverted_file_storage.hpp>
#include <trawl/dense/storage.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>

#include "support/file_sections.hpp"

namespace {

constexpr std::size_t dim = 10;

std::string const& path() {
    static std::string const made = "/dev/shm/trawl_fuzz_sections_" + std::to_string(getpid());
    return made;
}

template <class Index>
support::file_sections saved() {
    trawl::detail::random random(1);
    std::vector<float> values(300 * dim);
    for (auto& v : values) v = static_cast<float>(random.normal());
    Index index(dim);
    index.add_all({values.data(), 300, dim});
    for (trawl::doc_id id = 0; id < 300; id += 9) index.erase(id);
    if constexpr (requires { index.lists(); }) index.train(8);
    trawl::save(index, path());
    return support::file_sections::of(path());
}

template <class Index>
void check(Index const& index) {
    std::vector<float> const query(dim, 0.5f);
    trawl::doc_set const some(300, {1, 2, 150, 299});
    for (auto const& hits :
        {index.search(query, 20), index.search(query, 500), index.search(query, 20, some)}) {
        for (std::size_t i = 0; i < hits.size(); ++i) {
            if (!trawl::detail::is_finite(hits[i].score)) __builtin_trap();
            if (i > 0 && !trawl::by_rank{}(hits[i - 1], hits[i])) __builtin_trap();
            static_cast<void>(index.explain({.vector = query}, hits[i].id));
        }
    }
    for (auto const& h : index.search(query, 20, some))
        if (!some.contains(h.id)) __builtin_trap();
}

template <class Index>
void try_changed(std::uint8_t const* data, std::size_t size) {
    static auto const good = saved<Index>();
    auto bad = good;
    // Three bytes and a word a change: which section, where, what.
    for (; size >= 7; data += 7, size -= 7) {
        auto& bytes = bad.sections[data[0] % bad.sections.size()].second;
        auto const at = static_cast<std::size_t>(data[1]) << 8 | data[2];
        if (data[1] == 0xFF) {
            bytes.resize(bytes.size() > at ? at : at % 4096);
        } else if (bytes.size() >= 4) {
            std::memcpy(bytes.data() + at * 4 % (bytes.size() / 4 * 4), data + 3, 4);
        }
    }
    bad.write(path());
    try {
        auto index = trawl::open<Index>(path());
        if (index.dim() != dim) return;
        check(index);
        for (trawl::doc_id id = 0; id < 300; id += 2) static_cast<void>(index.erase(id));
        index.compact();
        check(index);
    } catch (trawl::error const&) {
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    switch (data[0] % 5) {
    case 0:
        try_changed<trawl::flat_index>(data + 1, size - 1);
        break;
    case 1:
        try_changed<trawl::float16_index>(data + 1, size - 1);
        break;
    case 2:
        try_changed<trawl::int8_index>(data + 1, size - 1);
        break;
    case 3:
        try_changed<trawl::one_bit_index>(data + 1, size - 1);
        break;
    default:
        try_changed<trawl::inverted_file_index>(data + 1, size - 1);
    }
    return 0;
}
