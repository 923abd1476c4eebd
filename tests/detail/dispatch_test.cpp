// SPDX-License-Identifier: MIT
#include <trawl/detail/simd/dispatch.hpp>

#include <cstdio>
#include <filesystem>
#include <string>

#include <trawl/dense/flat_index.hpp>
#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

namespace {

namespace detail = trawl::detail;

// A number made of the bits of scores under every metric.
std::uint64_t fingerprint() {
    std::uint64_t hash = 1469598103934665603u;
    for (auto const how : {trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean}) {
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

TEST_CASE(
    "TRAWL_FORCE_ISA forces each level that the machine has, and no level changes a bit", "[detail][simd]") {
    if (!std::filesystem::exists("/proc/self/exe")) {
        WARN("skipped: no /proc/self/exe to run this program again");
        return;
    }
    char expected[32];
    std::snprintf(expected, sizeof expected, "%016llx", static_cast<unsigned long long>(fingerprint()));
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
    CHECK(
        run_under("sse9").find("error TRAWL_FORCE_ISA is \"sse9\", this machine has ") != std::string::npos);
    CHECK(run_under("''").find(expected) != std::string::npos);
}

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
