// SPDX-License-Identifier: MIT
#include <trawl/detail/simd/dispatch.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include <trawl/dense/flat_index.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/avx2/codes.hpp>
#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/avx512/codes.hpp>
#include <trawl/detail/simd/avx512/halves.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>

#include "support/catch.hpp"

namespace {

namespace detail = trawl::detail;

// A number made of the bits of scores under every metric.
std::uint64_t fingerprint() {
    std::uint64_t hash = 1469598103934665603u;
    for (auto const how :
        {trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean}) {
        for (std::size_t const dim : {1u, 17u, 100u, 384u}) {
            detail::random random(dim);
            trawl::flat_index index(dim, how);
            std::vector<float> vector(dim);
            auto const next = [&]() -> std::vector<float> const& {
                for (auto& v : vector) v = static_cast<float>(random.normal());
                return vector;
            };
            for (int i = 0; i < 100; ++i) index.add(next());
            for (auto const& h : index.search(next(), 100)) {
                hash = (hash ^ h.id) * 1099511628211u;
                hash = (hash ^ std::bit_cast<std::uint32_t>(h.score)) * 1099511628211u;
            }
        }
    }
    return hash;
}

// What this program prints when it runs its hidden test with TRAWL_FORCE_ISA set to `level`.
std::string run_under(std::string const& level) {
    auto const self = std::filesystem::read_symlink("/proc/self/exe").string();
    auto const command = "TRAWL_FORCE_ISA=" + level + " '" + self + "' '[.forced]'";
    std::string out;
    if (auto* const pipe = popen(command.c_str(), "r")) {
        char line[4096];
        while (std::fgets(line, sizeof line, pipe) != nullptr) out += line;
        pclose(pipe);
    }
    return out;
}

} // namespace

TEST_CASE("prints the active level and a fingerprint", "[.forced]") {
    try {
        trawl::flat_index const index(1);
        std::printf("level %s %016llx\n", std::string(detail::active_kernels().name).c_str(),
            static_cast<unsigned long long>(fingerprint()));
    } catch (trawl::error const& e) {
        std::printf("error %s\n", e.what());
    }
    SUCCEED();
}

TEST_CASE("TRAWL_FORCE_ISA forces each level that the machine has, and no level changes a bit",
    "[detail][simd]") {
    if (!std::filesystem::exists("/proc/self/exe")) {
        WARN("skipped: no /proc/self/exe to run this program again");
        return;
    }
    char expected[32];
    std::snprintf(
        expected, sizeof expected, "%016llx", static_cast<unsigned long long>(fingerprint()));
    for (std::string const level : {"avx512", "avx2", "neon", "scalar"}) {
        CAPTURE(level);
        auto const out = run_under(level);
        CAPTURE(out);
        if (detail::kernels_named(level).name.empty()) {
            WARN("this machine lacks " << level << ": only the error is tested");
            CHECK(out.find("error TRAWL_FORCE_ISA is \"" + level + "\", this machine has ")
                  != std::string::npos);
        } else {
            CHECK(out.find("level " + level + " " + expected) != std::string::npos);
        }
    }
    CHECK(run_under("sse9").find("error TRAWL_FORCE_ISA is \"sse9\", this machine has ")
          != std::string::npos);
    CHECK(run_under("''").find(expected) != std::string::npos);
}

TEST_CASE("each part of AVX is found by its own bit, and only where its registers are saved",
    "[detail][simd]") {
    constexpr std::uint32_t xsave = 1u << 27, fma = 1u << 12, f16c = 1u << 29;       // leaf 1, ecx
    constexpr std::uint32_t avx2 = 1u << 5, avx512f = 1u << 16, avx512bw = 1u << 30; // leaf 7, ebx
    constexpr std::uint32_t vnni = 1u << 11;                                         // leaf 7, ecx
    using bits = std::array<bool, 6>;
    auto const found = [](detail::cpuid_words const& words) -> bits {
        auto const cpu = detail::features_of(words);
        return {cpu.fma, cpu.f16c, cpu.avx2, cpu.avx512f, cpu.avx512bw, cpu.avx512vnni};
    };
    CHECK(found({}) == bits{});
    CHECK(found({~0u, ~0u, ~0u, ~std::uint64_t{0}}) == bits{1, 1, 1, 1, 1, 1});
    CHECK(found({~0u & ~xsave, ~0u, ~0u, ~std::uint64_t{0}}) == bits{}); // xgetbv itself is off
    CHECK(found({~0u, ~0u, ~0u, 0x02}) == bits{});                       // xmm alone is saved
    CHECK(found({~0u, ~0u, ~0u, 0x07}) == bits{1, 1, 1, 0, 0, 0});       // and ymm
    for (std::uint64_t const lacking :
        {0x20u, 0x40u, 0x80u}) // zmm without its masks, upper halves or upper 16
        CHECK(found({~0u, ~0u, ~0u, 0xE7 & ~lacking}) == bits{1, 1, 1, 0, 0, 0});
    CHECK(found({xsave | fma, 0, 0, 0xE7}) == bits{1, 0, 0, 0, 0, 0});
    CHECK(found({xsave | f16c, 0, 0, 0xE7}) == bits{0, 1, 0, 0, 0, 0});
    CHECK(found({xsave, avx2, 0, 0xE7}) == bits{0, 0, 1, 0, 0, 0});
    CHECK(found({xsave, avx512f, 0, 0xE7}) == bits{0, 0, 0, 1, 0, 0});
    CHECK(found({xsave, avx512bw, 0, 0xE7}) == bits{0, 0, 0, 0, 1, 0});
    CHECK(found({xsave, 0, vnni, 0xE7}) == bits{0, 0, 0, 0, 0, 1});
}

#if TRAWL_X86_64
TEST_CASE("a level needs all of its parts; further parts of AVX-512 are used one by one",
    "[detail][simd]") {
    auto const all = detail::features_of({~0u, ~0u, ~0u, ~std::uint64_t{0}});
    CHECK(
        detail::kernels_named("avx512", all).dot_float16_rows == detail::avx512::dot_float16_rows);
    for (auto const part :
        {&detail::cpu_features::fma, &detail::cpu_features::f16c, &detail::cpu_features::avx2}) {
        auto without = all;
        without.*part = false;
        CHECK(detail::kernels_named("avx512", without).name.empty());
        CHECK(detail::kernels_named("avx2", without).name.empty());
    }
    auto without = all;
    without.avx512f = false;
    CHECK(detail::kernels_named("avx512", without).name.empty());
    CHECK(detail::kernels_named("avx2", without).dot_rows == detail::avx2::dot_rows);

    for (bool const bw : {false, true}) {
        for (bool const vnni : {false, true}) {
            auto cpu = all;
            cpu.avx512bw = bw;
            cpu.avx512vnni = vnni;
            auto const codes = detail::kernels_named("avx512", cpu);
            CAPTURE(bw, vnni);
            CHECK(codes.sum_tables == (bw ? detail::avx512::sum_tables : detail::avx2::sum_tables));
            CHECK(codes.dot_int8_rows
                  == (bw && vnni ? detail::avx512::dot_int8_rows : detail::avx2::dot_int8_rows));
        }
    }
    CHECK(detail::kernels_named("avx2", all).sum_tables == detail::avx2::sum_tables);
    CHECK(detail::kernels_named("scalar", all).sum_tables == detail::scalar::sum_tables);
}

TEST_CASE("what is detected is what the compiler's own detection says", "[detail][simd]") {
#if defined(__GNUC__)
    auto const cpu = detail::detect_cpu();
    CHECK(cpu.fma == (__builtin_cpu_supports("fma") != 0));
    CHECK(cpu.avx2 == (__builtin_cpu_supports("avx2") != 0));
    CHECK(cpu.avx512f == (__builtin_cpu_supports("avx512f") != 0));
    CHECK(cpu.avx512bw == (__builtin_cpu_supports("avx512bw") != 0));
    CHECK(cpu.avx512vnni == (__builtin_cpu_supports("avx512vnni") != 0));
#else
    WARN("skipped: this compiler detects nothing");
#endif
}
#endif

TEST_CASE("without a forced level the widest one is taken", "[detail][simd]") {
    auto const widest = detail::choose_kernels(nullptr).name;
    CHECK(detail::choose_kernels("").name == widest);
    if (!detail::detect_cpu().fma) {
        CHECK(widest == "unfused");
        return;
    }
    for (auto const level : detail::kernel_levels) {
        if (detail::kernels_named(level).name.empty()) continue;
        CHECK(widest == level);
        break;
    }
}

TEST_CASE("a forced level that is not there is an error that lists what is", "[detail][simd]") {
    CHECK(detail::choose_kernels("scalar").name == "scalar");
    try {
        (void)detail::choose_kernels("AVX2");
        FAIL("no error");
    } catch (trawl::error const& e) {
        CHECK(e.code() == trawl::errc::invalid_argument);
        CHECK(std::string(e.what()).find("\"AVX2\"") != std::string::npos);
        CHECK(std::string(e.what()).find("scalar") != std::string::npos);
    }
}
