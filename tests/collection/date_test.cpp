// SPDX-License-Identifier: MIT
#include <trawl/collection/date.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

using trawl::date;

TEST_CASE("dates are seconds of the Unix clock", "[collection][date]") {
    // `date -u -d TEXT +%s` of GNU coreutils 9.1
    struct known {
        char const* text;
        std::int64_t seconds;
    };
    for (auto const& [text, seconds] : std::vector<known>{
             {"1970-01-01", 0},
             {"0001-01-01", -62'135'596'800},
             {"9999-12-31", 253'402'214'400},
             {"1900-03-01", -2'203'891'200},
             {"2000-02-29", 951'782'400},
             {"2024-02-29T12:30Z", 1'709'209'800},
             {"2024-02-29T12:30:05+02:00", 1'709'202'605},
             {"2024-02-29T12:30:05-0530", 1'709'229'605},
             {"1969-12-31T23:59:59Z", -1},
             {"1582-10-10t00:00:00z", -12'219'724'800},
         }) {
        CAPTURE(text);
        CHECK(date::parse(text).seconds() == seconds);
    }
}

TEST_CASE("a date is printed as it is read, in UTC", "[collection][date]") {
    struct pair {
        char const* text;
        char const* printed;
    };
    for (auto const& [text, printed] : std::vector<pair>{
             {"2024-02-29", "2024-02-29"},
             {"0001-01-01", "0001-01-01"},
             {"2024-02-29T00:00", "2024-02-29T00:00:00Z"},
             {"2024-02-29 23:59:59.5", "2024-02-29T23:59:59.5Z"},
             {"2024-03-01T00:30:00+01", "2024-02-29T23:30:00Z"},
             {"2023-12-31T23:00:00.000001-02:00", "2024-01-01T01:00:00.000001Z"},
             {"2024-01-01T10:00:00,250000000Z", "2024-01-01T10:00:00.25Z"},
             {"1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"},
         }) {
        CAPTURE(text);
        CHECK(date::parse(text).text() == printed);
        CHECK(date::parse(printed) == date::parse(text));
    }
    CHECK(date::parse("1969-12-31T23:59:59.999999Z").seconds() == -1);
    CHECK(date::parse("1969-12-31T23:59:59.999999Z").microseconds() == -1);
}

TEST_CASE("what is no date is refused, and quoted", "[collection][date]") {
    for (std::string const text :
        {"", "2024", "2024-2-29", "2024-02-30", "2023-02-29", "1900-02-29", "2024-13-01",
            "2024-00-10", "2024-04-31", "0000-01-01", "10000-01-01", "2024-02-29T",
            "2024-02-29T1:00", "2024-02-29T24:00", "2024-02-29T12:60", "2024-02-29T12:30:60",
            "2024-02-29T12:30:05.", "2024-02-29T12:30:05.1234567", "2024-02-29T12:30+", "x",
            "2024-02-29T12:30+2", "2024-02-29T12:30+24:00", "2024-02-29T12:30+02:60", "-001-01-01",
            "2024-02-29T12:30Z ", " 2024-02-29", "2024-02-29X", "0001-01-01T00:00+00:01",
            "9999-12-31T23:59:59-00:01", "2024-02-29T12:30+02:0", "20240229"}) {
        CAPTURE(text);
        auto const problem = support::error_of([&] { static_cast<void>(date::parse(text)); });
        CHECK(problem.code == trawl::errc::parse);
        CHECK(problem.names("'" + text + "'"));
        CHECK_FALSE(date::try_parse(text));
    }
    CHECK(support::error_of([] { date(2023, 2, 29); }).names("day 29 of month 2 of year 2023"));
    CHECK(support::error_of([] { date(0, 1, 1); }).code == trawl::errc::invalid_argument);
    for (auto const microseconds : {date::min_microseconds - 1, date::max_microseconds + 1,
             (std::numeric_limits<std::int64_t>::min)(),
             (std::numeric_limits<std::int64_t>::max)()}) {
        CHECK(support::error_of([&] {
            static_cast<void>(date::from_microseconds(microseconds));
        }).code
              == trawl::errc::invalid_argument);
        CHECK(support::error_of([&] { static_cast<void>(date::from_seconds(microseconds)); }).code
              == trawl::errc::invalid_argument);
        CHECK(support::error_of([&] { static_cast<void>(date::from_days(microseconds)); }).code
              == trawl::errc::invalid_argument);
    }
}

TEST_CASE("every day follows the one before, and is read as it is printed", "[collection][date]") {
    // 400 years have 146097 days; the days of a month come from the calendar's rule.
    std::int64_t days = date(1895, 1, 1).microseconds() / 86'400'000'000;
    for (int year = 1895; year < 2005; ++year) {
        auto const leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for (int month = 1; month <= 12; ++month) {
            auto const last = month == 2                  ? (leap ? 29 : 28)
                              : month == 4 || month == 6  ? 30
                              : month == 9 || month == 11 ? 30
                                                          : 31;
            for (int day = 1; day <= last; ++day, ++days) {
                auto const made = date(year, month, day);
                if (made != date::from_days(days) || date::parse(made.text()) != made)
                    FAIL(made.text());
            }
        }
    }
    CHECK(date(2001, 1, 1).microseconds() - date(1601, 1, 1).microseconds()
          == 146'097 * std::int64_t{86'400'000'000});
}

TEST_CASE("any instant survives text, and the order is that of time", "[collection][date]") {
    auto const seed = 20261201u;
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto const range = static_cast<std::uint64_t>(date::max_microseconds - date::min_microseconds);
    date before = date::from_microseconds(date::min_microseconds);
    for (int i = 0; i < 20'000; ++i) {
        auto const at =
            date::min_microseconds + static_cast<std::int64_t>(random.next() % (range + 1));
        auto const made = date::from_microseconds(i % 3 == 0 ? at - at % 1'000'000 : at);
        if (date::parse(made.text()) != made) FAIL(made.text());
        if ((before < made) != (before.microseconds() < made.microseconds())) FAIL(made.text());
        before = made;
    }
    CHECK(date::from_microseconds(date::max_microseconds).text() == "9999-12-31T23:59:59.999999Z");
    CHECK(date::from_microseconds(date::min_microseconds).text() == "0001-01-01T00:00:00Z");
}

TEST_CASE("a day comes before the instant at which it begins", "[collection][date]") {
    auto const day = date(2024, 2, 29);
    auto const midnight = date::parse("2024-02-29T00:00Z");
    CHECK((day < midnight && !(midnight < day) && !(day == midnight)));
    CHECK((!day.has_time() && midnight.has_time()));
}
