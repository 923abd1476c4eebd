// SPDX-License-Identifier: MIT
// Columns whose sections were changed and whose checksums are right: an error, or answers within the
// rows, and after verify() columns that can be built again.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <trawl/collection/detail/columns_builder.hpp>
#include <trawl/collection/detail/facet_counter.hpp>

#include "collection/support.hpp"
#include "support/file_sections.hpp"

namespace {

constexpr std::size_t rows = 100;

std::string const& path() {
    static std::string const made = "/dev/shm/trawl_fuzz_columns_" + std::to_string(getpid());
    return made;
}

support::file_sections saved() {
    support::metadata_by_chance chance(1);
    trawl::detail::columns_builder builder(support::fields);
    for (std::size_t i = 0; i < rows; ++i) builder.add(chance.metadata());
    auto const made = builder.finish();
    trawl::section_writer writer("columns", 1);
    made.add_to(writer, "");
    writer.write(path());
    return support::file_sections::of(path());
}

void use(trawl::detail::columns const& columns) {
    support::metadata_by_chance chance(2);
    for (int i = 0; i < 20; ++i) {
        try {
            auto const found = columns.evaluate(chance.condition(2));
            if (found.size() != 2 || found[1] >> (rows - 64) != 0) std::abort();
        } catch (trawl::error const&) { // a type was changed
        }
    }
    std::vector<std::uint64_t> const among(2, ~std::uint64_t{0});
    for (auto const& field : support::fields) {
        for (auto const& each : columns.sorted(field.name, true, among, 1000))
            if (each.row >= rows) std::abort();
        trawl::detail::facet_counter counter(field.name);
        counter.add(columns, among);
        static_cast<void>(counter.top(10));
    }
    trawl::detail::columns_builder copy(support::fields);
    for (std::uint32_t row = 0; row < rows; ++row) {
        static_cast<void>(columns.values(row));
        copy.add(columns, row);
    }
    copy.finish().verify();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static auto const good = saved();
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
        auto const columns = trawl::detail::columns::open(trawl::section_file(path()), "", rows);
        use(columns);
        columns.verify();
    } catch (trawl::error const&) {
    }
    return 0;
}
