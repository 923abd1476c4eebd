// SPDX-License-Identifier: MIT
// Dense files whose sections were changed and whose checksums are right: an error, or answers that
// keep the laws. The input chooses the kind of index and the changes.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <trawl/dense/inverted_file_storage.hpp>
#include <trawl/dense/storage.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>

#include "fuzz/changes.hpp"
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

// Whether a call was made; it may refuse to learn from values that are damaged.
template <class Call>
bool unless_damaged(Call call) {
    try {
        call();
        return true;
    } catch (trawl::error const& e) {
        if (e.code() != trawl::errc::corrupt) throw;
        return false;
    }
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
            if (!trawl::adds_up(index.explain({.vector = query}, hits[i].id))) __builtin_trap();
        }
    }
    std::vector<trawl::doc_id> ids;
    for (trawl::doc_id id = 0; id < 310; id += 3) ids.push_back(id);
    std::vector<float> copied(dim);
    for (auto const& h : index.score({.vector = query}, ids)) {
        if (!trawl::detail::is_finite(h.score)) __builtin_trap();
    }
    for (auto const id : ids) {
        if constexpr (requires { index.copy_vector(id, copied); }) {
            try {
                static_cast<void>(index.copy_vector(id, copied));
            } catch (trawl::error const& e) { // damaged values
                if (e.code() != trawl::errc::corrupt) __builtin_trap();
            }
        }
    }
    for (auto const& h : index.search(query, 20, some))
        if (!some.contains(h.id)) __builtin_trap();
}

template <class Index>
void try_changed(std::uint8_t const* data, std::size_t size) {
    static auto const good = saved<Index>();
    auto bad = good;
    fuzz::change(bad, data, size);
    bad.write(path());
    try {
        auto index = trawl::open<Index>(path());
        if (index.dim() != dim) return;
        check(index);
        std::vector<float> const vector(dim, 0.25f);
        for (trawl::doc_id id = 0; id < 300; id += 2) static_cast<void>(index.erase(id));
        if (index.next_id() < 1'000'000) {
            for (int i = 0; i < 70; ++i) {
                if (!unless_damaged([&] { index.add(vector); })) break; // codes begin
            }
            static_cast<void>(index.update(3, vector));
        }
        check(index);
        trawl::save(index, path() + "2");
        check(trawl::open<Index>(path() + "2"));
        if (unless_damaged([&] { index.compact(); })) check(index);
        if constexpr (requires { index.train(); }) {
            if (unless_damaged([&] { index.train(); })) check(index);
        }
        trawl::save(index, path() + "2");
        check(trawl::open<Index>(path() + "2"));
    } catch (trawl::error const& e) {
        if (!std::string(e.what()).starts_with(path())) {
            std::fprintf(stderr, "%s\n", e.what());
            __builtin_trap();
        }
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
