// SPDX-License-Identifier: MIT
#include <trawl/embed/storage.hpp>

#include <unistd.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

#include "support/catch.hpp"
#include "support/damaged.hpp"
#include "support/error_of.hpp"
#include "support/file_sections.hpp"

namespace {

std::string const path = (std::filesystem::temp_directory_path()
                          / ("trawl_embed_storage_test_" + std::to_string(getpid())))
                             .string();

std::vector<std::string> const& lines() {
    static std::vector<std::string> const made = [] {
        std::ifstream file("tests/golden/embed/lsa_texts.txt");
        std::vector<std::string> texts;
        for (std::string line; std::getline(file, line);) texts.push_back(line);
        return texts;
    }();
    return made;
}

template <class Embedder = trawl::lsa_embedder>
Embedder fitted(trawl::lsa_options const& options = {.dim = 5}) {
    std::vector<std::string_view> const texts(lines().begin(), lines().end());
    return Embedder::fit(texts, options);
}

template <class Embedder>
std::vector<std::uint32_t> embedded_bits(Embedder const& embedder) {
    std::vector<std::string_view> texts(lines().begin(), lines().end());
    texts.push_back("");
    texts.push_back("words that no text of them has: zzz");
    std::vector<float> rows(texts.size() * embedder.dim(), -1.0f);
    embedder.embed(texts, trawl::text_role::query, {rows.data(), texts.size(), embedder.dim()});
    std::vector<std::uint32_t> bits;
    for (float const value : rows) bits.push_back(std::bit_cast<std::uint32_t>(value));
    return bits;
}

} // namespace

TEST_CASE(
    "LSA that was saved and opened gives the same embeddings to the bit", "[embed][storage]") {
    auto const made = fitted();
    trawl::save(made, path);
    for (bool const copy : {false, true}) {
        auto const again = trawl::open<trawl::lsa_embedder>(
            path, {.copy = copy, .verify = trawl::verification::all});
        CHECK((again.dim() == made.dim() && again.terms() == made.terms()));
        CHECK(embedded_bits(again) == embedded_bits(made));
        CHECK(again.fingerprint() == made.fingerprint());
        auto const bytes = trawl::read_file(path);
        trawl::save(again, path);
        CHECK(trawl::read_file(path) == bytes);
    }
    std::filesystem::remove(path);
}

TEST_CASE("a fingerprint tells embedders apart", "[embed][storage]") {
    auto const one = fitted().fingerprint();
    CHECK(fitted().fingerprint() == one);
    CHECK(fitted({.dim = 4}).fingerprint() != one);
    CHECK(fitted({.dim = 5, .least_df = 3}).fingerprint() != one);
    CHECK(fitted<trawl::basic_lsa_embedder<trawl::english_analyzer>>().fingerprint() != one);
    std::vector<std::string_view> texts(lines().begin(), lines().end() - 1);
    CHECK(trawl::lsa_embedder::fit(texts, {.dim = 5}).fingerprint() != one);
}

TEST_CASE("LSA is opened with the analyzer that it was made with", "[embed][storage]") {
    using english = trawl::basic_lsa_embedder<trawl::english_analyzer>;
    using any = trawl::basic_lsa_embedder<trawl::any_analyzer>;
    trawl::save(fitted(), path);
    auto const problem = support::error_of([] { static_cast<void>(trawl::open<english>(path)); });
    CHECK(problem.code == trawl::errc::corrupt);
    CHECK((problem.names(path + ": ") && problem.names("another analyzer")));
    auto const made = fitted<english>();
    trawl::save(made, path);
    auto const again = trawl::open<any>(path, trawl::any_analyzer::named("english"));
    CHECK(embedded_bits(again) == embedded_bits(made));
    CHECK(again.fingerprint() == made.fingerprint());
    CHECK(support::error_of([] {
        static_cast<void>(trawl::open<any>(path));
    }).names("another analyzer"));
    std::filesystem::remove(path);
}

TEST_CASE("a file of LSA that contradicts itself is refused with its path", "[embed][storage]") {
    trawl::save(fitted(), path);
    auto const good = support::file_sections::of(path);
    auto const refused = [&](auto&& change) {
        auto bad = good;
        change(bad);
        bad.write(path);
        auto const problem =
            support::error_of([] { static_cast<void>(trawl::open<trawl::lsa_embedder>(path)); });
        CHECK(problem.code == trawl::errc::corrupt);
        CHECK(problem.text.starts_with(path + ": "));
    };
    refused([](auto& bad) { bad.set("head", 0, std::uint64_t{0}); });
    refused([](auto& bad) { bad.set("head", 0, std::uint64_t{6}); });
    refused([](auto& bad) { bad.set("head", 0, ~std::uint64_t{0}); });
    refused([](auto& bad) { bad.set("head", 1, std::uint64_t{1}); });
    refused([](auto& bad) { bad.set("head", 2, std::uint64_t{1}); });
    refused([](auto& bad) { bad.set("weights", 0, std::uint64_t{0x7FF0000000000000}); });
    refused([](auto& bad) { bad.set("weights", 0, 1e300); });
    refused([](auto& bad) { bad.set("weights", 0, -1.0); });
    refused([](auto& bad) { bad.set("projection", 3, std::uint32_t{0x7FC00000}); });
    refused([](auto& bad) { bad.set("projection", 3, 1e30f); });
    refused([](auto& bad) { bad["projection"].resize(bad["projection"].size() - 4); });
    refused([](auto& bad) { bad["weights"].clear(); });
    refused([](auto& bad) { bad.set("term bounds", 1, ~std::uint64_t{0}); });
    refused([](auto& bad) { bad.set("term bounds", 0, std::uint64_t{1}); });
    refused([](auto& bad) { bad["term text"].resize(3); });
    refused([](auto& bad) { bad.kind = "flat_index"; });
    refused([](auto& bad) { bad.version = 2; });
    refused([](auto& bad) { // the same term twice: both empty
        bad.set("term bounds", 1, std::uint64_t{0});
        bad.set("term bounds", 2, std::uint64_t{0});
    });
    std::filesystem::remove(path);
}

TEST_CASE("a damaged file of LSA gives an error or finite embeddings", "[embed][storage]") {
    trawl::save(fitted(), path);
    auto const good = support::file_sections::of(path);
    auto const bytes = trawl::read_file(path);
    auto const seed = 5u;
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int i = 0; i < 200; ++i) {
        if (i % 2 == 0) {
            auto bad = good;
            bad.damage(random);
            bad.write(path);
        } else {
            trawl::write_file(path, support::damaged(bytes, i, random));
        }
        try {
            for (auto const value : embedded_bits(trawl::open<trawl::lsa_embedder>(path)))
                CHECK((value & 0x7F800000u) != 0x7F800000u);
        } catch (trawl::error const& e) {
            CHECK(std::string_view(e.what()).starts_with(path + ": "));
        }
    }
    std::filesystem::remove(path);
}
