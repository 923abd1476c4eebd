// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of agreement.hpp.

#include <trawl/eval/agreement.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline agreement agreement_of(
    std::size_t items, double observed, double expected) noexcept {
    return {items, observed, expected, expected >= 1 ? 1 : (observed - expected) / (1 - expected)};
}

// The distinct grades, ascending.
[[nodiscard]] inline std::vector<int> distinct_grades(std::vector<int> grades) {
    std::sort(grades.begin(), grades.end());
    grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
    return grades;
}

// How many items have each of the grades, which are distinct and ascending.
[[nodiscard]] inline std::vector<double> counts_of(
    std::span<int const> items, std::span<int const> grades) {
    std::vector<double> out(grades.size());
    for (int const grade : items) {
        auto const at = std::lower_bound(grades.begin(), grades.end(), grade);
        out[static_cast<std::size_t>(at - grades.begin())] += 1;
    }
    return out;
}

} // namespace detail

TRAWL_INLINE agreement cohen_kappa(
    std::span<int const> first, std::span<int const> second, disagreement how) {
    if (first.size() != second.size()) {
        detail::fail(
            errc::dimension_mismatch, detail::join("cohen_kappa: the first judge has ",
                                          first.size(), " grades, the second ", second.size()));
    }
    if (first.empty()) detail::fail(errc::invalid_argument, "cohen_kappa: there are no grades");
    std::vector<int> all(first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    auto const grades = detail::distinct_grades(std::move(all));
    auto const range = static_cast<double>(grades.back()) - grades.front();
    // 1 for the same grade, 0 for the most different ones.
    auto const alike = [&](int a, int b) {
        if (a == b) return 1.0;
        if (how == disagreement::nominal) return 0.0;
        auto const distance = std::abs(static_cast<double>(a) - b) / range;
        return 1 - (how == disagreement::linear ? distance : distance * distance);
    };
    auto const n = static_cast<double>(first.size());
    double observed = 0;
    for (std::size_t i = 0; i < first.size(); ++i) observed += alike(first[i], second[i]);
    observed /= n; // once, so that full agreement is 1
    double expected = 0;
    auto const in_first = detail::counts_of(first, grades);
    auto const in_second = detail::counts_of(second, grades);
    for (std::size_t a = 0; a < grades.size(); ++a) {
        auto const share = in_first[a] / n;
        auto const nominal = how == disagreement::nominal;
        for (auto b = nominal ? a : 0; b < (nominal ? a + 1 : grades.size()); ++b)
            expected += share * in_second[b] / n * alike(grades[a], grades[b]);
    }
    return detail::agreement_of(first.size(), observed, expected);
}

TRAWL_INLINE agreement fleiss_kappa(matrix_view<int const> ratings) {
    auto const n = ratings.rows;
    auto const m = ratings.cols;
    if (n < 1 || m < 2) {
        detail::fail(errc::invalid_argument,
            detail::join("fleiss_kappa: needs 1 item and 2 judges, has ", n, " and ", m));
    }
    // Every grade with its item: those of one grade, then of one item, stand together.
    std::vector<std::pair<int, std::size_t>> grades;
    grades.reserve(n * m);
    for (std::size_t i = 0; i < n; ++i) {
        for (int const grade : ratings.row(i)) grades.emplace_back(grade, i);
    }
    std::sort(grades.begin(), grades.end());
    auto const pairs = static_cast<double>(m) * (static_cast<double>(m) - 1);
    double observed = 0;
    double expected = 0;
    for (std::size_t begin = 0; begin < grades.size();) {
        auto end = begin;
        while (end < grades.size() && grades[end].first == grades[begin].first) {
            auto const first = end;
            while (end < grades.size() && grades[end] == grades[first]) ++end;
            auto const count = static_cast<double>(end - first);
            observed += count * (count - 1) / pairs / static_cast<double>(n);
        }
        auto const share = static_cast<double>(end - begin) / static_cast<double>(n * m);
        expected += share * share;
        begin = end;
    }
    return detail::agreement_of(n, observed, expected);
}

TRAWL_INLINE matrix_view<int const> common_judgements::view() const noexcept {
    return {grades.data(), judges == 0 ? 0 : grades.size() / judges, judges};
}

TRAWL_INLINE std::vector<int> common_judgements::of(std::size_t judge) const {
    std::vector<int> out;
    for (auto i = judge; i < grades.size(); i += judges) out.push_back(grades[i]);
    return out;
}

TRAWL_INLINE common_judgements judged_by_all(std::span<qrels const* const> judges) {
    if (judges.empty() || std::find(judges.begin(), judges.end(), nullptr) != judges.end()) {
        detail::fail(errc::invalid_argument, "judged_by_all: there are no judges, or one is null");
    }
    common_judgements out{.judges = judges.size()};
    auto const& first = *judges[0];
    std::vector<int> row;
    for (std::size_t q = 0; q < first.size(); ++q) {
        for (auto const& j : first.judgements(q).all()) {
            row.assign(1, j.grade);
            for (auto const* const other : judges.subspan(1)) {
                auto const there = other->find(first.query(q));
                auto const id = other->documents().find(first.documents().key(j.id));
                row.push_back(there && id ? other->judgements(*there).grade(*id).value_or(-1) : -1);
            }
            if (*std::min_element(row.begin(), row.end()) < 0) continue;
            out.grades.insert(out.grades.end(), row.begin(), row.end());
        }
    }
    return out;
}

TRAWL_INLINE table agreement_table(
    common_judgements const& judged, std::span<std::string const> names) {
    if (names.size() != judged.judges) {
        detail::fail(errc::dimension_mismatch, detail::join("agreement_table: ", names.size(),
                                                   " names for ", judged.judges, " judges"));
    }
    auto const all = fleiss_kappa(judged.view());
    table out{.title = "Agreement between judges",
        .columns = {"judges", "documents", "agree", "by chance", "kappa", "kappa, linear",
            "kappa, quadratic"}};
    for (std::size_t a = 0; a < names.size(); ++a) {
        for (auto b = a + 1; b < names.size(); ++b) {
            auto const first = judged.of(a);
            auto const second = judged.of(b);
            auto const plain = cohen_kappa(first, second);
            out.add({names[a] + ", " + names[b], plain.items, plain.observed, plain.expected,
                plain.kappa, cohen_kappa(first, second, disagreement::linear).kappa,
                cohen_kappa(first, second, disagreement::quadratic).kappa});
        }
    }
    if (names.size() > 2) {
        out.add({"all (Fleiss)", all.items, all.observed, all.expected, all.kappa, table_cell(),
            table_cell()});
    }
    constexpr std::string_view words[] = {
        "slight", "fair", "moderate", "substantial", "almost perfect"};
    auto const step = static_cast<std::size_t>((std::clamp)(all.kappa, 0.0, 0.99) * 5);
    out.notes.push_back(detail::join("Fleiss' kappa is ", detail::fixed_text(all.kappa, 4), ": ",
        all.kappa < 0 ? "less than chance gives" : words[step],
        all.kappa < 0 ? "." : " agreement, in the words of Landis and Koch (1977)."));
    return out;
}

TRAWL_END_NAMESPACE
