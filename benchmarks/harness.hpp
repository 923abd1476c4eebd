// SPDX-License-Identifier: MIT
#pragma once

/// What every area of ./dev bench shares: options, interleaved measuring, the table and the JSON
/// rows. An area is one file, benchmarks/AREA.cpp:
///
///     int main(int argc, char** argv) {
///         bench::report report("lexical", bench::parse(argc, argv));
///         auto const seconds = bench::interleave(report.rounds(), {[&] { ours(); }, [&] { theirs(); }});
///         report.compare("1M documents, 3 words", seconds[0], "peer 1.2", seconds[1], {.unit = "s", .target
///         = 2}); report.bound("memory", megabytes, 85, "MB"); return report.finish();
///     }

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <time.h>

namespace bench {

struct options {
    bool quick = false; ///< small data, few rounds: does it run at all
    std::string json = {};
};

inline options parse(int argc, char** argv) {
    options parsed;
    for (int i = 1; i < argc; ++i) {
        std::string_view const argument = argv[i];
        if (argument == "--quick") {
            parsed.quick = true;
        } else if (argument == "--json" && i + 1 < argc) {
            parsed.json = argv[++i];
        } else {
            std::fprintf(stderr, "usage: %s [--quick] [--json FILE]\n", argv[0]);
            std::exit(2);
        }
    }
    return parsed;
}

/// Measurements of one thing, in whatever unit.
using samples = std::vector<double>;

[[nodiscard]] inline double median(samples values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    auto const middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// How far apart the measurements lie: (largest - smallest) / median.
[[nodiscard]] inline double spread(samples const& values) {
    if (values.empty()) return 0;
    auto const [lowest, highest] = std::minmax_element(values.begin(), values.end());
    return (*highest - *lowest) / median(values);
}

[[nodiscard]] inline double seconds(std::function<void()> const& work) {
    using clock = std::chrono::steady_clock;
    auto const start = clock::now();
    work();
    return std::chrono::duration<double>(clock::now() - start).count();
}

/// Seconds that this thread had the processor: neighbours on the machine disturb them little.
[[nodiscard]] inline double cpu_seconds(std::function<void()> const& work) {
    auto const now = [] {
        timespec time = {};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    auto const start = now();
    work();
    return now() - start;
}

/// Runs A B A B …, each once beforehand to warm up, and gives what each call returned: measured
/// values.
[[nodiscard]] inline std::vector<samples> interleave_values(
    std::size_t rounds, std::vector<std::function<double()>> const& works) {
    std::vector<samples> values(works.size());
    for (auto const& work : works) static_cast<void>(work());
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < works.size(); ++i) values[i].push_back(works[i]());
    }
    return values;
}

/// The same for wall-clock seconds.
[[nodiscard]] inline std::vector<samples> interleave(
    std::size_t rounds, std::vector<std::function<void()>> const& works) {
    std::vector<std::function<double()>> timed;
    for (auto const& work : works) timed.push_back([&work] { return seconds(work); });
    return interleave_values(rounds, timed);
}

/// Every measurement so many times: scaled(seconds, 1e3) is in milliseconds.
[[nodiscard]] inline samples scaled(samples values, double factor) {
    for (double& value : values) value *= factor;
    return values;
}

/// Items per second: rate(seconds, items).
[[nodiscard]] inline samples rate(samples values, double items) {
    for (double& value : values) value = items / value;
    return values;
}

enum class better { lower, higher };

struct comparison {
    std::string unit = "s";
    better wanted = better::lower;
    std::optional<double> target = {}; ///< the least ratio wanted
};

/// Collects rows, prints them and writes them as JSON.
class report {
public:
    report(std::string area, options chosen) : area_(std::move(area)), options_(std::move(chosen)) {
        std::printf("%-44s %12s  %-22s %12s %-8s %7s %7s\n", area_.c_str(), "ours", "peer",
            "theirs", "unit", "ratio", "spread");
    }

    [[nodiscard]] bool quick() const { return options_.quick; }
    [[nodiscard]] std::size_t rounds() const { return options_.quick ? 3 : 9; }

    /// Ours against a peer's, measured in the same run.
    void compare(std::string const& work, samples const& ours, std::string const& peer,
        samples const& theirs, comparison how = {}) {
        double const a = median(ours);
        double const b = median(theirs);
        add({work, peer, how.unit, a, b, how.wanted == better::lower ? b / a : a / b,
            (std::max)(spread(ours), spread(theirs)), how.target});
    }

    /// A figure that must not exceed a fixed one.
    void bound(std::string const& work, samples const& ours, double most, std::string const& unit) {
        add({work, "bound", unit, median(ours), most, most / median(ours), spread(ours), 1.0});
    }
    void bound(std::string const& work, double ours, double most, std::string const& unit) {
        bound(work, samples{ours}, most, unit);
    }

    /// What the machine can do at most.
    void limit(std::string const& work, samples const& measured, std::string const& unit) {
        double const value = median(measured);
        add({work, "limit", unit, value, value, 1, spread(measured), std::nullopt});
    }

    /// A line between the rows: what could not be measured, and why.
    void note(std::string const& text) const { std::printf("# %s\n", text.c_str()); }

    /// Writes the JSON, if wanted. The exit status: 1 if a target is missed in a full run.
    [[nodiscard]] int finish() const {
        if (!options_.json.empty() && !write_json()) {
            std::fprintf(stderr, "%s: cannot be written\n", options_.json.c_str());
            return 1;
        }
        return std::all_of(rows_.begin(), rows_.end(), met) || options_.quick ? 0 : 1;
    }

private:
    struct row {
        std::string work, peer, unit;
        double ours, theirs, ratio, spread;
        std::optional<double> target;
    };

    static bool met(row const& r) { return !r.target || r.ratio >= *r.target; }

    void add(row r) {
        std::printf("%-44s %12.5g  %-22s %12.5g %-8s %6.2fx %6.0f%%%s\n", r.work.c_str(), r.ours,
            r.peer.c_str(), r.theirs, r.unit.c_str(), r.ratio, 100 * r.spread,
            r.target ? (met(r) ? "  met" : "  MISSED") : "");
        std::fflush(stdout);
        rows_.push_back(std::move(r));
    }

    static std::string quoted(std::string_view text) {
        std::string out = "\"";
        for (char const c : text) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        return out + '"';
    }

    static std::string number(double value) {
        char digits[32];
        return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }

    [[nodiscard]] bool write_json() const {
        std::string out = "[";
        for (auto const& r : rows_) {
            out += out.size() > 1 ? ",\n " : "\n ";
            out += "{\"area\":" + quoted(area_) + ",\"work\":" + quoted(r.work)
                   + ",\"ours\":" + number(r.ours) + ",\"peer\":" + quoted(r.peer)
                   + ",\"theirs\":" + number(r.theirs) + ",\"unit\":" + quoted(r.unit)
                   + ",\"ratio\":" + number(r.ratio) + ",\"spread\":" + number(r.spread)
                   + ",\"target\":" + (r.target ? number(*r.target) : "null")
                   + ",\"met\":" + (met(r) ? "true" : "false") + "}";
        }
        out += "\n]\n";
        std::FILE* const file = std::fopen(options_.json.c_str(), "wb");
        if (file == nullptr) return false;
        bool const written = std::fwrite(out.data(), 1, out.size(), file) == out.size();
        return std::fclose(file) == 0 && written;
    }

    std::string area_;
    options options_;
    std::vector<row> rows_;
};

} // namespace bench
