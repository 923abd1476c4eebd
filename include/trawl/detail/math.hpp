// SPDX-License-Identifier: MIT
#pragma once

/// The few functions of <cmath> that most programs need, by the compiler's builtins where it has
/// them: <cmath> costs a twentieth of nlohmann/json.hpp, for functions that nobody here calls. The
/// results are those of <cmath>.

#include <trawl/config.hpp>

#if !defined(__GNUC__) && !defined(__clang__)
#include <cmath>
#endif

TRAWL_BEGIN_NAMESPACE
namespace detail::math {

#if defined(__GNUC__) || defined(__clang__)

[[nodiscard]] inline double sqrt(double x) noexcept { return __builtin_sqrt(x); }
[[nodiscard]] inline double log(double x) noexcept { return __builtin_log(x); }
[[nodiscard]] inline double log2(double x) noexcept { return __builtin_log2(x); }
[[nodiscard]] inline double atan(double x) noexcept { return __builtin_atan(x); }
[[nodiscard]] inline double exp2(double x) noexcept { return __builtin_exp2(x); }
[[nodiscard]] inline double pow(double x, double y) noexcept { return __builtin_pow(x, y); }
[[nodiscard]] inline double fabs(double x) noexcept { return __builtin_fabs(x); }
[[nodiscard]] inline float fabs(float x) noexcept { return __builtin_fabsf(x); }
[[nodiscard]] inline double fma(double x, double y, double z) noexcept {
    return __builtin_fma(x, y, z);
}
[[nodiscard]] inline float fma(float x, float y, float z) noexcept {
    return __builtin_fmaf(x, y, z);
}
[[nodiscard]] inline double frexp(double x, int* exponent) noexcept {
    return __builtin_frexp(x, exponent);
}
[[nodiscard]] inline float ldexp(float x, int exponent) noexcept {
    return __builtin_ldexpf(x, exponent);
}
[[nodiscard]] inline long lround(double x) noexcept { return __builtin_lround(x); }

#else

using std::atan;
using std::exp2;
using std::fabs;
using std::fma;
using std::frexp;
using std::ldexp;
using std::log;
using std::log2;
using std::lround;
using std::pow;
using std::sqrt;

#endif

} // namespace detail::math
TRAWL_END_NAMESPACE
