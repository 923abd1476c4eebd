// SPDX-License-Identifier: MIT
/// Prints the bits of computations that compilers change under -ffast-math or contraction where
/// nothing holds them. Built with other flags it must print the same; with PLAIN defined, without
/// the barriers, it need not.
#include <trawl/core/placed.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <limits>
#include <vector>

#ifdef PLAIN
template <class T>
T rounded(T value) {
    return value;
}
template <class T>
T divided(T a, T b) {
    return a / b;
}
#else
using trawl::detail::divided;
using trawl::detail::rounded;
#endif

namespace {

template <class T>
void work(char const* name) {
    trawl::detail::random random(42);
    std::vector<T> a(1000), b(1000);
    for (auto& x : a) x = static_cast<T>(random.uniform() - 0.5);
    for (auto& x : b) x = static_cast<T>(random.uniform() - 0.5);
    T dot = 0, total = 0, compensated = 0, lost = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        dot = rounded(dot + rounded(a[i] * b[i]));
        total = rounded(total + divided(rounded(a[i] - b[0]), b[1]));
        // Kahan's sum, which reassociation makes pointless
        T const next = rounded(compensated + a[i]);
        lost = rounded(lost + rounded(a[i] - rounded(next - compensated)));
        compensated = next;
    }
    std::printf("%s %a %a %a %a\n", name, static_cast<double>(dot), static_cast<double>(total),
        static_cast<double>(compensated), static_cast<double>(lost));
}

} // namespace

int main() {
    work<float>("float");
    work<double>("double");
    float volatile infinite = std::numeric_limits<float>::infinity();
    float volatile large = (std::numeric_limits<float>::max)();
    double volatile not_a_number = std::numeric_limits<double>::quiet_NaN();
    double volatile minus_zero = -0.0;
    double const zeros[] = {minus_zero, minus_zero};
    float const zero_sum = static_cast<float>(trawl::detail::sum_of(zeros));
    std::printf("finite %d %d %d below %08" PRIx32 " zero %08" PRIx32 "\n",
        trawl::detail::is_finite(infinite), trawl::detail::is_finite(large),
        trawl::detail::is_finite(not_a_number),
        std::bit_cast<std::uint32_t>(trawl::placed(1.0f, 0.0f)),
        std::bit_cast<std::uint32_t>(zero_sum));
}
