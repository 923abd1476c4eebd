// SPDX-License-Identifier: MIT
#pragma once

/// Conditions, facets and sorting over the metadata of a million documents.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/detail/columns_builder.hpp>
#include <trawl/collection/detail/facet_counter.hpp>
#include <trawl/detail/random.hpp>

#include "harness.hpp"

namespace bench {

inline trawl::detail::columns filter_columns(std::size_t rows) {
    using trawl::metadata_value;
    trawl::detail::columns_builder builder(
        {{"version", trawl::text_field}, {"source", trawl::text_field},
            {"tags", trawl::text_list_field}, {"size", trawl::integer_field},
            {"score", trawl::float_field}, {"published", trawl::date_field}});
    trawl::detail::random random(1);
    for (std::size_t i = 0; i < rows; ++i) {
        // Ten versions, the first in half of the documents; a thousand sources; sizes nearly all different.
        auto const version = random.below(2) == 0 ? 0 : random.below(10);
        std::vector<std::string> tags(random.below(4));
        for (auto& tag : tags) tag = "tag" + std::to_string(random.below(200));
        builder.add({{"version", "3." + std::to_string(version)},
            {"source", "source" + std::to_string(random.below(1000))},
            {"tags", metadata_value(std::move(tags))},
            {"size", static_cast<std::int64_t>(random.below(1'000'000'000))},
            {"score", random.uniform()},
            {"published",
                trawl::date::from_seconds(
                    1'700'000'000 - static_cast<std::int64_t>(random.below(100'000'000)))}});
    }
    return builder.finish();
}

/// The rows of ./dev bench collection on conditions. Bounds are the targets for one core.
inline void filters(report& out) {
    using trawl::field;
    auto const rows = std::size_t{out.quick() ? 20'000u : 1'000'000u};
    auto const size = out.quick() ? std::string("20k") : std::string("1M");
    trawl::detail::columns columns;
    auto const built = cpu_seconds([&] { columns = filter_columns(rows); });
    out.limit(size + " documents' metadata into columns", {built}, "s");

    struct asked {
        char const* name;
        trawl::condition where;
        double most; ///< milliseconds
    };
    auto const day = trawl::date::parse("2023-01-01");
    std::vector<asked> const all = {
        {"equality, 55 % match", field("version") == "3.0", 1},
        {"equality, 5 % match", field("version") == "3.7", 1},
        {"equality, 0.1 % match", field("source") == "source7", 1},
        {"not equal, 45 % match", field("version") != "3.0", 1},
        {"one of three, 0.3 % match", field("source").in({"source1", "source2", "source3"}), 1},
        {"list contains, 0.7 % match", field("tags").contains("tag7"), 1},
        {"has a value", field("tags").exists(), 1},
        {"integer range, 10 % match", field("size") < 100'000'000, 5},
        {"integer range, 50 % match", field("size") >= 500'000'000, 5},
        {"float range, 1 % match", field("score") >= 0.5 && field("score") < 0.51, 5},
        {"date range, 80 % match", field("published") < day, 5},
        {"date and equality and tag",
            field("published") >= day && field("version") == "3.0"
                && !field("tags").contains("tag7"),
            5},
    };
    std::vector<std::function<double()>> works;
    for (auto const& each : all) {
        works.push_back([&] {
            std::size_t found = 0;
            auto const time = cpu_seconds([&] { found = columns.evaluate(each.where)[0] & 1; });
            return 1e3 * time + 1e-12 * static_cast<double>(found);
        });
    }
    trawl::detail::row_words const everything = columns.evaluate({});
    auto const tenth = columns.evaluate(field("size") < 100'000'000);
    auto const facets = [&](char const* name, trawl::detail::row_words const& among) {
        works.push_back([&, name] {
            std::size_t found = 0;
            return 1e3 * cpu_seconds([&] {
                trawl::detail::facet_counter counter(name);
                counter.add(columns, among);
                found = counter.top(10).size();
            }) + 1e-12 * static_cast<double>(found);
        });
    };
    facets("version", everything);
    facets("source", everything);
    facets("tags", everything);
    facets("source", tenth);
    works.push_back([&] {
        return 1e3 * cpu_seconds([&] {
            if (columns.sorted("published", true, tenth, 10).size() != 10) std::abort();
        });
    });
    auto const times = interleave_values(out.rounds(), works);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.bound(size + ": " + all[i].name, times[i], all[i].most, "ms");
    auto at = all.size();
    for (auto const* const name : {"10 values, all rows", "1000 values, all rows",
             "200 values in lists, all rows", "1000 values, 10 % of the rows"})
        out.bound(size + ": facets, " + name, times[at++], 10, "ms");
    out.bound(size + ": newest 10 of 10 % of the rows", times[at], 1, "ms");
}

} // namespace bench
