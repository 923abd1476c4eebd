// SPDX-License-Identifier: MIT
#include <trawl/collection/detail/columns.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trawl/collection/condition_text.hpp>
#include <trawl/collection/detail/columns_builder.hpp>
#include <trawl/collection/detail/facet_counter.hpp>
#include <trawl/storage/sections.hpp>

#include "collection/support.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/file_sections.hpp"

using trawl::field;
using trawl::detail::columns;
using trawl::detail::columns_builder;
using trawl::detail::facet_counter;

namespace {

std::string const path =
    (std::filesystem::temp_directory_path() / ("trawl_columns_test_" + std::to_string(getpid())))
        .string();

columns columns_of(std::vector<trawl::metadata> const& rows) {
    columns_builder builder(support::fields);
    for (auto const& row : rows) builder.add(row);
    CHECK(builder.rows() == rows.size());
    return builder.finish();
}

void save(columns const& from, std::string_view prefix = "m ") {
    trawl::section_writer writer("columns test", 1);
    from.add_to(writer, prefix);
    writer.write(path);
}

columns opened(std::size_t rows, std::string_view prefix = "m ") {
    return columns::open(trawl::section_file(path), prefix, rows);
}

bool has(std::vector<std::uint64_t> const& words, std::size_t row) {
    return (words[row / 64] >> row % 64 & 1) != 0;
}

std::vector<std::size_t> rows_in(std::vector<std::uint64_t> const& words, std::size_t rows) {
    std::vector<std::size_t> made;
    for (std::size_t i = 0; i < words.size() * 64; ++i) {
        if (!has(words, i)) continue;
        if (i >= rows) FAIL("a row that does not exist");
        made.push_back(i);
    }
    return made;
}

// What a value is sorted by, from its text: of one type only.
bool before(trawl::metadata_value const& a, trawl::metadata_value const& b) {
    switch (a.type()) {
    case trawl::field_type::text:
        return a.as_text() < b.as_text();
    case trawl::field_type::integer:
        return a.as_integer() < b.as_integer();
    case trawl::field_type::real:
        return a.as_float() < b.as_float();
    case trawl::field_type::boolean:
        return a.as_bool() < b.as_bool();
    default:
        return a.as_date() < b.as_date();
    }
}

void check_all(columns const& from, std::vector<trawl::metadata> const& rows, std::uint64_t seed) {
    support::metadata_by_chance chance(seed);
    from.verify();
    REQUIRE(from.rows() == rows.size());
    for (int i = 0; i < 150; ++i) {
        auto const asked = chance.condition(3);
        CAPTURE(to_text(asked));
        auto const found = from.evaluate(asked);
        REQUIRE(found.size() == (rows.size() + 63) / 64);
        std::vector<std::size_t> wanted;
        for (std::size_t row = 0; row < rows.size(); ++row)
            if (support::is_true(asked, rows[row])) wanted.push_back(row);
        CHECK(rows_in(found, rows.size()) == wanted);
    }
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        trawl::metadata wanted; // in the order of the fields
        for (auto const& f : support::fields)
            if (auto const* const value = rows[row].find(f.name)) wanted.set(f.name, *value);
        if (!(from.values(row) == wanted)) FAIL("row " << row);
        for (auto const& f : support::fields) {
            auto const* const value = rows[row].find(f.name);
            auto const found = from.value(row, f.name);
            if (found.has_value() != (value != nullptr) || (found && !(*found == *value)))
                FAIL("row " << row << " " << f.name);
        }
    }
}

} // namespace

TEST_CASE(
    "conditions are true of the rows of which they are true one by one", "[collection][columns]") {
    for (std::uint64_t const seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
        CAPTURE(seed);
        support::metadata_by_chance chance(seed);
        auto const sizes = std::vector<std::size_t>{0, 1, 63, 64, 65, 700};
        std::vector<trawl::metadata> rows(sizes[seed - 1]);
        for (auto& row : rows) row = chance.metadata();
        auto const made = columns_of(rows);
        check_all(made, rows, seed + 100);
        save(made);
        auto const again = opened(rows.size());
        check_all(again, rows, seed + 200);
        CHECK(std::vector(again.fields().begin(), again.fields().end()) == support::fields);
    }
    std::filesystem::remove(path);
}

TEST_CASE("values in nearly all rows are found as rare ones are", "[collection][columns]") {
    std::vector<trawl::metadata> rows;
    for (int i = 0; i < 1000; ++i) {
        rows.push_back({{"version", i % 10 == 0 ? "rare" : "common"}, {"pages", i / 10},
            {"tags", std::vector<std::string>(static_cast<std::size_t>(i % 3), "t")}});
    }
    auto const made = columns_of(rows);
    check_all(made, rows, 7);
    auto const count = [&](trawl::condition const& asked) {
        return rows_in(made.evaluate(asked), rows.size()).size();
    };
    CHECK(count(field("version") == "common") == 900);
    CHECK(count(field("version") == "rare") == 100);
    CHECK(count(field("pages") >= 20) == 800);
    CHECK(count(field("pages") < 3) == 30);
    CHECK(count(field("tags").contains("t")) == 666);
    CHECK(count(field("tags").exists()) == 1000); // an empty list is a value
    CHECK(count(field("version").contains("r")) == 100);
    CHECK(count(field("version").contains("m")) == 900);
}

TEST_CASE("a day in a condition is all of its hours", "[collection][columns]") {
    // The semantics are stated in condition.hpp; the table is worked out by hand.
    auto const made = columns_of({{{"published", "2024-01-30"}}, {{"published", "2024-01-31"}},
        {{"published", "2024-01-31T00:00Z"}}, {{"published", "2024-01-31T18:00Z"}},
        {{"published", "2024-02-01T00:00Z"}}, {{"published", "2024-02-01"}}, {}});
    auto const rows = [&](trawl::condition const& asked) {
        return rows_in(made.evaluate(asked), 7);
    };
    using list = std::vector<std::size_t>;
    auto const published = field("published");
    trawl::date const day(2024, 1, 31);
    CHECK(rows(published == day) == list{1, 2, 3});
    CHECK(rows(published != day) == list{0, 4, 5, 6});
    CHECK(rows(published < day) == list{0});
    CHECK(rows(published <= day) == list{0, 1, 2, 3});
    CHECK(rows(published > day) == list{4, 5});
    CHECK(rows(published >= day) == list{1, 2, 3, 4, 5});
    CHECK(rows(published.in({day, trawl::date(2024, 2, 1)})) == list{1, 2, 3, 4, 5});
    auto const evening = trawl::date::parse("2024-01-31T18:00Z");
    CHECK(rows(published == evening) == list{3});
    CHECK(rows(published < evening) == list{0, 1, 2});
    CHECK(rows(published >= "2024-01-31T00:00Z") == list{1, 2, 3, 4, 5});
    CHECK(rows(published == "2024-01-31T00:00Z") == list{1, 2});
}

TEST_CASE("columns are sorted by a field, and go on where they stopped", "[collection][columns]") {
    std::uint64_t const seed = 11;
    CAPTURE(seed);
    support::metadata_by_chance chance(seed);
    std::vector<trawl::metadata> rows(300);
    for (auto& row : rows) row = chance.metadata();
    auto const made = columns_of(rows);
    for (auto const& f : support::fields) {
        for (bool const descending : {false, true}) {
            CAPTURE(f.name, descending);
            std::vector<std::uint64_t> among(5);
            std::vector<std::uint32_t> wanted;
            for (std::uint32_t row = 0; row < 300; ++row) {
                if (chance.below(3) == 0) continue;
                among[row / 64] |= std::uint64_t{1} << row % 64;
                wanted.push_back(row);
            }
            auto const value = [&](std::uint32_t row) -> trawl::metadata_value const* {
                return f.type == trawl::field_type::text_list ? nullptr : rows[row].find(f.name);
            };
            std::stable_sort(wanted.begin(), wanted.end(), [&](std::uint32_t a, std::uint32_t b) {
                if (value(a) == nullptr || value(b) == nullptr)
                    return value(a) != nullptr && value(b) == nullptr;
                return descending ? before(*value(b), *value(a)) : before(*value(a), *value(b));
            });
            auto const found = made.sorted(f.name, descending, among, 1000);
            REQUIRE(found.size() == wanted.size());
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                auto const* const own = value(wanted[i]);
                if (found[i].row != wanted[i] || found[i].value.has_value() != (own != nullptr)
                    || (own != nullptr && !(*found[i].value == *own)))
                    FAIL("place " << i);
            }
            // Page by page it is the same.
            std::vector<std::uint32_t> paged;
            trawl::detail::sort_position at;
            for (auto page = made.sorted(f.name, descending, among, 7); !page.empty();
                 page = made.sorted(f.name, descending, among, 7, &at)) {
                for (auto const& each : page) paged.push_back(each.row);
                at = {page.back().value, page.back().row + 1};
            }
            CHECK(paged == wanted);
        }
    }
    // A position whose value no row here has.
    std::vector<std::uint64_t> const all(5, ~std::uint64_t{0});
    trawl::detail::sort_position const between{trawl::metadata_value("3.05"), 250};
    auto const next = made.sorted("version", false, all, 1, &between);
    REQUIRE(next.size() == 1);
    CHECK(*next[0].value == trawl::metadata_value("3.1"));
    auto const down = made.sorted("version", true, all, 1, &between);
    CHECK(*down[0].value == trawl::metadata_value("3.0"));
    CHECK(made.sorted("version", false, all, 0).empty());
    CHECK(support::error_of([&] {
        static_cast<void>(made.sorted("version", false, {}, 1));
    }).names("5 words, has 0"));
}

TEST_CASE("facets count the values of all segments", "[collection][columns][facets]") {
    std::uint64_t const seed = 12;
    CAPTURE(seed);
    support::metadata_by_chance chance(seed);
    std::vector<std::vector<trawl::metadata>> segments(3);
    std::vector<columns> all;
    for (auto& rows : segments) {
        rows.resize(100 + chance.below(100));
        for (auto& row : rows) row = chance.metadata();
        all.push_back(columns_of(rows));
    }
    for (auto const& f : support::fields) {
        CAPTURE(f.name);
        facet_counter counter(f.name);
        std::vector<std::pair<trawl::metadata_value, std::size_t>> wanted;
        auto const count = [&](trawl::metadata_value const& value) {
            for (auto& [known, number] : wanted)
                if (known == value) return static_cast<void>(++number);
            wanted.emplace_back(value, 1);
        };
        for (std::size_t s = 0; s < segments.size(); ++s) {
            std::vector<std::uint64_t> among((segments[s].size() + 63) / 64);
            for (std::size_t row = 0; row < segments[s].size(); ++row) {
                if (chance.below(2) == 0) continue;
                among[row / 64] |= std::uint64_t{1} << row % 64;
                auto const* const value = segments[s][row].find(f.name);
                if (value == nullptr) continue;
                if (f.type != trawl::field_type::text_list) {
                    count(*value);
                    continue;
                }
                auto list = value->as_list();
                std::sort(list.begin(), list.end());
                list.erase(std::unique(list.begin(), list.end()), list.end());
                for (auto const& element : list) count(element);
            }
            counter.add(all[s], among);
        }
        std::sort(wanted.begin(), wanted.end(), [](auto const& a, auto const& b) {
            return a.second != b.second ? a.second > b.second : before(a.first, b.first);
        });
        CHECK(counter.values() == wanted.size());
        auto const top = counter.top(1000);
        REQUIRE(top.size() == wanted.size());
        for (std::size_t i = 0; i < top.size(); ++i)
            CHECK((top[i].value == wanted[i].first && top[i].count == wanted[i].second));
        auto const some = counter.top(3);
        CHECK(std::equal(some.begin(), some.end(), top.begin()));
        CHECK(counter.top(0).empty());
    }
    facet_counter none("unknown");
    std::vector<std::uint64_t> const words((segments[0].size() + 63) / 64, ~std::uint64_t{0});
    none.add(all[0], words);
    CHECK(none.top(3).empty());
}

TEST_CASE("rows are taken over from other columns", "[collection][columns]") {
    std::uint64_t const seed = 13;
    CAPTURE(seed);
    support::metadata_by_chance chance(seed);
    std::vector<trawl::metadata> rows(200);
    for (auto& row : rows) row = chance.metadata();
    auto const from = columns_of(rows);
    columns_builder merged(support::fields);
    std::vector<trawl::metadata> kept;
    for (std::uint32_t row = 0; row < 200; ++row) {
        if (row % 3 == 0) continue;
        merged.add(from, row);
        kept.push_back(rows[row]);
    }
    auto const made = merged.finish();
    check_all(made, kept, 14);
    CHECK(merged.rows() == 0);
    CHECK(support::error_of([&] { merged.add(from, 200); }).names("200"));

    // Other fields: what is common to both is taken over.
    columns_builder other({{"new", trawl::text_field}, {"pages", trawl::integer_field},
        {"price", trawl::text_field}});
    for (std::uint32_t row = 0; row < 200; ++row) other.add(from, row);
    auto const narrow = other.finish();
    narrow.verify();
    for (std::uint32_t row = 0; row < 200; ++row) {
        auto const* const pages = rows[row].find("pages");
        CHECK(narrow.values(row).size() == (pages != nullptr ? 1 : 0));
        CHECK((pages == nullptr || *narrow.value(row, "pages") == *pages));
    }
}

TEST_CASE("a field that a segment lacks has no values there", "[collection][columns]") {
    columns_builder builder({{"a", trawl::integer_field}});
    for (int i = 0; i < 70; ++i) builder.add({{"a", i}});
    auto const made = builder.finish();
    auto const count = [&](trawl::condition const& asked) {
        return rows_in(made.evaluate(asked), 70).size();
    };
    CHECK(count(field("b") == 1) == 0);
    CHECK(count(field("b") != 1) == 70);
    CHECK(count(field("b").not_in({"x"})) == 70);
    CHECK(count(!field("b").exists()) == 70);
    CHECK(count(field("a") < 3 || field("b") == 1) == 3);
    CHECK_FALSE(made.value(3, "b"));
    CHECK_FALSE(made.value(70, "a"));
    CHECK(made.values(70).empty());
    CHECK(columns().rows() == 0);
    CHECK(columns().evaluate(field("a") == 1).empty());
    columns().verify();
}

TEST_CASE("a builder refuses a row and stays as it was", "[collection][columns]") {
    columns_builder builder(support::fields);
    builder.add({{"version", "1"}});
    CHECK(support::error_of([&] {
        builder.add({{"version", "2"}, {"pages", "x"}});
    }).names("'pages'"));
    CHECK(support::error_of([&] {
        builder.add({{"version", "2"}, {"x", 1}});
    }).code
          == trawl::errc::unknown_id);
    CHECK(support::error_of([&] {
        static_cast<void>(builder.finish().evaluate(field("version") == 1));
    }).names("'version'"));
    CHECK(support::error_of([] {
        columns_builder made({{"", trawl::text_field}});
    }).code
          == trawl::errc::invalid_argument);
    builder.add({{"version", "1"}});
    CHECK(builder.rows() == 1);
}

TEST_CASE(
    "sections of columns fit each other or are refused with the path", "[collection][columns]") {
    std::uint64_t const seed = 15;
    CAPTURE(seed);
    support::metadata_by_chance chance(seed);
    std::vector<trawl::metadata> rows(130);
    for (auto& row : rows) row = chance.metadata();
    save(columns_of(rows), "long");
    auto const good = support::file_sections::of(path);
    CHECK(support::error_of([&] {
        trawl::section_writer writer("x", 1);
        columns_of(rows).add_to(writer, "12345");
    }).names("4 bytes, has 5"));
    CHECK(support::error_of([&] { static_cast<void>(opened(129, "long")); }).names(path + ": "));
    CHECK(support::error_of([&] { static_cast<void>(opened(130, "m ")); }).names(path + ": "));

    // Each of these is refused when the columns are opened.
    auto const refused = [&](auto&& change) {
        auto bad = good;
        change(bad);
        bad.write(path);
        auto const problem = support::error_of([&] { static_cast<void>(opened(130, "long")); });
        CHECK(problem.code == trawl::errc::corrupt);
        CHECK(problem.names(path + ": "));
    };
    for (auto const& [name, bytes] : good.sections) {
        CAPTURE(name);
        auto const section = name;
        if (name != "long0 text" && name != "long6 text" && name != "long1 text"
            && name.find(" rows") == name.npos && name.find(" elements") == name.npos) {
            refused([&](auto& bad) { bad[section].resize(bad[section].size() + 8); });
            refused([&](auto& bad) { bad[section].resize(bad[section].size() / 16 * 8); });
        }
        refused([&](auto& bad) {
            std::erase_if(bad.sections, [&](auto const& each) { return each.first == section; });
        });
    }
    refused([](auto& bad) { bad.set("longfields", 0, std::uint32_t{6}); });
    refused([](auto& bad) { bad.set("longfields", 0, std::uint32_t{3}); });
    refused([](auto& bad) { bad["longnames"][0] = std::byte{'$'}; });
    refused([](auto& bad) { bad["longnames"][0] = std::byte{0}; });
    refused([](auto& bad) { bad.set("longfields", 1, std::uint64_t{0xFFFFFFFFFFFF}); });

    // Each of these is found by verify().
    auto const found = [&](auto&& change) {
        auto bad = good;
        change(bad);
        bad.write(path);
        auto const made = opened(130, "long");
        auto const problem = support::error_of([&] { made.verify(); });
        CHECK(problem.code == trawl::errc::corrupt);
        CHECK(problem.names(path + ": "));
    };
    found([](auto& bad) { bad["long0 text"][0] = std::byte{0x7F}; });
    found([](auto& bad) { bad.set("long2 numbers", 0, std::int64_t{5}); });
    found([](auto& bad) { bad.set("long0 bounds", 1, ~std::uint64_t{0}); });
    found([](auto& bad) { bad.set("long2 starts", 1, ~std::uint64_t{0}); });
    found([](auto& bad) { bad.set("long2 rows", 0, std::uint32_t{130}); });
    found([](auto& bad) { bad.set("long2 ordinals", 0, std::uint32_t{99}); });
    found([](auto& bad) { bad.set("long1 elements", 0, std::uint32_t{99}); });
    found([](auto& bad) { bad.set("long1 begins", 1, std::uint64_t{99999}); });
    found([](auto& bad) { bad.set("long1 present", 2, ~std::uint64_t{0}); });
    found([](auto& bad) { bad.set("long3 numbers", 0, std::int64_t{0x7FF0000000000000}); });
    found(
        [](auto& bad) { bad.set("long5 numbers", 0, (std::numeric_limits<std::int64_t>::min)()); });
    std::filesystem::remove(path);
}

TEST_CASE("damaged columns give an error or answers within the rows", "[collection][columns]") {
    std::uint64_t const seed = 16;
    CAPTURE(seed);
    support::metadata_by_chance chance(seed);
    std::vector<trawl::metadata> rows(130);
    for (auto& row : rows) row = chance.metadata();
    save(columns_of(rows));
    auto const good = support::file_sections::of(path);
    trawl::detail::random random(seed);
    std::size_t opened_files = 0;
    for (int i = 0; i < 400; ++i) {
        auto bad = good;
        bad.damage(random);
        bad.write(path);
        try {
            auto const made = opened(130);
            ++opened_files;
            for (int j = 0; j < 10; ++j) {
                try {
                    static_cast<void>(rows_in(made.evaluate(chance.condition(2)), 130));
                } catch (trawl::error const&) { // a damaged type
                }
            }
            std::vector<std::uint64_t> const among(3, ~std::uint64_t{0});
            for (auto const& f : support::fields) {
                for (bool const descending : {false, true}) {
                    for (auto const& each : made.sorted(f.name, descending, among, 1000))
                        CHECK(each.row < 130);
                }
                facet_counter counter(f.name);
                counter.add(made, among);
                for (auto const& each : counter.top(1000)) CHECK(each.count <= 130 * 4);
            }
            columns_builder copy(support::fields);
            for (std::uint32_t row = 0; row < 130; ++row) {
                static_cast<void>(made.values(row));
                copy.add(made, row);
            }
            copy.finish().verify();
        } catch (trawl::error const& e) {
            CHECK(std::string_view(e.what()).substr(0, path.size()) == path);
        }
    }
    CHECK(opened_files > 50);
    std::filesystem::remove(path);
}
