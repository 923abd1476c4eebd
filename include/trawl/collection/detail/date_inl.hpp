// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of date.hpp.

#include <trawl/collection/date.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::int64_t second_length = 1'000'000;
inline constexpr std::int64_t day_length = 86'400 * second_length;

struct civil_day {
    int year = 1970;
    int month = 1;
    int day = 1;
};

/// Days from 1970-01-01.
/// @par Source  Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.
[[nodiscard]] constexpr std::int64_t days_of(civil_day d) noexcept {
    auto const year = d.month <= 2 ? d.year - 1 : d.year;
    auto const era = (year >= 0 ? year : year - 399) / 400;
    auto const year_of_era = year - era * 400;
    auto const day_of_year = (153 * (d.month > 2 ? d.month - 3 : d.month + 9) + 2) / 5 + d.day - 1;
    auto const day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return std::int64_t{era} * 146'097 + day_of_era - 719'468;
}
static_assert(days_of({1, 1, 1}) == -719'162 && days_of({9999, 12, 31}) == 2'932'896);

[[nodiscard]] constexpr civil_day civil_of(std::int64_t days) noexcept {
    auto const shifted = days + 719'468; // >= 0 from the year 1 on
    auto const era = static_cast<int>(shifted / 146'097);
    auto const day_of_era = static_cast<int>(shifted % 146'097);
    auto const year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
    auto const day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    auto const month = (5 * day_of_year + 2) / 153; // from March
    return {.year = year_of_era + era * 400 + (month >= 10 ? 1 : 0),
        .month = month < 10 ? month + 3 : month - 9,
        .day = day_of_year - (153 * month + 2) / 5 + 1};
}

[[nodiscard]] constexpr int days_in_month(int year, int month) noexcept {
    auto const leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month == 2) return leap ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

[[nodiscard]] constexpr bool is_day(civil_day d) noexcept {
    return d.year >= 1 && d.year <= 9999 && d.month >= 1 && d.month <= 12 && d.day >= 1
           && d.day <= days_in_month(d.year, d.month);
}

/// Reads ISO 8601 from the front of a text.
class date_reader {
public:
    explicit date_reader(std::string_view text) noexcept : rest_(text) {}

    struct result {
        std::int64_t microseconds = 0;
        bool has_time = false;
        char const* problem = nullptr; ///< null: none
    };

    [[nodiscard]] result read() noexcept {
        civil_day d;
        if (!number(4, d.year) || !take('-') || !number(2, d.month) || !take('-')
            || !number(2, d.day)) {
            return {.problem = "must begin with YYYY-MM-DD"};
        }
        if (!is_day(d)) return {.problem = "there is no such day"};
        auto const begin = days_of(d) * day_length;
        if (rest_.empty()) return {.microseconds = begin};
        if (!take('T') && !take('t') && !take(' '))
            return {.problem = "after the day there must be nothing, or T and a time"};
        int hour = 0, minute = 0, seconds = 0;
        if (!number(2, hour) || !take(':') || !number(2, minute))
            return {.problem = "the time must begin with hh:mm"};
        if (take(':') && !number(2, seconds)) return {.problem = "seconds have two digits"};
        if (hour > 23 || minute > 59 || seconds > 59)
            return {.problem = "there is no such time of day"};
        std::int64_t fraction = 0;
        if (take('.') || take(',')) {
            if (!microseconds(fraction))
                return {.problem = "a fraction of a second has one to six digits"};
        }
        std::int64_t offset = 0;
        if (!zone(offset) || !rest_.empty())
            return {
                .problem = "after the time there must be nothing, Z or an offset such as +02:00"};
        auto const at =
            begin + ((hour * 60 + minute) * 60 + seconds) * second_length + fraction - offset;
        if (at < date::min_microseconds || at > date::max_microseconds)
            return {.problem = "lies outside the years 1 to 9999 in UTC"};
        return {.microseconds = at, .has_time = true};
    }

private:
    bool take(char c) noexcept {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    [[nodiscard]] bool at_digit() const noexcept {
        return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9';
    }
    bool number(int digits, int& out) noexcept {
        out = 0;
        for (int i = 0; i < digits; ++i) {
            if (!at_digit()) return false;
            out = out * 10 + (rest_.front() - '0');
            rest_.remove_prefix(1);
        }
        return !at_digit();
    }
    bool microseconds(std::int64_t& out) noexcept {
        if (!at_digit()) return false;
        for (std::int64_t place = second_length / 10; at_digit(); place /= 10) {
            if (place == 0 && rest_.front() != '0') return false; // would be lost
            out += place * (rest_.front() - '0');
            rest_.remove_prefix(1);
        }
        return true;
    }
    bool zone(std::int64_t& offset) noexcept {
        if (rest_.empty() || take('Z') || take('z')) return true;
        auto const west = rest_.front() == '-';
        if (!take('-') && !take('+')) return false;
        int hours = 0, minutes = 0;
        if (rest_.size() == 4) { // +hhmm
            for (auto* const part : {&hours, &minutes}) {
                for (int i = 0; i < 2; ++i) {
                    if (!at_digit()) return false;
                    *part = *part * 10 + (rest_.front() - '0');
                    rest_.remove_prefix(1);
                }
            }
        } else if (!number(2, hours) || (take(':') && !number(2, minutes))) {
            return false;
        }
        if (hours > 23 || minutes > 59) return false;
        offset = std::int64_t{hours * 60 + minutes} * 60 * second_length;
        if (west) offset = -offset;
        return true;
    }

    std::string_view rest_;
};

[[nodiscard]] inline std::string padded_number(std::int64_t value, std::size_t digits) {
    auto text = join(value);
    return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

} // namespace detail

TRAWL_INLINE date::date(int year, int month, int day) {
    if (!detail::is_day({year, month, day})) {
        detail::fail(
            errc::invalid_argument, detail::join("date: there is no day ", day, " of month ", month,
                                        " of year ", year, "; years are 1 to 9999"));
    }
    microseconds_ = detail::days_of({year, month, day}) * detail::day_length;
}

TRAWL_INLINE date date::parse(std::string_view text) {
    auto const read = detail::date_reader(text).read();
    if (read.problem != nullptr) {
        detail::fail(errc::parse, detail::join("date '", text.substr(0, 60), "': ", read.problem));
    }
    date made;
    made.microseconds_ = read.microseconds;
    made.has_time_ = read.has_time;
    return made;
}

TRAWL_INLINE std::optional<date> date::try_parse(std::string_view text) noexcept {
    auto const read = detail::date_reader(text).read();
    if (read.problem != nullptr) return std::nullopt;
    date made;
    made.microseconds_ = read.microseconds;
    made.has_time_ = read.has_time;
    return made;
}

TRAWL_INLINE date date::from_days(std::int64_t days) {
    constexpr auto first = min_microseconds / detail::day_length;
    constexpr auto last = max_microseconds / detail::day_length;
    if (days < first || days > last) {
        detail::fail(errc::invalid_argument,
            detail::join("date: ", days, " days from 1970 lie outside the years 1 to 9999"));
    }
    date made;
    made.microseconds_ = days * detail::day_length;
    return made;
}

TRAWL_INLINE date date::from_microseconds(std::int64_t microseconds) {
    if (microseconds < min_microseconds || microseconds > max_microseconds) {
        detail::fail(
            errc::invalid_argument, detail::join("date: ", microseconds,
                                        " microseconds from 1970 lie outside the years 1 to 9999"));
    }
    date made;
    made.microseconds_ = microseconds;
    made.has_time_ = true;
    return made;
}

TRAWL_INLINE date date::from_seconds(std::int64_t seconds) {
    if (seconds < min_microseconds / detail::second_length
        || seconds > max_microseconds / detail::second_length) {
        detail::fail(errc::invalid_argument,
            detail::join("date: ", seconds, " seconds from 1970 lie outside the years 1 to 9999"));
    }
    return from_microseconds(seconds * detail::second_length);
}

TRAWL_INLINE std::int64_t date::seconds() const noexcept {
    auto const rest = microseconds_ % detail::second_length;
    return microseconds_ / detail::second_length - (rest < 0 ? 1 : 0);
}

TRAWL_INLINE std::string date::text() const {
    using detail::padded_number;
    auto const rest = microseconds_ % detail::day_length;
    auto const in_day = rest < 0 ? rest + detail::day_length : rest;
    auto const [year, month, day] = detail::civil_of((microseconds_ - in_day) / detail::day_length);
    auto made =
        padded_number(year, 4) + '-' + padded_number(month, 2) + '-' + padded_number(day, 2);
    if (!has_time_) return made;
    auto const seconds = in_day / detail::second_length;
    made += 'T' + padded_number(seconds / 3600, 2) + ':' + padded_number(seconds / 60 % 60, 2) + ':'
            + padded_number(seconds % 60, 2);
    if (auto const fraction = in_day % detail::second_length; fraction != 0) {
        made += '.' + padded_number(fraction, 6);
        while (made.back() == '0') made.pop_back();
    }
    return made + 'Z';
}

TRAWL_END_NAMESPACE
