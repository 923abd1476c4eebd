// SPDX-License-Identifier: MIT
// Prints the bits of hidden states, pooled and classified: the same under every compiler and flag.
#include <trawl/models/transformer.hpp>

#include <bit>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <trawl/models/model_folder.hpp>
#include <trawl/models/safetensors.hpp>

int main() {
    for (std::string const name : {"bert", "xlm_roberta", "distilbert", "bert_classifier"}) {
        auto const folder = "tests/golden/models/" + name;
        for (auto const weights : {trawl::weight_type::float32, trawl::weight_type::int8}) {
            trawl::transformer const encoder(trawl::safetensors(folder + "/model.safetensors"),
                trawl::read_model_folder(folder).config, weights);
            std::uint64_t hash = 14695981039346656037u;
            auto const add = [&](float const* values, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i)
                    hash = (hash ^ std::bit_cast<std::uint32_t>(values[i])) * 1099511628211u;
            };
            for (std::size_t const tokens : {1u, 2u, 15u, 16u, 17u, 48u}) {
                trawl::token_encoding text;
                for (std::size_t t = 0; t < tokens; ++t) {
                    text.ids.push_back(static_cast<std::uint32_t>((7 * t * t + 3) % 300));
                    text.types.push_back(0);
                }
                encoder.encode({&text, 1}, [&](std::size_t, trawl::matrix_view<float const> made) {
                    add(made.data, made.rows * made.cols);
                    std::vector<float> out(encoder.dim());
                    if (encoder.has_pooler()) encoder.pool_first(made.row(0), out);
                    add(out.data(), out.size());
                    out.resize(encoder.labels());
                    if (encoder.labels() > 0) encoder.classify(made.row(0), out);
                    add(out.data(), out.size());
                });
            }
            std::printf("%s %d %016" PRIx64 "\n", name.c_str(), static_cast<int>(weights), hash);
        }
    }
}
