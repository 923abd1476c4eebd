// SPDX-License-Identifier: MIT
// The ids of real texts are those of Hugging Face's tokenizers: tests/golden/models/make_token_checksums.py. Texts are
// taken from ../shared/data, all-MiniLM-L6-v2 from the folder that TRAWL_TEST_MINILM names; what is not there is left out.
#include <trawl/models/tokenizer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/formats/lines.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"

namespace {

namespace fs = std::filesystem;

std::string const golden = "tests/golden/models/";
std::string const data = "../shared/data/";

std::vector<std::string> texts_of(std::string const& name) {
    std::vector<std::string> out;
    if (name == "tldr") {
        std::vector<std::string> paths;
        for (auto const& entry : fs::recursive_directory_iterator(data + name)) {
            if (entry.path().extension() == ".md") paths.push_back(entry.path().string());
        }
        std::sort(paths.begin(), paths.end());
        for (auto const& path : paths) out.push_back(trawl::read_file(path));
        return out;
    }
    for (std::string const file : {"/corpus.jsonl", "/queries.jsonl"}) {
        auto const whole = trawl::read_file(data + name + file);
        trawl::line_reader lines(whole, file);
        for (std::string_view line; lines.next(line);) {
            auto const record = nlohmann::json::parse(line);
            if (record.contains("title")) out.push_back(record["title"].get<std::string>());
            out.push_back(record["text"].get<std::string>());
        }
    }
    return out;
}

} // namespace

TEST_CASE("tokens of real texts are Hugging Face's", "[models][tokenizer][golden]") {
    auto const* const minilm = std::getenv("TRAWL_TEST_MINILM");
    auto const whole = trawl::read_file(golden + "token_checksums.tsv");
    trawl::line_reader lines(whole, "token_checksums.tsv");
    std::map<std::string, std::vector<std::string>> texts;
    for (std::string_view line; lines.next(line);) {
        std::array<std::string, 5> fields;
        for (auto& field : fields) {
            field = line.substr(0, line.find('\t'));
            line.remove_prefix((std::min)(field.size() + 1, line.size()));
        }
        auto const& [model, name, count, ids, checksum] = fields;
        CAPTURE(model, name);
        auto const real = model == "all-MiniLM-L6-v2";
        if (!fs::exists(data + name)) {
            WARN("skipped: " << data << name << " is not there");
            continue;
        }
        if (real && minilm == nullptr) {
            WARN("skipped: TRAWL_TEST_MINILM does not name the folder of " << model);
            continue;
        }
        auto& all = texts[name];
        if (all.empty()) all = texts_of(name);
        auto const made = real ? trawl::tokenizer::open(minilm)
                               : trawl::tokenizer::from_json(
                                   trawl::read_file(golden + "tokens/" + model + ".json"), model);
        std::uint64_t value = 0xCBF29CE484222325;
        std::size_t tokens = 0;
        trawl::token_encoding got;
        for (auto const& text : all) {
            made.encode(text, {}, got);
            for (auto const id : got.ids) value = (value ^ id) * 0x100000001B3;
            value = (value ^ got.size()) * 0x100000001B3;
            tokens += got.size();
        }
        CHECK(std::to_string(all.size()) == count);
        CHECK(std::to_string(tokens) == ids);
        CHECK(value == std::stoull(checksum, nullptr, 16));
    }
}
