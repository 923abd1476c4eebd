// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/formats/ranx.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/storage/file.hpp>

namespace cli {
namespace {

bool is_json(std::string_view text) {
    auto const at = text.find_first_not_of(" \t\r\n");
    return at != text.npos && text[at] == '{';
}

} // namespace

std::string file_name(std::string const& path) {
    return std::filesystem::path(path).filename().string();
}

std::string read_contents(std::string const& path) {
    auto contents = trawl::read_file(path);
    if (contents.size() < 2 || contents.compare(0, 2, "\x1f\x8b") != 0) return contents;
#ifdef CLI_GZIP
    return read_compressed(path);
#else
    throw trawl::error(trawl::errc::invalid_argument,
        path + ": is compressed, and this program was built without zlib");
#endif
}

trawl::run read_run(std::string const& path, trawl::convention whose) {
    auto const text = read_contents(path);
    auto const repeated = trawl::rules_of(whose).repeated;
    return is_json(text) ? trawl::parse_json_run(text, path, repeated)
                         : trawl::parse_run(text, path, repeated);
}

trawl::evaluate_options evaluate_options_of(
    std::string const& convention, std::string const& ties, int level) {
    trawl::evaluate_options out{
        .convention = trawl::convention_named(convention), .assess = {.level = level}};
    for (auto const order : {trawl::tie_order::key_descending, trawl::tie_order::key_ascending,
             trawl::tie_order::expected}) {
        if (trawl::name_of(order) == ties) out.ties = order;
    }
    return out;
}

trawl::qrels read_qrels(std::string const& path) {
    auto const text = read_contents(path);
    return is_json(text) ? trawl::parse_json_qrels(text, path) : trawl::parse_qrels(text, path);
}

trawl::ordered_keys read_keys(std::string const& path) {
    auto const text = read_contents(path);
    std::vector<std::string_view> keys;
    trawl::line_reader lines(text);
    for (std::string_view line; lines.next(line);) {
        if (!trawl::is_blank(line)) keys.push_back(line);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return trawl::ordered_keys::from_ascending(keys);
}

} // namespace cli
