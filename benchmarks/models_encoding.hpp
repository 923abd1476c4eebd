// SPDX-License-Identifier: MIT
#pragma once

/// Encoding beside ONNX Runtime on the same weights, all-MiniLM-L6-v2: texts a second by length, batch,
/// type of weights and threads; pairs of a cross-encoder; opening. With one thread, the processor's
/// time, with two the wall's. Token ids are random, tokenizing does not count.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/safetensors.hpp>
#include <trawl/models/sentence_encoder.hpp>
#include <trawl/models/transformer.hpp>

#include "coprocess.hpp"
#include "harness.hpp"

namespace bench {

class encoding_rows {
public:
    encoding_rows(report& to, coprocess& peers, std::string folder)
        : report_(to), peers_(peers), folder_(std::move(folder)) {}

    void run() {
        bool const theirs = answers("about");
        for (auto const weights : {trawl::weight_type::float32, trawl::weight_type::int8}) {
            bool const bytes = weights == trawl::weight_type::int8;
            trawl::transformer const encoder(trawl::safetensors(folder_ + "/model.safetensors"),
                trawl::read_model_folder(folder_).config, weights);
            std::string const kind = bytes ? "int8" : "float32";
            for (std::size_t const threads : {1u, 2u}) {
                bool const open = theirs && answers("open " + kind + " " + std::to_string(threads));
                for (std::size_t const tokens : {16u, 128u, 256u}) {
                    for (std::size_t const texts : {1u, 32u})
                        measure(encoder, kind, threads, tokens, texts, open,
                            std::to_string(texts) + (texts == 1 ? " text" : " texts"));
                }
                measure(encoder, kind, threads, 128, 20, open, "20 pairs");
            }
        }
        auto const opened = seconds_of_rounds(
            report_.rounds(), [&] { static_cast<void>(trawl::sentence_encoder::open(folder_)); });
        report_.bound("open with tokenizer, float32", scaled(opened, 1e3), 30, "ms");
        auto const layers = seconds_of_rounds(report_.rounds(), [&] {
            static_cast<void>(trawl::transformer(trawl::safetensors(folder_ + "/model.safetensors"),
                trawl::read_model_folder(folder_).config));
        });
        report_.bound("open the encoder alone, float32", scaled(layers, 1e3), 30, "ms");
    }

private:
    template <class Work>
    static samples seconds_of_rounds(std::size_t rounds, Work const& work) {
        return interleave_values(rounds, {[&] { return cpu_seconds(work); }})[0];
    }

    // Whether the peer can; else a note says why not.
    bool answers(std::string const& line) {
        auto const answer = peers_.ask(line);
        if (answer.empty() || answer[0] == '-') {
            report_.note("ONNX Runtime: " + (answer.empty() ? "no answer" : answer));
            return false;
        }
        if (line == "about") report_.note(answer);
        return true;
    }

    void measure(trawl::transformer const& encoder, std::string const& kind, std::size_t threads,
        std::size_t tokens, std::size_t count, bool theirs, std::string const& what) {
        trawl::detail::random random(tokens);
        std::vector<trawl::token_encoding> texts(count);
        for (auto& text : texts) {
            text.types.assign(tokens, 0);
            for (std::size_t t = 0; t < tokens; ++t)
                text.ids.push_back(1000 + static_cast<std::uint32_t>(random.below(20'000)));
        }
        trawl::thread_executor const pool(threads);
        // Enough calls to take about a tenth of a second.
        auto const calls = (std::max)(std::size_t{1}, 400 / (tokens * count / 16 + 1));
        float kept = 0;
        auto const ours = [&] {
            auto const work = [&] {
                for (std::size_t i = 0; i < calls; ++i)
                    encoder.encode(
                        texts,
                        [&](std::size_t, trawl::matrix_view<float const> states) {
                            if (states.data[0] > 1e30f) kept = states.data[0];
                        },
                        threads == 1 ? nullptr : &pool);
            };
            return threads == 1 ? cpu_seconds(work) : seconds(work);
        };
        auto const question = "encode " + std::to_string(tokens) + " " + std::to_string(count) + " "
                              + std::to_string(calls);
        auto const peer = [&] { return std::strtod(peers_.ask(question).c_str(), nullptr); };
        auto const title = kind + ", " + std::to_string(threads)
                           + (threads == 1 ? " thread, " : " threads, ") + what + " of "
                           + std::to_string(tokens);
        auto const all = static_cast<double>(count * calls);
        if (theirs) {
            auto const found = interleave_values(report_.rounds(), {ours, peer});
            report_.compare(title, rate(found[0], all), "ONNX Runtime", rate(found[1], all),
                {.unit = "texts/s", .wanted = better::higher, .target = 1.0});
        } else {
            report_.limit(
                title, rate(interleave_values(report_.rounds(), {ours})[0], all), "texts/s");
        }
    }

    report& report_;
    coprocess& peers_;
    std::string folder_;
};

/// @param peers  runs models_encoding_peers.py
inline void encoding(report& to, coprocess& peers) {
    auto const folder = peers.ask("folder");
    if (folder.empty() || folder[0] == '-') {
        to.note("encoding: no weights: " + folder);
        return;
    }
    encoding_rows(to, peers, folder).run();
}

} // namespace bench
