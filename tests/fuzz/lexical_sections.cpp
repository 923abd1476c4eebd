// SPDX-License-Identifier: MIT
// Lexical files whose sections were changed and whose checksums are right: an error that names the
// path, or answers that keep the laws. The input chooses the kind of index, what is done with it (all
// of it at once would take long: many changes are to be tried), and the changes.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "fuzz/changes.hpp"
#include "lexical/hostile.hpp"

namespace {

std::string const path = "/dev/shm/trawl_fuzz_lexical_" + std::to_string(getpid());

template <class Index>
void try_changed(bool positions, unsigned steps, std::uint8_t const* data, std::size_t size) {
    static auto const good = hostile::saved<Index>(positions, path);
    auto bad = good;
    fuzz::change(bad, data, size);
    bad.write(path);
    hostile::law_check laws;
    try {
        laws.all<Index>(path, positions, steps);
    } catch (trawl::error const& e) {
        if (!std::string(e.what()).starts_with(path)) {
            std::fprintf(stderr, "%s\n", e.what());
            __builtin_trap();
        }
    }
    if (laws.broken() != nullptr) {
        std::fprintf(stderr, "%s\n", laws.broken());
        __builtin_trap();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    auto const steps = data[0] / 3u % 8;
    switch (data[0] % 3) {
    case 0:
        try_changed<hostile::text_index>(false, steps, data + 1, size - 1);
        break;
    case 1:
        try_changed<hostile::text_index>(true, steps, data + 1, size - 1);
        break;
    default:
        try_changed<hostile::field_index>(true, steps, data + 1, size - 1);
    }
    return 0;
}
