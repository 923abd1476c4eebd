// SPDX-License-Identifier: MIT
// Posting lists survive packing, and every kernel level gives the same integers.
#include <trawl/lexical/detail/postings/list_packer.hpp>
#include <trawl/lexical/detail/postings/posting_cursor.hpp>

#include <trawl/detail/random.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

using namespace trawl::detail;

namespace {

std::vector<bm25_kernels> levels() {
    std::vector<bm25_kernels> found{bm25_kernels_named("scalar")};
    if (!kernels_named("avx2").name.empty()) found.push_back(bm25_kernels_named("avx2"));
    return found;
}

std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

} // namespace

TEST_CASE("A list of any length, with gaps and counts of any width, is read as it was written",
    "[lexical][packed_postings]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (std::size_t const n : {1u, 2u, 127u, 128u, 129u, 255u, 256u, 1000u}) {
        for (unsigned gap_bits = 0; n << gap_bits < 3'000'000; gap_bits += 1 + gap_bits / 4) {
            std::vector<std::uint32_t> rows(n);
            std::vector<std::uint32_t> counts(n);
            auto row = static_cast<std::uint32_t>(random.below(3));
            for (std::size_t i = 0; i < n; ++i) {
                rows[i] = row;
                row += 1 + static_cast<std::uint32_t>(random.below(std::uint64_t{1} << gap_bits));
                counts[i] = 1
                            + static_cast<std::uint32_t>(
                                random.below(std::uint64_t{1} << random.below(gap_bits + 10)));
            }
            std::vector<std::uint32_t> lengths(rows.back() + 1);
            for (auto const r : rows)
                lengths[r] = 1 + static_cast<std::uint32_t>(random.below(90000));
            list_packer packer(lengths);
            packer.add(7, rows, counts);
            auto packed = packer.take();
            packed.finish();
            auto const lists = packed.lists(lengths.size());
            REQUIRE_FALSE(lists.find(6).has_value());
            REQUIRE(lists.find(7).has_value());
            posting_cursor cursor(lists, *lists.find(7));
            std::size_t at = 0;
            for (std::size_t block = 0; block < cursor.blocks(); ++block) {
                cursor.decode(block);
                REQUIRE(cursor.last_row(block) == cursor.rows().back());
                auto const size = cursor.rows().size();
                REQUIRE(std::equal(
                    cursor.rows().begin(), cursor.rows().end(), rows.begin() + offset(at)));
                REQUIRE(std::equal(
                    cursor.counts().begin(), cursor.counts().end(), counts.begin() + offset(at)));
                for (auto i = at; i < at + size && cursor.headers() != nullptr; ++i) {
                    auto const& header = cursor.headers()[block]; // a pair that bounds the posting
                    bool bounded = false;
                    for (std::size_t pair = 0; pair < block_pairs; ++pair) {
                        bounded |= (std::min)(counts[i], 255u) <= header.max_counts[pair]
                                   && lengths[rows[i]] >= length_of_byte(header.least[pair]);
                    }
                    if (!bounded) FAIL("no pair bounds posting " << i);
                }
                at += size;
            }
            REQUIRE(at == n);
            for (std::size_t i = 0; i < n; i += 1 + n / 10) {
                CHECK(posting_cursor(lists, *lists.find(7)).count_of(rows[i]) == counts[i]);
                bool const next_is_there = i + 1 < n && rows[i + 1] == rows[i] + 1;
                if (!next_is_there) CHECK(cursor.count_of(rows[i] + 1) == 0);
            }
        }
    }
}

TEST_CASE("A few large counts do not widen a block's others", "[lexical][packed_postings]") {
    std::vector<std::uint32_t> rows(block_size);
    std::vector<std::uint32_t> counts(block_size, 1);
    for (std::uint32_t i = 0; i < block_size; ++i) rows[i] = i;
    std::vector<std::uint32_t> const lengths(block_size, 1000);
    auto const large = GENERATE(2u, 9u, 256u, 257u, 0x7FFFFFFFu);
    for (std::size_t i = 5; i < 5 + 7; ++i) counts[i] = large;
    list_packer packer(lengths);
    packer.add(0, rows, counts);
    auto packed = packer.take();
    // df: 2 bytes, the header's index: 4, gaps of 0: none; 7 patches of 2 bytes, of 8 bits each.
    auto const bits = large <= 256 ? 0u : large == 257 ? 1u : 23u;
    CAPTURE(large);
    CHECK(packed.bytes.size() == 2 + 4 + 16 * bits + 14);
    packed.finish();
    auto const lists = packed.lists(block_size);
    posting_cursor cursor(lists, *lists.find(0));
    cursor.decode(0);
    CHECK(std::equal(counts.begin(), counts.end(), cursor.counts().begin(), cursor.counts().end()));
    for (std::uint32_t row = 0; row < block_size; ++row) {
        CHECK(posting_cursor(lists, *lists.find(0)).count_of(row) == counts[row]);
    }
}

TEST_CASE("The numbers of a rest take the fewest bits that a byte can name",
    "[lexical][packed_postings]") {
    std::vector<std::uint32_t> const lengths(1000, 50);
    list_packer packer(lengths);
    std::vector<std::uint32_t> const rows = {7, 1, 2, 19};
    std::vector<std::uint32_t> const counts = {1, 1, 5, 2};
    packer.add(3, std::span(rows).first(1), std::span(counts).first(1));
    packer.add(4, std::span(rows).subspan(1), std::span(counts).subspan(1));
    auto const packed = packer.take();
    CHECK(std::vector(packed.begins.begin(), packed.begins.end())
          == std::vector<std::uint64_t>{0, 3});
    // 1 posting, 3 bits, gap 7. 3 postings; gaps 1, 0, 16 of 5 bits; counts less 1, 0, 4, 1, of 3
    // bits.
    CHECK(std::vector(packed.bytes.begin(), packed.bytes.end())
          == std::vector<unsigned char>{1, 3, 7, 3, 5 | 3 << 5, 1, 16 << 2, 4 << 3 | 1 << 6, 0});
}

TEST_CASE("Kernels of all levels unpack the same values, at every width",
    "[lexical][packed_postings][simd]") {
    trawl::detail::random random(5);
    for (unsigned bits = 0; bits <= 32; ++bits) {
        std::vector<unsigned char> bytes(16 * bits + packed_lists::slack);
        for (auto& byte : bytes) byte = static_cast<unsigned char>(random.below(256));
        std::vector<std::uint32_t> expected(block_size);
        std::vector<std::uint32_t> found(block_size);
        for (auto const& level : levels()) {
            CAPTURE(bits);
            scalar::unpack_rows(bytes.data(), bits, 41, expected.data());
            level.unpack_rows(bytes.data(), bits, 41, found.data());
            CHECK(found == expected);
            scalar::unpack_counts(bytes.data(), bits, expected.data());
            level.unpack_counts(bytes.data(), bits, found.data());
            CHECK(found == expected);
        }
    }
}

TEST_CASE("Kernels of all levels give the same contributions and take the same sums",
    "[lexical][packed_postings][simd]") {
    trawl::detail::random random(6);
    std::vector<std::uint32_t> lengths(500);
    for (auto& length : lengths) length = static_cast<std::uint32_t>(random.below(100000));
    for (std::size_t n = 0; n <= block_size; n += 1 + n / 20) {
        std::vector<std::uint32_t> rows(n);
        std::vector<std::uint32_t> counts(n);
        for (auto& row : rows) row = static_cast<std::uint32_t>(random.below(500));
        for (auto& count : counts) count = 1 + static_cast<std::uint32_t>(random.below(300));
        auto const weight = static_cast<float>(random.uniform() - 0.25) * 20;
        term_scoring const term{random.uniform(), random.uniform() / 50, weight, 0x1p24f};
        std::vector<std::int32_t> expected(n);
        std::vector<std::int32_t> sums(4096);
        for (auto& sum : sums) sum = static_cast<std::int32_t>(random.below(100)) - 20;
        scalar::contributions(term, rows.data(), counts.data(), n, lengths.data(), expected.data());
        for (auto const& level : levels()) {
            CAPTURE(n);
            std::vector<std::int32_t> found(n + 1, 77);
            level.contributions(term, rows.data(), counts.data(), n, lengths.data(), found.data());
            CHECK(found.back() == 77); // nothing is written past the end
            found.pop_back();
            CHECK(found == expected);

            auto const groups = random.next();
            auto ours = sums;
            auto theirs = sums;
            std::vector<std::uint32_t> places(4096);
            std::vector<std::uint32_t> expected_places(4096);
            std::vector<std::int32_t> values(4096);
            std::vector<std::int32_t> expected_values(4096);
            auto const taken =
                level.take_above(ours.data(), groups, 70, 5000, places.data(), values.data());
            REQUIRE(taken
                    == scalar::take_above(theirs.data(), groups, 70, 5000, expected_places.data(),
                        expected_values.data()));
            CHECK(ours == theirs);
            CHECK(places == expected_places);
            CHECK(values == expected_values);
            CHECK(std::all_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(taken),
                [](std::int32_t value) { return value > 70; }));
        }
    }
}

TEST_CASE("Kernels of all levels add counts in bytes and find maxima alike",
    "[lexical][packed_postings][simd]") {
    trawl::detail::random random(9);
    for (std::size_t n : {0u, 1u, 7u, 8u, 9u, 223u}) {
        std::vector<std::uint8_t> counts(n);
        std::vector<std::uint32_t> lengths(n);
        for (auto& count : counts) {
            count = static_cast<std::uint8_t>(random.below(2) == 0 ? 0 : random.below(256));
        }
        for (auto& length : lengths) length = static_cast<std::uint32_t>(random.below(1000));
        for (double const constant : {0.0, 0.3}) { // 0: of count and length 0 a division of 0 by 0
            if (constant == 0) std::fill(lengths.begin(), lengths.end(), 0u);
            term_scoring const term{constant, 0.02, 3.7f, 0x1p24f};
            std::vector<std::int32_t> expected(n, 5);
            for (std::size_t i = 0; i < n; ++i) {
                std::uint32_t const row = 0;
                std::uint32_t const count = counts[i];
                std::int32_t contribution = 0;
                scalar::contributions(term, &row, &count, 1, &lengths[i], &contribution);
                if (count > 0) expected[i] += contribution - 3;
            }
            for (auto const& level : levels()) {
                CAPTURE(n, constant);
                std::vector<std::int32_t> sums(n + 1, 5);
                level.add_counts(term, -3, counts.data(), lengths.data(), n, sums.data());
                CHECK(sums.back() == 5); // nothing is written past the end
                sums.pop_back();
                CHECK(sums == expected);
            }
        }
    }
    std::vector<std::int32_t> values(256);
    for (auto& value : values) value = static_cast<std::int32_t>(random.next());
    for (std::size_t const deep : {1u, 2u, 16u}) {
        for (auto const& level : levels()) {
            std::vector<std::int32_t> found(values.size() / deep);
            level.maxima(values.data(), values.size(), deep, found.data());
            for (std::size_t group = 0; group < found.size(); ++group) {
                auto most = values[group / 8 * 8 * deep + group % 8];
                for (std::size_t i = 0; i < deep; ++i) {
                    most = (std::max)(most, values[group / 8 * 8 * deep + 8 * i + group % 8]);
                }
                CHECK(found[group] == most);
            }
        }
    }
}

TEST_CASE("Kernels of all levels bound blocks alike, and no posting contributes more than its "
          "block's bound",
    "[lexical][packed_postings][simd]") {
    trawl::detail::random random(8);
    for (std::size_t n = 0; n < 40; ++n) {
        std::vector<block_header> headers(n);
        for (auto& header : headers) {
            for (std::size_t pair = 0; pair < block_pairs; ++pair) {
                header.max_counts[pair] = static_cast<std::uint8_t>(random.below(256));
                header.least[pair] = static_cast<std::uint8_t>(random.below(256));
            }
        }
        term_scoring const term{random.uniform(), random.uniform() / 50, 3, 0x1p24f};
        std::vector<std::int32_t> expected(n);
        scalar::bounds(term, headers.data(), n, expected.data());
        for (auto const& level : levels()) {
            std::vector<std::int32_t> found(n + 1, 77);
            level.bounds(term, headers.data(), n, found.data());
            CHECK(found.back() == 77);
            found.pop_back();
            CHECK(found == expected);
        }
        for (std::size_t i = 0; i < n; ++i) {
            auto const pair = i % block_pairs;
            auto const count =
                (std::max)(std::uint32_t{1}, std::uint32_t{headers[i].max_counts[pair]});
            auto const length = length_of_byte(headers[i].least[pair]);
            CHECK(scalar::in_steps(term, scalar::tf_factor(term, count, length)) <= expected[i]);
        }
    }
}

TEST_CASE("Kernels of all levels count the rows below one", "[lexical][packed_postings][simd]") {
    trawl::detail::random random(9);
    for (std::size_t n = 0; n <= block_size; ++n) {
        std::vector<std::uint32_t> rows(block_size, 0xFFFFFFFFu);
        std::uint32_t row = n % 2 == 0 ? 0 : 0xFFFFF000u; // beyond the signed ones, too
        for (std::size_t i = 0; i < n; ++i)
            rows[i] = row += 1 + static_cast<std::uint32_t>(random.below(3));
        for (auto const& level : levels()) {
            for (std::uint32_t wanted = n % 2 == 0 ? 0 : 0xFFFFF000u; wanted <= row; ++wanted) {
                auto const below = std::count_if(rows.begin(), rows.begin() + offset(n),
                    [&](std::uint32_t r) { return r < wanted; });
                REQUIRE(
                    level.rows_below(rows.data(), n, wanted) == static_cast<std::size_t>(below));
            }
        }
    }
}

TEST_CASE("A length's byte is never above the length and off by a sixteenth at most",
    "[lexical][packed_postings]") {
    CHECK(length_of_byte(length_byte(33)) == 32);    // 100001b keeps 10000b
    CHECK(length_of_byte(length_byte(1000)) == 992); // 1111101000b keeps 11111b
    for (std::uint32_t length = 0; length < 500000; length += 1 + length / 50) {
        auto const kept = length_of_byte(length_byte(length));
        CHECK((kept <= length && length - kept <= length / 16));
    }
    CHECK(length_of_byte(length_byte(0xFFFFFFFFu)) == 31u << 14);
}
