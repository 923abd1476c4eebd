// SPDX-License-Identifier: MIT
#include <trawl/eval/significance.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/distributions.hpp>
#include <trawl/eval/multiple_comparisons.hpp>

#include "eval/statistics.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<double> random_values(trawl::detail::random& random, std::size_t n) {
    std::vector<double> out(n);
    for (auto& v : out) v = random.uniform();
    return out;
}

} // namespace

TEST_CASE("tests of significance are scipy's", "[eval][significance][golden]") {
    auto golden = support::read_statistics();
    std::size_t exact = 0;
    for (auto const& [name, t] : golden.figures["t"]) {
        CAPTURE(name);
        auto const& [a, b] = golden.cases.at(name);
        CHECK_THAT(trawl::paired_t_test(a, b).statistic, WithinRel(t, 1e-9));
        CHECK_THAT(trawl::paired_t_test(a, b).p, WithinRel(golden.figures["t_p"][name], 1e-7));
        CHECK_THAT(trawl::effect_size(a, b), WithinRel(golden.figures["effect"][name], 1e-9));
        if (golden.figures["wilcoxon_p"].count(name) != 0) {
            CHECK_THAT(
                trawl::wilcoxon_test(a, b).p, WithinAbs(golden.figures["wilcoxon_p"][name], 1e-10));
        }
        if (golden.figures["fisher_p"].count(name) != 0) {
            CHECK_THAT(trawl::randomisation_test(a, b).p,
                WithinRel(golden.figures["fisher_p"][name], 1e-12));
            ++exact;
        }
    }
    CHECK(golden.figures["t"].size() == 10);
    CHECK(golden.figures["wilcoxon_p"].size() == 9);
    CHECK(exact == 4);
    // scipy gives the statistic of a permutation test as the sum of the positive ranks.
    for (auto const* name : {"plain12", "plain30", "plain250", "steps300"}) {
        auto const& [a, b] = golden.cases.at(name);
        CHECK(trawl::wilcoxon_test(a, b).statistic == golden.figures["wilcoxon"][name]);
    }
}

TEST_CASE("distributions are scipy's", "[eval][significance][golden]") {
    auto golden = support::read_statistics();
    for (auto const& [text, p] : golden.figures["range"]) {
        CAPTURE(text);
        auto const comma = text.find(',');
        auto const next = text.find(',', comma + 1);
        auto const at = [&](std::size_t from, std::size_t to) {
            return *trawl::detail::parse_double(std::string_view(text).substr(from, to - from));
        };
        CHECK_THAT(trawl::detail::studentised_range_above(at(0, comma),
                       static_cast<std::size_t>(at(comma + 1, next)), at(next + 1, text.size())),
            WithinAbs(p, 2e-9));
    }
    for (auto const& [text, z] : golden.figures["quantile"]) {
        CHECK_THAT(trawl::detail::normal_quantile(*trawl::detail::parse_double(text)),
            WithinAbs(z, 1e-12));
    }
}

TEST_CASE("corrections for several comparisons are statsmodels' and scipy's",
    "[eval][significance][golden]") {
    auto golden = support::read_statistics();
    std::vector<double> raw;
    std::vector<double> wanted;
    for (auto const& [i, p] : golden.figures["holm_raw"]) {
        raw.push_back(p);
        wanted.push_back(golden.figures["holm"][i]);
    }
    auto const adjusted = trawl::holm(raw);
    for (std::size_t i = 0; i < raw.size(); ++i)
        CHECK_THAT(adjusted[i], WithinRel(wanted[i], 1e-14));

    std::vector<double> table(40 * 4);
    for (std::size_t j = 0; j < 4; ++j) {
        auto const& column = golden.cases.at("tukey" + std::to_string(j)).first;
        for (std::size_t i = 0; i < 40; ++i) table[i * 4 + j] = column[i];
    }
    trawl::matrix_view<double const> const view{table.data(), 40, 4};
    auto const paired = trawl::tukey_hsd(view);
    auto const independent = trawl::tukey_hsd(view, trawl::tukey_design::independent);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(paired[i * 4 + i] == 1);
        for (std::size_t j = i + 1; j < 4; ++j) {
            auto const pair = std::to_string(i) + std::to_string(j);
            CHECK_THAT(paired[i * 4 + j], WithinAbs(golden.figures["tukey_paired"][pair], 2e-9));
            CHECK_THAT(
                independent[i * 4 + j], WithinAbs(golden.figures["tukey_independent"][pair], 2e-9));
            CHECK(paired[i * 4 + j] == paired[j * 4 + i]);
        }
    }
}

TEST_CASE("two systems of two come out alike in one of four ways", "[eval][significance]") {
    // Differences .2 and .1: of (+.3, +.1, -.1, -.3) two are as far from 0 as .3.
    std::vector<double> const a{.5, .4};
    std::vector<double> const b{.3, .3};
    CHECK(trawl::randomisation_test(a, b).p == .5);
    CHECK_THAT(trawl::randomisation_test(a, b).statistic, WithinRel(.15, 1e-12));
}

TEST_CASE(
    "a randomisation test never says 0, and comes near what is exact", "[eval][significance]") {
    trawl::detail::random random(3);
    auto const a = random_values(random, 60);
    auto b = a;
    for (auto& v : b) v -= .1;
    // No swap of any query reaches the difference but none and all: 2 of 2^60 ways.
    CHECK_THAT(trawl::randomisation_test(a, b, {.samples = 999}).p, WithinRel(1.0 / 1000, 1e-15));
    // 18 differences: exact by 2^18 ways, or by 100,000 random ones. Standard error below .0016.
    auto const c = random_values(random, 18);
    auto const d = random_values(random, 18);
    auto const exact = trawl::randomisation_test(c, d, {.samples = 1u << 18}).p;
    auto const sampled = trawl::randomisation_test(c, d, {.samples = 100'000}).p;
    CHECK(exact != sampled);
    CHECK_THAT(sampled, WithinAbs(exact, .008));
}

TEST_CASE("a test of random systems says below p in a share p of cases",
    "[eval][significance][simulation]") {
    trawl::detail::random random(11);
    std::size_t t = 0;
    std::size_t wilcoxon = 0;
    std::size_t fisher = 0;
    constexpr std::size_t trials = 1000;
    for (std::size_t i = 0; i < trials; ++i) {
        auto const a = random_values(random, 25);
        auto const b = random_values(random, 25);
        t += trawl::paired_t_test(a, b).p < .1 ? 1u : 0u;
        wilcoxon += trawl::wilcoxon_test(a, b).p < .1 ? 1u : 0u;
        fisher += trawl::randomisation_test(a, b, {.samples = 499, .seed = i}).p < .1 ? 1u : 0u;
    }
    // Standard deviation 9.5; four of them.
    for (auto const count : {t, wilcoxon, fisher}) CHECK((count > 60 && count < 140));
}

TEST_CASE("threads, order of queries and swapped systems change nothing",
    "[eval][significance][property]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto a = random_values(random, 77);
    auto b = random_values(random, 77);
    auto const once = trawl::randomisation_test(a, b, {.samples = 5000, .seed = seed});
    trawl::thread_executor const threads(3);
    auto const again =
        trawl::randomisation_test(a, b, {.samples = 5000, .seed = seed, .pool = &threads});
    CHECK(once.p == again.p);
    auto const swapped = trawl::randomisation_test(b, a, {.samples = 5000, .seed = seed});
    CHECK(once.p == swapped.p);
    CHECK(once.statistic == -swapped.statistic);
    CHECK(trawl::paired_t_test(a, b).p == trawl::paired_t_test(b, a).p);
    CHECK(trawl::wilcoxon_test(a, b).p == trawl::wilcoxon_test(b, a).p);
    auto const other = trawl::randomisation_test(a, b, {.samples = 5000, .seed = seed + 100});
    CHECK_THAT(other.p, WithinAbs(once.p, .04));
}

TEST_CASE("systems that are the same differ by chance", "[eval][significance]") {
    std::vector<double> const same{.1, .2, .3};
    for (auto const& values : {same, std::vector<double>{}}) {
        CHECK(trawl::paired_t_test(values, values).p == 1);
        CHECK(trawl::wilcoxon_test(values, values).p == 1);
        CHECK(trawl::randomisation_test(values, values).p == 1);
        CHECK(trawl::effect_size(values, values) == 0);
    }
    CHECK(trawl::wins_of(same, same) == trawl::win_tie_loss{0, 3, 0});
    std::vector<double> const mixed{.2, .2, .1};
    CHECK(trawl::wins_of(mixed, same) == trawl::win_tie_loss{1, 1, 1});
    // A constant difference leaves no doubt. Halves are exact.
    std::vector<double> const low{0, .5, 1};
    std::vector<double> const high{.5, 1, 1.5};
    CHECK(trawl::paired_t_test(high, low).p == 0);
    CHECK(std::isinf(trawl::effect_size(high, low)));
    std::vector<double> const flat{.5, .5, .5, .5};
    CHECK(trawl::tukey_hsd({flat.data(), 2, 2}) == std::vector<double>(4, 1));
    std::vector<double> const apart{0, 1, 0, 1};
    CHECK(trawl::tukey_hsd({apart.data(), 2, 2})[1] == 0);
}

TEST_CASE("tests refuse values that do not pair, and NaN", "[eval][significance][bad]") {
    std::vector<double> const two{1, 2};
    std::vector<double> const three{1, 2, 3};
    std::vector<double> const broken{1, not_a_number};
    auto const refused = support::error_of([&] { (void)trawl::paired_t_test(two, three); });
    CHECK(refused.code == trawl::errc::dimension_mismatch);
    CHECK((refused.names("2 values") && refused.names("second 3")));
    CHECK(support::error_of([&] { (void)trawl::wilcoxon_test(two, broken); }).code
          == trawl::errc::not_finite);
    CHECK(support::error_of([&] { (void)trawl::effect_size(broken, two); }).code
          == trawl::errc::not_finite);
    CHECK(support::error_of([&] { (void)trawl::wins_of(two, two, -1); }).names("-1"));
    CHECK(support::error_of([&] {
        (void)trawl::randomisation_test(two, two, {.samples = 0});
    }).names("is 0"));
    CHECK(support::error_of([&] { (void)trawl::holm(two); }).names("is 2"));
    CHECK(support::error_of([&] {
        (void)trawl::tukey_hsd({two.data(), 1, 2});
    }).names("has 1 and 2"));
    CHECK(support::error_of([&] {
        (void)trawl::tukey_hsd({broken.data(), 1, 2});
    }).code
          == trawl::errc::invalid_argument);
}
