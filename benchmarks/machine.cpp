// SPDX-License-Identifier: MIT
// The limits of this machine, for other areas' figures to be read against.
#include "machine.hpp"

int main(int argc, char** argv) {
    using namespace bench;
    report report("machine", parse(argc, argv));
    auto const levels = machine::levels();
    auto const& widest = levels.back();

    {
        std::vector<float> const memory(
            (report.quick() ? std::size_t{64} : std::size_t{256}) << 20, 1.0f);
        for (std::size_t const streams : {1u, 4u}) {
            auto const name = "read memory, 1 core, " + std::to_string(streams) + " streams";
            report.limit(
                name, machine::bandwidth(widest, memory, streams, 1, report.rounds()), "GB/s");
        }
        report.limit("read memory, all cores",
            machine::bandwidth_of_all(widest, memory, 4, report.rounds()), "GB/s");
    }
    for (std::size_t const kib : {16u, 256u, 4096u}) {
        std::vector<float> const cached(kib * 1024 / sizeof(float), 1.0f);
        auto const passes = (report.quick() ? std::size_t{1} : std::size_t{8}) * (1u << 20) / kib;
        report.limit("read " + std::to_string(kib) + " KiB again and again, 1 core",
            machine::bandwidth(widest, cached, 1, passes, report.rounds()), "GB/s");
    }
    for (auto const& level : levels) {
        report.limit("multiply-add of floats, 1 core, " + level.name,
            machine::multiply_adds(level, report.quick() ? 3'000'000 : 20'000'000, report.rounds()),
            "GFLOP/s");
    }
    return report.finish();
}
