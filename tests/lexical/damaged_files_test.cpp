// SPDX-License-Identifier: MIT
// Files whose checksums are right and whose contents are not: each is refused with its path, or
// read in bounds and in time that its size bounds.
#include <trawl/lexical/bm25f_storage.hpp>

#include <trawl/lexical/detail/postings/ascending_numbers.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/storage.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/detail/section_layout.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using index_type = trawl::basic_bm25_index<trawl::whitespace_analyzer>;
using fields_type = trawl::basic_bm25f_index<trawl::whitespace_analyzer>;

namespace {

std::string const path = (std::filesystem::temp_directory_path()
                          / ("trawl_damaged_files_test"
                              + std::to_string(std::random_device()()))) // tests run side by side
                             .string();

struct removed {
    removed() = default;
    removed(removed const&) = delete;
    ~removed() { std::filesystem::remove(path); }
};

/// Changes the file's bytes, and makes the checksum of its front right again.
void rewrite(std::function<void(std::string&, std::vector<trawl::detail::section_entry>&)> change) {
    auto bytes = trawl::read_file(path);
    trawl::detail::file_header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::vector<trawl::detail::section_entry> table(header.sections);
    auto const table_size = table.size() * sizeof table[0];
    std::memcpy(table.data(), bytes.data() + sizeof header, table_size);
    change(bytes, table);
    std::memcpy(bytes.data() + sizeof header, table.data(), table_size);
    std::memset(bytes.data() + 56, 0, 8);
    auto const sum = trawl::checksum(std::as_bytes(std::span(bytes)).first(header.payload));
    std::memcpy(bytes.data() + 56, &sum, 8);
    trawl::write_file(path, bytes);
}

/// Changes one section.
void rewrite(std::string_view section, std::function<void(std::span<char>)> change) {
    rewrite([&](std::string& bytes, auto& table) {
        bool found = false;
        for (auto const& entry : table) {
            if (std::string_view(entry.name.data(), section.size() + 1)
                != std::string(section) + '\0')
                continue;
            found = true;
            change(std::span(bytes).subspan(entry.at, entry.size));
        }
        REQUIRE(found);
    });
}

void rename_section(std::string_view section, std::string_view to) {
    rewrite([&](std::string&, auto& table) {
        for (auto& entry : table) {
            if (std::string_view(entry.name.data(), section.size()) != section) continue;
            std::memcpy(entry.name.data(), to.data(), to.size());
        }
    });
}

} // namespace

TEST_CASE("a field that lacks its positions is refused", "[lexical][storage]") {
    removed const file;
    fields_type index({{"a"}, {"b"}}, {}, {.positions = true});
    index.add({"x y", "y z"});
    trawl::save(index, path);
    rename_section("1 positions", "1 missing!!");
    auto const refused =
        support::error_of([] { static_cast<void>(trawl::open<fields_type>(path)); });
    CHECK(refused.code == trawl::errc::corrupt);
    CHECK(refused.text.starts_with(path + ": "));
    CHECK(refused.names("positions"));
}

TEST_CASE("parameters out of range are refused with the path", "[lexical][storage]") {
    removed const file;
    index_type index;
    index.add("x");
    trawl::save(index, path);
    rewrite("head", [](std::span<char> head) {
        double const b = 7; // docs/formats.md: k1 begins at byte 48, b at 56
        std::memcpy(head.data() + 56, &b, sizeof b);
    });
    auto const refused =
        support::error_of([] { static_cast<void>(trawl::open<index_type>(path)); });
    CHECK(refused.code == trawl::errc::corrupt);
    CHECK(refused.text.starts_with(path + ": "));
    CHECK(refused.names("b must be in [0, 1], is 7"));
}

TEST_CASE("three thousand fields are refused at once", "[lexical][storage]") {
    removed const file;
    fields_type index({{"a"}});
    index.add({"x"});
    trawl::save(index, path);
    std::vector<unsigned char> head;
    {
        trawl::section_file const saved(path);
        auto const bytes = saved.array<unsigned char>("head");
        head.assign(bytes.begin(), bytes.end());
    }
    std::vector<unsigned char> const fields(std::size_t{3000} * 32);
    trawl::section_writer writer("bm25f_index", 1);
    writer.add("head", std::span(head));
    writer.add("fields", std::span(fields));
    writer.write(path);
    auto const refused =
        support::error_of([] { static_cast<void>(trawl::open<fields_type>(path)); });
    CHECK(refused.code == trawl::errc::corrupt);
    CHECK(refused.names("3000 fields"));
}

TEST_CASE("documents of length 0 that hold terms have finite scores", "[lexical][storage]") {
    removed const file;
    for (auto const variant : {trawl::bm25_variant::bm25l, trawl::bm25_variant::tf_ldp}) {
        index_type index({.variant = variant, .b = 1});
        for (int i = 0; i < 200; ++i) index.add("x y z");
        trawl::save(index, path);
        rewrite("lengths",
            [](std::span<char> lengths) { std::memset(lengths.data(), 0, lengths.size()); });
        auto const opened = trawl::open<index_type>(path);
        auto const hits = opened.search("x y", 10);
        REQUIRE(hits.size() == 10);
        for (auto const& hit : hits) CHECK(std::isfinite(hit.score));
    }
}

TEST_CASE(
    "lists at one place are empty, and merging takes no longer for them", "[lexical][storage]") {
    removed const file;
    index_type index;
    std::string text;
    for (int i = 0; i < 300; ++i) text += "w" + std::to_string(i) + ' ';
    for (int i = 0; i < 400; ++i) index.add(text);
    trawl::save(index, path);
    // 300 lists of 400 documents in ascending numbers that are all 0: no upper part, no lower one.
    rewrite("lists", [](std::span<char> words) {
        std::uint64_t count = 0;
        std::memcpy(&count, words.data(), 8);
        auto const size = words.size() / 8;
        for (std::uint64_t width = 0; width < 20; ++width) {
            // As many words as there are: u64 n, w, m; samples; m words; n w / 64 + 2.
            auto const rest = 3 + (count + 127) / 128 + count * width / 64 + 2;
            auto const upper = (count + 63) / 64;
            if (rest + upper != size) continue;
            std::vector<std::uint64_t> zeros(size);
            zeros[0] = count;
            zeros[1] = width;
            zeros[2] = upper;
            auto const samples = (count + 127) / 128;
            for (std::uint64_t i = 0; i < samples; ++i) zeros[3 + i] = 128 * i;
            for (std::uint64_t i = 0; i < count; ++i)
                zeros[3 + samples + i / 64] |= std::uint64_t{1} << i % 64;
            std::memcpy(words.data(), zeros.data(), words.size());
            return;
        }
        // The upper parts need more words than zeros do: point all lists of a word at its first.
        std::memset(words.data() + words.size() - 16, 0, 16);
    });
    auto opened = trawl::open<index_type>(path);
    static_cast<void>(opened.search("w1 w2", 10));
    opened.freeze();
    opened.erase(0);
    opened.compact();
    CHECK(opened.size() == 399);
    opened.add("w1 new");
    CHECK(opened.search("new", 10).size() == 1);
}

TEST_CASE(
    "a dictionary whose slots are all full finds nothing that is not there", "[lexical][storage]") {
    removed const file;
    index_type index;
    for (int i = 0; i < 3000; ++i) index.add("w" + std::to_string(i));
    trawl::save(index, path);
    for (int const value : {0xFF, 0x01}) {
        rewrite("term slots",
            [&](std::span<char> slots) { std::memset(slots.data(), value, slots.size()); });
        auto const opened = trawl::open<index_type>(path);
        for (int i = 0; i < 200; ++i)
            CHECK(opened.search("unknown" + std::to_string(i), 3).empty());
    }
}

TEST_CASE(
    "ascending numbers with more upper words than numbers need are refused", "[lexical][storage]") {
    using trawl::detail::ascending_numbers;
    std::vector<std::uint64_t> numbers(500);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i < 499 ? i : 1'000'000;
    auto const packed = ascending_numbers::packed(numbers);
    std::vector<std::uint64_t> words(packed.begin(), packed.end());
    REQUIRE(ascending_numbers(words).size() == 500);
    CHECK(ascending_numbers(words)[499] == 1'000'000);
    // A run of zero words among the upper ones would be read for each number behind it.
    auto const first_upper = 3 + (500 + 127) / 128;
    words.insert(words.begin() + first_upper, 1000, 0);
    words[2] += 1000;
    CHECK(ascending_numbers(words).words().empty());
}
