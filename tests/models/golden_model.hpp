// SPDX-License-Identifier: MIT
#pragma once

/// The small random models of tests/golden/models, and what others computed from them
/// (make_models.py).

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/core/matrix.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/storage/file.hpp>

namespace golden {

[[nodiscard]] inline std::string folder(std::string const& name) {
    return "tests/golden/models/" + name;
}

[[nodiscard]] inline nlohmann::json cases(std::string const& name) {
    return nlohmann::json::parse(trawl::read_file(folder(name) + "/golden/cases.json"));
}

[[nodiscard]] inline std::vector<std::string> texts(std::string const& name) {
    return cases(name)["texts"].get<std::vector<std::string>>();
}

[[nodiscard]] inline std::vector<std::pair<std::string, std::string>> pairs(
    std::string const& name) {
    return cases(name)["pairs"].get<std::vector<std::pair<std::string, std::string>>>();
}

[[nodiscard]] inline trawl::matrix<float> expected(
    std::string const& name, std::string const& file) {
    return trawl::read_npy<float>(folder(name) + "/golden/" + file);
}

[[nodiscard]] inline std::vector<std::string_view> views(std::vector<std::string> const& texts) {
    return {texts.begin(), texts.end()};
}

/// Infinite if one is NaN.
[[nodiscard]] inline double largest_difference(float const* a, float const* b, std::size_t count) {
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto const difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        if (std::isnan(difference)) return INFINITY;
        largest = difference > largest ? difference : largest;
    }
    return largest;
}

[[nodiscard]] inline double cosine(float const* a, float const* b, std::size_t count) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < count; ++i) {
        ab += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        aa += static_cast<double>(a[i]) * static_cast<double>(a[i]);
        bb += static_cast<double>(b[i]) * static_cast<double>(b[i]);
    }
    return ab / std::sqrt(aa * bb);
}

} // namespace golden
