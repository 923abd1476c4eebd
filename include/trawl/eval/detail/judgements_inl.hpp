// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of judgements.hpp.

#include <trawl/eval/judgements.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/detail/sort_numbers.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Grades as numbers in the same order.
[[nodiscard]] inline std::uint32_t number_of_grade(int grade) noexcept {
    return static_cast<std::uint32_t>(grade) ^ 0x80000000u;
}
[[nodiscard]] inline int grade_of_number(std::uint64_t number) noexcept {
    return static_cast<int>(static_cast<std::uint32_t>(number) ^ 0x80000000u);
}

} // namespace detail

TRAWL_INLINE judgements::judgements(std::vector<judgement> all) : all_(std::move(all)) {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(all_.size());
    for (auto const& j : all_)
        numbers.push_back(std::uint64_t{j.id} << 32 | detail::number_of_grade(j.grade));
    detail::sort_numbers(numbers);
    std::size_t judged = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        all_[i] = {static_cast<doc_id>(numbers[i] >> 32), detail::grade_of_number(numbers[i])};
        if (i > 0 && all_[i].id == all_[i - 1].id) {
            detail::fail(errc::duplicate_key,
                detail::join("judgements: document ", all_[i].id, " is judged twice, as ",
                    all_[i - 1].grade, " and as ", all_[i].grade));
        }
    }
    for (auto const& j : all_) {
        if (j.grade >= 0) numbers[judged++] = static_cast<std::uint32_t>(j.grade);
    }
    numbers.resize(judged);
    detail::sort_numbers(numbers);
    grades_.reserve(judged);
    for (auto i = judged; i > 0; --i) grades_.push_back(static_cast<int>(numbers[i - 1]));
}

TRAWL_INLINE std::optional<int> judgements::grade(doc_id id) const noexcept {
    std::size_t low = 0;
    for (auto count = all_.size(); count > 0;) {
        auto const half = count / 2;
        if (all_[low + half].id < id) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    if (low == all_.size() || all_[low].id != id) return {};
    return all_[low].grade;
}

TRAWL_INLINE std::size_t judgements::count(int level) const noexcept {
    std::size_t low = 0;
    for (auto left = grades_.size(); left > 0;) {
        auto const half = left / 2;
        if (grades_[low + half] >= level) {
            low += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return low;
}

TRAWL_END_NAMESPACE
