// SPDX-License-Identifier: MIT
// Prints the bits of a transformer's kernels: the same under every compiler and flag.
#include <trawl/detail/simd/transformer_kernels.hpp>

#include <bit>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/scalar/matrix_product.hpp>
#include <trawl/detail/simd/scalar/transformer.hpp>

namespace {

void print(char const* name, std::vector<float> const& values) {
    std::uint64_t hash = 14695981039346656037u;
    for (auto const v : values) hash = (hash ^ std::bit_cast<std::uint32_t>(v)) * 1099511628211u;
    std::printf("%s %016" PRIx64 "\n", name, hash);
}

} // namespace

int main() {
    namespace detail = trawl::detail;
    auto const& run = detail::active_transformer_kernels();
    detail::random random(1);
    auto const draw = [&](std::size_t count) {
        std::vector<float> made(count);
        for (auto& v : made)
            v = static_cast<float>(static_cast<double>(random.below(1u << 20)) * 0x1p-17 - 4);
        return made;
    };
    auto const a = draw(16 * 50), b = draw(48 * 50), bias = draw(48);
    std::vector<float> c(16 * 48);
    run.float_matrix_product({.a = a.data(),
        .a_stride = 50,
        .b = b.data(),
        .b_panel = 16 * 50,
        .c = c.data(),
        .c_stride = 48,
        .bias = bias.data(),
        .rows = 15,
        .panels = 3,
        .depth = 50});
    print("product", c);

    std::vector<std::int8_t> bytes(16 * 52);
    std::vector<float> scales(16);
    std::vector<std::int32_t> sums(16);
    for (std::size_t r = 0; r < 16; ++r) {
        auto const row = run.quantise(a.data() + 50 * r, 50, bytes.data() + 52 * r);
        scales[r] = row.scale;
        sums[r] = row.sum;
    }
    print("quantised", scales);
    std::vector<std::uint8_t> weights(48 * 52);
    for (auto& w : weights) w = static_cast<std::uint8_t>(1 + random.below(255));
    run.int8_matrix_product({.a = bytes.data(),
        .a_stride = 52,
        .a_scales = scales.data(),
        .a_sums = sums.data(),
        .b = weights.data(),
        .b_panel = 16 * 52,
        .b_scales = bias.data(),
        .bias = bias.data(),
        .c = c.data(),
        .c_stride = 48,
        .rows = 16,
        .panels = 3,
        .depth = 52});
    print("bytes", c);

    auto x = draw(1003);
    run.gelu(x.data(), x.size());
    print("gelu", x);
    x = draw(1008);
    x.push_back(run.softmax_terms(x.data(), 1003, 0.3f));
    print("softmax", {x.begin(), x.begin() + 1003});
    print("its sum", {x.back()});
    x = draw(1003);
    auto const more = draw(1003), weight = draw(1003), shift = draw(1003);
    run.layer_norm(x.data(), more.data(), weight.data(), shift.data(), 1e-5f, x.size());
    print("layer_norm", x);
    run.add(x.data(), more.data(), x.size());
    run.scale(x.data(), 0.7f, x.size());
    print("scaled", x);
}
