// SPDX-License-Identifier: MIT
#pragma once

/// The tokenizing rows of benchmarks/models.cpp.

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/formats/lines.hpp>
#include <trawl/models/tokenizer.hpp>
#include <trawl/storage/file.hpp>

#include "coprocess.hpp"
#include "harness.hpp"

namespace bench {

/// One model on the first 2 MB of a file of texts, beside Hugging Face's tokenizers.
inline void compare_tokenizer(report& report, coprocess& python, std::string const& name,
    std::string const& model, std::string const& file, double open_bound) {
    auto const seconds_of = [&](std::string const& line) {
        return std::strtod(python.ask(line).c_str(), nullptr);
    };
    std::vector<std::string> texts;
    double bytes = 0;
    auto const whole = trawl::read_file(file);
    trawl::line_reader lines(whole, file);
    for (std::string_view line; lines.next(line);) {
        texts.push_back(nlohmann::json::parse(line).at("text").get<std::string>());
        bytes += static_cast<double>(texts.back().size());
        if (bytes > (report.quick() ? 1e5 : 2e6)) break;
    }
    auto const made = trawl::tokenizer::open(model);
    trawl::token_encoding encoding;
    std::size_t tokens = 0;
    auto const encode = [&] {
        return cpu_seconds([&] {
            for (auto const& text : texts) {
                made.encode(text, {}, encoding);
                tokens += encoding.size();
            }
        });
    };
    auto const peer = "tokenizers " + python.ask("tokenizers version");
    auto const where = std::filesystem::path(file).parent_path().filename().string();
    for (auto const* const way : {"encode", "encode_fast"}) {
        auto const line = std::string("tokenizers ") + way + " " + model + " " + file + " "
                          + std::to_string(texts.size());
        if (auto const first = python.ask(line); first.empty() || first[0] == '-') {
            report.note(name + ": no tokenizers: " + first);
            return;
        }
        auto const seconds =
            interleave_values(report.rounds(), {encode, [&] { return seconds_of(line); }});
        auto const offsets = std::string(way) == "encode";
        report.compare(name + ", " + where, rate(seconds[0], bytes / 1e6),
            peer + (offsets ? "" : ", no offsets"), rate(seconds[1], bytes / 1e6),
            {.unit = "MB/s", .wanted = better::higher, .target = 5});
    }
    auto const opening = interleave_values(report.rounds(),
        {[&] { return cpu_seconds([&] { tokens += trawl::tokenizer::open(model).size(); }); },
            [&] { return seconds_of("tokenizers open " + model); }});
    report.note(std::to_string(tokens) + " tokens"); // so that nothing is optimised away
    report.compare(
        name + ", opening", scaled(opening[0], 1e3), peer, scaled(opening[1], 1e3), {.unit = "ms"});
    report.bound(name + ", opening", scaled(opening[0], 1e3), open_bound, "ms");
}

inline void tokenizing(report& report, coprocess& python) {
    std::string const data = "../shared/data/";
    if (!std::filesystem::exists(data + "scifact")) {
        report.note("tokenizing: " + data + "scifact is not there");
        return;
    }
    auto const minilm = python.ask("weights minilm");
    if (minilm.empty() || minilm[0] == '-') {
        report.note("tokenizing: no all-MiniLM-L6-v2: " + minilm);
    } else {
        compare_tokenizer(report, python, "WordPiece", minilm, data + "scifact/corpus.jsonl", 30);
        compare_tokenizer(report, python, "WordPiece", minilm, data + "xquad_de/corpus.jsonl", 30);
    }
    auto const e5 =
        python.ask("weights e5 " BENCH_SOURCE "/../tests/golden/models/tokens/xlm_roberta.json");
    if (e5.empty() || e5[0] == '-') {
        report.note("tokenizing: no multilingual-e5-small: " + e5);
    } else {
        compare_tokenizer(report, python, "Unigram", e5, data + "scifact/corpus.jsonl", 250);
        compare_tokenizer(report, python, "Unigram", e5, data + "piaf_fr/corpus.jsonl", 250);
    }
}

} // namespace bench
