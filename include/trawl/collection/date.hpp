// SPDX-License-Identifier: MIT
#pragma once

/// A day or an instant, as metadata holds it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// A day, or an instant to the microsecond, in the proleptic Gregorian calendar, from 0001-01-01 to
/// 9999-12-31T23:59:59.999999Z. Time is UTC: an offset that a text gives is applied and forgotten.
///
/// Values are ordered by their beginning; a day comes before the instant at which it begins and is
/// not equal to it. In a condition a day stands for all of its 24 hours: see condition.hpp.
class date {
public:
    /// microseconds() of the first and the last instant.
    static constexpr std::int64_t min_microseconds = -719'162 * std::int64_t{86'400'000'000};
    static constexpr std::int64_t max_microseconds = 2'932'897 * std::int64_t{86'400'000'000} - 1;

    /// 1970-01-01.
    date() = default;

    /// A day.
    /// @throws trawl::error (invalid_argument) if there is no such day.
    date(int year, int month, int day);

    /// Reads ISO 8601: "2024-02-29", "2024-02-29T12:30Z", "2024-02-29 12:30:05.25+02:00". The offset
    /// is Z, +hh, +hhmm or +hh:mm; a time without one is UTC.
    /// @throws trawl::error (parse) quoting the text and saying what is wrong with it.
    [[nodiscard]] static date parse(std::string_view text);

    /// As parse(), but none where that throws.
    [[nodiscard]] static std::optional<date> try_parse(std::string_view text) noexcept;

    /// A day, counted from 1970-01-01; negative before that.
    /// @throws trawl::error (invalid_argument) if it lies outside the years 1 to 9999.
    [[nodiscard]] static date from_days(std::int64_t days);

    /// An instant, counted from 1970-01-01T00:00:00Z; negative before that.
    /// @throws trawl::error (invalid_argument) if it lies outside the years 1 to 9999.
    [[nodiscard]] static date from_seconds(std::int64_t seconds);
    [[nodiscard]] static date from_microseconds(std::int64_t microseconds);

    /// Microseconds from 1970-01-01T00:00:00Z to the instant, or to the beginning of the day.
    [[nodiscard]] std::int64_t microseconds() const noexcept { return microseconds_; }

    /// The same in seconds, rounded down.
    [[nodiscard]] std::int64_t seconds() const noexcept;

    /// False of a day.
    [[nodiscard]] bool has_time() const noexcept { return has_time_; }

    /// "2024-02-29", or "2024-02-29T10:30:05.25Z" without trailing zeros of the fraction: parse()
    /// reads it back as the same value.
    [[nodiscard]] std::string text() const;

    friend bool operator==(date const& a, date const& b) = default;
    friend bool operator<(date const& a, date const& b) noexcept {
        return a.microseconds_ != b.microseconds_ ? a.microseconds_ < b.microseconds_
                                                  : !a.has_time_ && b.has_time_;
    }

private:
    std::int64_t microseconds_ = 0;
    bool has_time_ = false;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/date_inl.hpp>
#endif
