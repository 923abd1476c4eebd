// SPDX-License-Identifier: MIT
#include <trawl/pipeline/variants.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/hybrid_search.hpp>

using support::error_of;
using support::ids_of;
using namespace trawl;

namespace {

// Answers each text by a table of its own; writes down what it was asked.
struct library {
    std::vector<std::pair<std::string, ranking>> answers;
    std::shared_ptr<std::vector<std::string>> asked = std::make_shared<std::vector<std::string>>();
    std::shared_ptr<std::mutex> mutex = std::make_shared<std::mutex>();

    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        std::lock_guard const lock(*mutex);
        asked->push_back(
            std::string(q.text)
            + (q.vector.empty() ? "" : "+" + std::to_string(static_cast<int>(q.vector[0]))));
        for (auto const& [text, hits] : answers) {
            if (text != q.text) continue;
            auto found = hits;
            std::erase_if(found, [&](hit const& h) { return !options.where.admits(h.id); });
            keep_best(found, options.k);
            return found;
        }
        return {};
    }
};

// The vector of a text is its length, negative for a passage.
struct length_model {
    [[nodiscard]] static std::size_t dim() { return 1; }
    static void embed(
        std::span<std::string_view const> texts, text_role role, matrix_view<float> out) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            out.row(i)[0] =
                static_cast<float>(texts[i].size()) * (role == text_role::passage ? -1.0f : 1.0f);
        }
    }
};

using variants = std::vector<query_variant>;
auto expanding_to(variants given) {
    return [given](query const&) { return given; };
}

library const first{{{"car", {{1, 3.0f}, {2, 2.0f}}}, {"auto", {{3, 9.0f}, {1, 8.0f}}}}};
library const second{{{"car", {{2, 1.0f}}}, {"auto", {{4, 1.0f}}}}};
query const car{.text = "car"};

} // namespace

TEST_CASE("what all arms return for all variants is fused once", "[pipeline][variants]") {
    auto const search = hybrid_search{first, second}.variants(expanding_to({{.text = "auto"}}));
    // The rule by itself over the four rankings.
    std::vector<ranking> const four{first.answers[0].second, second.answers[0].second,
        first.answers[1].second, second.answers[1].second};
    REQUIRE(search(car) == rrf{}(four));

    auto const weighted = hybrid_search{first, second}
                              .fuse(rrf{.weights = {0.5, 2}, .ks = {60, 10}})
                              .variants(expanding_to({{.text = "auto", .weight = 0.25}}));
    REQUIRE(weighted(car) == rrf{.weights = {0.5, 2, 0.125, 0.5}, .ks = {60, 10, 60, 10}}(four));
}

TEST_CASE("repeated variants and those of weight 0 are not asked", "[pipeline][variants]") {
    auto const arm = first;
    arm.asked->clear();
    auto const report = hybrid_search{arm}
                            .variants(expanding_to({{.text = "car"}, {.text = "auto"},
                                {.text = "auto", .weight = 3}, {.text = "bus", .weight = 0}}))
                            .report(car);
    REQUIRE(*arm.asked == std::vector<std::string>{"car", "auto"});
    auto const& step = report.trace.at(0);
    REQUIRE(step.name == "variants");
    REQUIRE(step.candidates_in == 4);
    REQUIRE(step.candidates_out == 1);
    REQUIRE(step.notes == std::vector<std::string>{"2 dropped, asked already"});
    REQUIRE(report.trace.at(1).name == "arm 0");
    REQUIRE(report.trace.at(2).name == "arm 0, variant 1");
}

TEST_CASE(
    "the question itself may be left out, if something is left to ask", "[pipeline][variants]") {
    auto const arm = first;
    arm.asked->clear();
    auto const only = [&](variants given) {
        return hybrid_search{arm}.variants(expanding_to(std::move(given)), {.original = false});
    };
    REQUIRE(ids_of(only({{.text = "auto"}})(car)) == std::vector<doc_id>{3, 1});
    REQUIRE(only({{.text = "auto"}}).report(car).trace.at(1).name == "arm 0, variant 1");
    REQUIRE(ids_of(only({})(car)) == std::vector<doc_id>{1, 2});
    REQUIRE(ids_of(only({{.text = "car"}})(car)) == std::vector<doc_id>{1, 2});
}

TEST_CASE("variants are embedded, a hypothetical answer as a passage and for its vector only",
    "[pipeline][variants]") {
    auto const arm = first;
    arm.asked->clear();
    auto const search =
        hybrid_search{arm}
            .variants(expanding_to({{.text = "auto"},
                {.text = "a long answer", .hypothetical = true}, {.text = "bus", .vector = {7}}}))
            .embed(length_model{});
    auto const report = search.report(car);
    REQUIRE(*arm.asked == std::vector<std::string>{"car+3", "auto+4", "+-13", "bus+7"});
    REQUIRE(report.trace.at(1).name == "variants");
    REQUIRE(report.trace.at(1).scored == 2);
}

TEST_CASE("stages see the question, not its variants", "[pipeline][variants]") {
    std::string seen;
    auto const look = [&](query const& q, ranking hits, search_options const&) {
        seen = q.text;
        return hits;
    };
    (void)hybrid_search{first}
        .variants(expanding_to({{.text = "auto"}}), {.original = false})
        .then(look)(car);
    REQUIRE(seen == "car");
}

TEST_CASE(
    "several threads, filters and completion mean the same with variants", "[pipeline][variants]") {
    thread_executor const threads(3);
    doc_set const allowed(9, {1, 3});
    auto const search = hybrid_search{first, second}.variants(expanding_to({{.text = "auto"}}));
    search_options options;
    options.executor = &threads;
    REQUIRE(search.search(car, options) == search(car));
    REQUIRE(ids_of(search(car, 10, allowed)) == std::vector<doc_id>{1, 3});

    support::table_arm const scoring{{{1, 4.0f}, {2, 2.0f}}};
    auto const completed = hybrid_search{scoring, first}
                               .fuse(weighted_sum{.norm = normaliser::none}, {.complete = true})
                               .variants(expanding_to({{.text = "auto"}}));
    // 1: 4 + 3 + 4 + 8 = 19; 3: 9; 2: 2 + 2 + 2 = 6.
    REQUIRE(completed(car) == ranking{{1, 19.0f}, {3, 9.0f}, {2, 6.0f}});
}

TEST_CASE("an explanation names the variants and adds up", "[pipeline][variants][explain]") {
    auto const search =
        hybrid_search{first, second}.variants(expanding_to({{.text = "auto", .weight = 0.5}}));
    for (auto const& h : search(car)) {
        auto const tree = search.explain(car, h.id);
        REQUIRE(tree.value == static_cast<double>(h.score));
        REQUIRE(adds_up(tree));
    }
    REQUIRE(
        to_text(search.explain(car, 4)).find("arm 1, variant 1: its score") != std::string::npos);
}

TEST_CASE("a failing arm is reported for each variant", "[pipeline][variants][failures]") {
    struct failing {
        [[nodiscard]] ranking search(query const& q, search_options const&) const {
            if (q.text == "auto") detail::fail(errc::io, "no answer");
            return {{1, 1.0f}};
        }
    };
    auto const report = hybrid_search{failing{}}
                            .variants(expanding_to({{.text = "auto"}}))
                            .on_arm_failure(failure_policy::leave_out)
                            .report(car);
    REQUIRE(report.failures.size() == 1);
    REQUIRE(report.failures[0].arm == 0);
    REQUIRE(report.failures[0].variant == 1);
    REQUIRE(report.failures[0].message == "no answer");
    REQUIRE(ids_of(report.ranking) == std::vector<doc_id>{1});
}

TEST_CASE("a variant that is none is an error that names it", "[pipeline][variants]") {
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    auto const bad = [](variants given) {
        return error_of([&] { (void)hybrid_search{first}.variants(expanding_to(given))(car); });
    };
    REQUIRE(bad({{.text = "auto"}, {.text = "bus", .weight = -1}}).text
            == "variants: the weight of variant 2 is -1, must be finite and >= 0");
    REQUIRE(bad({{.text = "bus", .weight = nan}}).code == errc::model);
    REQUIRE(bad({{}}).text == "variants: variant 1 has neither text nor vector");
    REQUIRE(bad({{.text = "answer", .hypothetical = true}})
                .names("give it one, or the pipeline an embedder"));

    struct plain_rule {
        void validate(std::size_t) const {}
        ranking operator()(std::span<ranking const> arms) const { return rrf{}(arms); }
    };
    auto const search = [](double weight) {
        return hybrid_search{first}
            .fuse(plain_rule{})
            .variants(expanding_to({{.text = "auto", .weight = weight}}));
    };
    REQUIRE(search(1)(car).size() == 3);
    REQUIRE(error_of([&] { (void)search(2)(car); }).code == errc::weight_count);
}
