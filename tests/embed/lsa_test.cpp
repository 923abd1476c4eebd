// SPDX-License-Identifier: MIT
#include <trawl/embed/lsa.hpp>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/text/analyzers/english_analyzer.hpp>

#include "support/catch.hpp"

namespace {

using views = std::vector<std::string_view>;

std::vector<std::string> golden_texts() {
    std::ifstream file("tests/golden/embed/lsa_texts.txt");
    std::vector<std::string> texts;
    for (std::string line; std::getline(file, line);) texts.push_back(line);
    REQUIRE(texts.size() == 18);
    return texts;
}

template <class Embedder>
std::vector<float> embedded(Embedder const& embedder, views const& texts) {
    std::vector<float> rows(texts.size() * embedder.dim(), std::numeric_limits<float>::quiet_NaN());
    embedder.embed(texts, trawl::text_role::passage, {rows.data(), texts.size(), embedder.dim()});
    return rows;
}

double dot(std::span<float const> a, std::span<float const> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

bool same_bits(std::vector<float> const& a, std::vector<float> const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) {
        return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
    });
}

} // namespace

TEST_CASE("LSA gives the cosines of LAPACK's full decomposition", "[embed][lsa]") {
    auto const lines = golden_texts();
    views const texts(lines.begin(), lines.end());
    auto const seed = GENERATE(1u, 2u, 77u);
    CAPTURE(seed);
    auto const embedder =
        trawl::lsa_embedder::fit(texts, {.dim = 5, .power_iterations = 10, .seed = seed});
    auto const rows = embedded(embedder, texts);

    std::ifstream file("tests/golden/embed/lsa_cosines.txt");
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t j = 0; j < texts.size(); ++j) {
            double expected = 0;
            REQUIRE(file >> expected);
            CAPTURE(i, j);
            auto const row = [&](std::size_t r) {
                return std::span<float const>(rows).subspan(r * 5, 5);
            };
            CHECK_THAT(dot(row(i), row(j)), WithinAbs(expected, 1e-4));
        }
    }
}

TEST_CASE("LSA's power iterations sharpen a flat spectrum", "[embed][lsa]") {
    // Singular values 0.97^j: a spectrum so flat that one random projection sees it blurred.
    Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(200, 200);
    for (int i = 0; i < 200; ++i) matrix.insert(i, i) = std::pow(0.97, i);
    auto const lost = [&](std::size_t power_iterations) {
        auto const vectors = trawl::detail::right_singular_vectors(
            matrix, {.dim = 20, .power_iterations = power_iterations, .seed = 3});
        return 20.0
               // the first 20 unit vectors span the answer
               - vectors.topLeftCorner(20, 20).squaredNorm();
    };
    CHECK(lost(0) > 2.0);
    CHECK(lost(20) < 0.01);
}

TEST_CASE("LSA's basis is orthonormal and its singular values fall", "[embed][lsa]") {
    trawl::detail::random random(5);
    Eigen::MatrixXd columns(50, 8);
    for (auto& value : columns.reshaped()) value = random.normal();
    columns.col(7) = columns.col(0) + columns.col(1); // rank 7
    Eigen::MatrixXd const before = columns;
    auto const values = trawl::detail::orthonormalise(columns);

    REQUIRE(values.size() == 8);
    CHECK(std::is_sorted(values.rbegin(), values.rend()));
    CHECK(values[6] > 1.0);
    CHECK(values[7] == 0.0);
    CHECK(columns.col(7).norm() == 0.0);
    Eigen::MatrixXd const basis = columns.leftCols(7);
    CHECK((basis.transpose() * basis - Eigen::MatrixXd::Identity(7, 7)).norm() < 1e-12);
    CHECK((before - basis * (basis.transpose() * before)).norm() < 1e-10); // spans what it spanned
}

TEST_CASE("LSA brings together texts that share no word but the same company", "[embed][lsa]") {
    views const texts{"car engine wheel", "automobile engine wheel", "car engine road",
        "automobile wheel road", "apple pear plum", "pear plum cherry", "apple cherry plum",
        "pear cherry apple"};
    auto const embedder = trawl::lsa_embedder::fit(texts, {.dim = 2});
    auto const rows = embedded(embedder, {"car", "automobile", "cherry"});
    auto const row = [&](std::size_t r) { return std::span<float const>(rows).subspan(r * 2, 2); };
    CHECK(dot(row(0), row(1)) > 0.99);
    CHECK(std::abs(dot(row(0), row(2))) < 0.01);
}

TEST_CASE(
    "LSA's rows have unit length, or are zero for texts without known terms", "[embed][lsa]") {
    auto const lines = golden_texts();
    views const texts(lines.begin(), lines.end());
    auto const embedder = trawl::lsa_embedder::fit(texts, {.dim = 4});
    auto const rows = embedded(embedder, {"the cat", "", "zebra unheard", "cat cat cat"});
    auto const row = [&](std::size_t r) { return std::span<float const>(rows).subspan(r * 4, 4); };
    CHECK_THAT(dot(row(0), row(0)), WithinAbs(1.0, 1e-6));
    CHECK_THAT(dot(row(3), row(3)), WithinAbs(1.0, 1e-6));
    CHECK(dot(row(1), row(1)) == 0.0);
    CHECK(dot(row(2), row(2)) == 0.0);
}

TEST_CASE("LSA gives a zero row to what lies outside the directions kept", "[embed][lsa]") {
    // Two blocks that share no term; the larger one takes the only direction.
    views const texts{"a1 a2", "a1 a2", "a1 a2", "a2 a1", "b1 b2", "b2 b1"};
    auto const embedder = trawl::lsa_embedder::fit(texts, {.dim = 1, .power_iterations = 20});
    auto const rows = embedded(embedder, {"a1", "b1"});
    CHECK_THAT(std::abs(rows[0]), WithinAbs(1.0, 1e-6));
    CHECK(rows[1] == 0.0f);
}

TEST_CASE("LSA is the same for the same texts, options and seed", "[embed][lsa]") {
    auto const lines = golden_texts();
    views const texts(lines.begin(), lines.end());
    auto const once = embedded(trawl::lsa_embedder::fit(texts, {.dim = 4, .seed = 9}), texts);
    auto const again = embedded(trawl::lsa_embedder::fit(texts, {.dim = 4, .seed = 9}), texts);
    CHECK(same_bits(once, again));
}

TEST_CASE("A row of LSA does not depend on its batch or its role", "[embed][lsa]") {
    auto const lines = golden_texts();
    views const texts(lines.begin(), lines.end());
    auto const embedder = trawl::lsa_embedder::fit(texts, {.dim = 6});
    auto const together = embedded(embedder, texts);
    std::vector<float> alone;
    for (auto const text : texts) {
        std::vector<float> row(6);
        embedder.embed(views{text}, trawl::text_role::query, {row.data(), 1, 6});
        alone.insert(alone.end(), row.begin(), row.end());
    }
    CHECK(same_bits(together, alone));
    embedder.embed({}, trawl::text_role::passage, {nullptr, 0, 6}); // no texts: nothing to fill
}

TEST_CASE(
    "LSA of more dimensions than there are directions fills the rest with zeros", "[embed][lsa]") {
    views const texts{"red green", "green blue", "blue red", "red green blue"};
    auto const embedder = trawl::lsa_embedder::fit(texts, {.dim = 10});
    CHECK(embedder.dim() == 10);
    CHECK(embedder.terms() == 3);
    auto const rows = embedded(embedder, texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t j = 3; j < 10; ++j) CHECK(rows[i * 10 + j] == 0.0f);
        auto const row = std::span<float const>(rows).subspan(i * 10, 10);
        CHECK_THAT(dot(row, row), WithinAbs(1.0, 1e-6));
    }
    // All three directions: nothing is lost, so the cosine is that of the weighted terms
    // themselves. Each term is in 3 of 4 texts, so all weigh alike: "red green" and "green blue"
    // share one of two words.
    CHECK_THAT(
        dot(std::span<float const>(rows).first(10), std::span<float const>(rows).subspan(10, 10)),
        WithinAbs(0.5, 1e-6));
}

TEST_CASE("LSA weighs a repeated term by 1 + ln tf", "[embed][lsa]") {
    views const texts{"red green", "green blue", "blue red", "red green blue"};
    auto const embedder = trawl::lsa_embedder::fit(texts, {.dim = 3});
    auto const rows = embedded(embedder, {"red red green", "green"});
    // (1 + ln 2, 1) against (0, 1)
    CHECK_THAT(dot(std::span<float const>(rows).first(3), std::span<float const>(rows).last(3)),
        WithinAbs(1.0 / std::hypot(1.0 + std::log(2.0), 1.0), 1e-6));
}

TEST_CASE("LSA leaves out terms in fewer texts than least_df", "[embed][lsa]") {
    views const texts{"red green once", "green blue", "blue red twice", "red green blue twice"};
    CHECK(trawl::lsa_embedder::fit(texts, {.dim = 3, .least_df = 1}).terms() == 5);
    CHECK(trawl::lsa_embedder::fit(texts, {.dim = 3}).terms() == 4);
    CHECK(trawl::lsa_embedder::fit(texts, {.dim = 3, .least_df = 3}).terms() == 3);
}

TEST_CASE("LSA works with an analyzer of one's choice", "[embed][lsa]") {
    views const texts{"running dogs", "the dog runs", "cats sleep", "a cat sleeping"};
    auto const embedder =
        trawl::basic_lsa_embedder<trawl::english_analyzer>::fit(texts, {.dim = 2});
    CHECK(embedder.terms() == 4); // run dog cat sleep
    auto const rows = embedded(embedder, {"running", "dogs"});
    CHECK_THAT(dot(std::span<float const>(rows).first(2), std::span<float const>(rows).last(2)),
        WithinAbs(1.0, 1e-6));
}

TEST_CASE("LSA refuses what it cannot fit or fill", "[embed][lsa]") {
    auto const code_of = [](auto&& call) {
        try {
            call();
        } catch (trawl::error const& e) {
            return std::optional(e.code());
        }
        return std::optional<trawl::errc>();
    };
    using enum trawl::errc;
    views const texts{"red green", "green blue", "blue red"};
    CHECK(code_of([&] { (void)trawl::lsa_embedder::fit({}); }) == invalid_argument);
    CHECK(code_of([&] { (void)trawl::lsa_embedder::fit(texts, {.dim = 0}); }) == invalid_argument);
    CHECK(code_of([&] { (void)trawl::lsa_embedder::fit(texts, {.least_df = 3}); })
          == invalid_argument);
    CHECK(code_of([&] { (void)trawl::lsa_embedder::fit(views{"", ""}, {}); }) == invalid_argument);
    auto const embedder = trawl::lsa_embedder::fit(texts, {.dim = 2});
    std::vector<float> out(8);
    CHECK(code_of([&] {
        embedder.embed(texts, trawl::text_role::query, {out.data(), 2, 2});
    }) == dimension_mismatch);
    CHECK(code_of([&] {
        embedder.embed(texts, trawl::text_role::query, {out.data(), 3, 1});
    }) == dimension_mismatch);
}
