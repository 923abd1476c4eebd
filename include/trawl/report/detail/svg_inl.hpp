// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of svg.hpp.

#include <trawl/report/svg.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/report/chart.hpp>
#include <trawl/report/detail/chart_axis.hpp>
#include <trawl/report/detail/html_text.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline std::string chart_number(double value) { return fixed_text(value, 1); }

// Draws one chart.
class chart_svg {
public:
    explicit chart_svg(report_chart const& chart) : chart_(chart) {}

    [[nodiscard]] std::string draw() && {
        if (chart_.kind == chart_kind::intervals) {
            draw_intervals();
        } else {
            draw_plane();
        }
        return join("<svg viewBox=\"0 0 ", width, " ", fixed_text(height_, 0),
            "\" role=\"img\" aria-label=\"", html_text(chart_.title), "\">", out_, "</svg>");
    }

private:
    static constexpr int width = 460;
    static constexpr double left = 52;
    static constexpr double right = 446;
    static constexpr double top = 14;

    void line(double x1, double y1, double x2, double y2, std::string_view style) {
        out_ += join("<line class=\"", style, "\" x1=\"", chart_number(x1), "\" y1=\"",
            chart_number(y1), "\" x2=\"", chart_number(x2), "\" y2=\"", chart_number(y2), "\"/>");
    }

    void text(double x, double y, std::string_view anchor, std::string_view words,
        std::string_view more = "") {
        out_ += join("<text x=\"", chart_number(x), "\" y=\"", chart_number(y), "\" text-anchor=\"",
            anchor, "\"", more, ">", html_text(words), "</text>");
    }

    void circle(double x, double y, double r, std::string_view style, std::string_view title) {
        out_ += join("<circle class=\"", style, "\" cx=\"", chart_number(x), "\" cy=\"",
            chart_number(y), "\" r=\"", chart_number(r), "\"><title>", html_text(title),
            "</title></circle>");
    }

    void x_axis(chart_axis const& x, double bottom, bool numbers) {
        auto const ticks = ticks_of(x);
        auto const step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
        for (double const tick : numbers ? ticks : std::vector<double>{}) {
            line(x.at(tick), top, x.at(tick), bottom, "grid");
            text(x.at(tick), bottom + 16, "middle",
                x.log ? fixed_text(tick, 0) : tick_text(tick, step));
        }
        text((left + right) / 2, bottom + (numbers ? 33 : 18), "middle", chart_.x_label,
            " class=\"name\"");
    }

    void draw_plane() {
        height_ = 300;
        constexpr double bottom = 256;
        auto low_x = (std::numeric_limits<double>::max)();
        auto high_x = -low_x;
        auto low_y = low_x;
        auto high_y = high_x;
        for (auto const& s : chart_.series) {
            for (auto const& p : s.points) {
                low_x = (std::min)(low_x, p.x);
                high_x = (std::max)(high_x, p.x);
                low_y = (std::min)(low_y, p.y);
                high_y = (std::max)(high_y, p.y);
            }
        }
        if (low_x > high_x) return;
        auto const bars = chart_.kind == chart_kind::bars;
        // zero, where that wastes little
        if (bars || low_y < 0.5 * high_y) low_y = (std::min)(low_y, 0.0);
        if (bars) high_y = (std::max)(high_y, 0.0);
        auto const y = axis_over(low_y, high_y, bottom, top);
        auto x = axis_over(
            chart_.kind == chart_kind::marks ? (std::min)(low_x, 0.0) : low_x, high_x, left, right);
        if (chart_.log_x) x = {low_x, (std::max)(high_x, low_x * 1.5), left, right, true};
        if (bars) x = {0, static_cast<double>(chart_.series[0].points.size()), left, right};
        auto const ticks = ticks_of(y);
        for (double const tick : ticks) {
            line(left, y.at(tick), right, y.at(tick), "grid");
            text(left - 6, y.at(tick) + 4, "end", tick_text(tick, ticks[1] - ticks[0]));
        }
        text(0, 0, "middle", chart_.y_label,
            join(" class=\"name\" transform=\"translate(13 ", fixed_text((top + bottom) / 2, 0),
                ") rotate(-90)\""));
        x_axis(x, bottom, !bars);
        if (bars) return draw_bars(x, y);
        if (chart_.kind == chart_kind::marks) return draw_marks(x, y);
        for (std::size_t s = 0; s < chart_.series.size(); ++s) {
            auto const& series = chart_.series[s];
            out_ +=
                join("<polyline class=\"line s", s % 8, s >= 8 ? " dashed" : "", "\" points=\"");
            for (auto const& p : series.points) {
                out_ += join(chart_number(x.at(p.x)), ",", chart_number(y.at(p.y)), " ");
            }
            out_ += "\"/>";
            for (auto const& p : series.points) {
                circle(x.at(p.x), y.at(p.y), 3, join("dot s", s % 8),
                    join(series.name, ": ", chart_.x_label, " ", p.x, ", ", chart_.y_label, " ",
                        fixed_text(p.y, 4)));
            }
        }
    }

    void draw_bars(chart_axis const& x, chart_axis const& y) {
        auto const& points = chart_.series[0].points;
        auto const wide = (x.to - x.from) / static_cast<double>(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            auto const& p = points[i];
            auto const from = (std::min)(y.at(0), y.at(p.y));
            auto const tall = std::abs(y.at(0) - y.at(p.y));
            out_ += join("<rect class=\"", p.y >= 0 ? "won" : "lost", "\" data-q=\"",
                html_text(p.label), "\" x=\"",
                fixed_text(x.from + wide * static_cast<double>(i), 2), "\" y=\"",
                fixed_text(p.y == 0 ? from - 0.5 : from, 2), "\" width=\"",
                fixed_text((std::max)(wide * 0.85, 0.3), 2), "\" height=\"",
                fixed_text((std::max)(tall, 1.0), 2), "\"><title>",
                html_text(join(p.label, ": ", p.y > 0 ? "+" : "", fixed_text(p.y, 4))),
                "</title></rect>");
        }
        line(left, y.at(0), right, y.at(0), "zero");
    }

    void draw_marks(chart_axis const& x, chart_axis const& y) {
        if (chart_.series.size() > 1) {
            auto const& best = chart_.series[1].points;
            out_ += "<polyline class=\"front\" points=\"";
            for (std::size_t i = 0; i < best.size(); ++i) {
                if (i > 0)
                    out_ += join(
                        chart_number(x.at(best[i].x)), ",", chart_number(y.at(best[i - 1].y)), " ");
                out_ +=
                    join(chart_number(x.at(best[i].x)), ",", chart_number(y.at(best[i].y)), " ");
            }
            out_ += "\"/>";
        }
        auto const& points = chart_.series[0].points;
        for (std::size_t i = 0; i < points.size(); ++i) {
            auto const& p = points[i];
            circle(x.at(p.x), y.at(p.y), 5, join("dot s", i % 8),
                join(p.label, ": ", chart_.x_label, " ", p.x, ", ", chart_.y_label, " ",
                    fixed_text(p.y, 4)));
            auto const on_left = x.at(p.x) > (left + right) / 2;
            // above the line
            text(x.at(p.x), y.at(p.y) - 9, on_left ? "end" : "start", shortened(p.label));
        }
    }

    void draw_intervals() {
        constexpr double names = 150; // what they take on the left
        double low = 0;
        double high = 0;
        std::size_t rows = 0;
        for (auto const& s : chart_.series) {
            rows += s.points.size() + 1;
            for (auto const& p : s.points) {
                low = (std::min)({low, p.low, p.x});
                high = (std::max)({high, p.high, p.x});
            }
        }
        auto const bottom = top + 20 * static_cast<double>(rows) + 4;
        height_ = bottom + 42;
        auto const x = axis_over(low, high, names, right - 8);
        x_axis(x, bottom, true);
        line(x.at(0), top, x.at(0), bottom, "zero");
        auto y = top + 14;
        for (auto const& s : chart_.series) {
            text(4, y, "start", s.name, " class=\"group\"");
            y += 20;
            for (std::size_t i = 0; i < s.points.size(); ++i, y += 20) {
                auto const& p = s.points[i];
                text(names - 8, y, "end", shortened(p.label));
                auto const style = join("s", (i + 1) % 8); // the baseline has the first colour
                line(x.at(p.low), y - 4, x.at(p.high), y - 4, join("whisker ", style));
                circle(x.at(p.x), y - 4, 4.5, join("dot ", style),
                    join(p.label, " on ", s.name, ": ", fixed_text(p.x, 4), ", ",
                        fixed_text(p.low, 4), " to ", fixed_text(p.high, 4)));
            }
        }
    }

    // A name that fits; cut between characters of UTF-8.
    [[nodiscard]] static std::string shortened(std::string_view name) {
        constexpr std::size_t most = 22;
        if (name.size() <= most) return std::string(name);
        auto begin = name.size() - most + 2; // the end of a path tells more
        while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0u) == 0x80u)
            ++begin;
        return join("\xE2\x80\xA6", name.substr(begin));
    }

    report_chart const& chart_;
    double height_ = 300;
    std::string out_;
};

} // namespace detail

TRAWL_INLINE std::string to_svg(report_chart const& chart) {
    return detail::chart_svg(chart).draw();
}

TRAWL_END_NAMESPACE
