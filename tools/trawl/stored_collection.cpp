// SPDX-License-Identifier: MIT
#include "stored_collection.hpp"

#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include <trawl/embed/storage.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

#include "models.hpp"
#include "words.hpp"

namespace cli {
namespace {

constexpr std::size_t lsa_dim = 128;

std::string settings_path(std::string const& path) {
    return (std::filesystem::path(path) / "trawl.json").string();
}
std::string analysis_path(std::string const& path) {
    return (std::filesystem::path(path) / "embedder.lsa").string();
}

std::string next_analysis_path(std::string const& path) {
    return (std::filesystem::path(path) / "embedder.lsa.new").string();
}

} // namespace

bool is_collection(std::string const& path) { return std::filesystem::exists(settings_path(path)); }

collection_settings read_settings(std::string const& path) {
    if (!is_collection(path)) {
        throw trawl::error(trawl::errc::io, path + ": there is no collection; trawl add makes one");
    }
    auto const file = settings_path(path);
    auto const read = nlohmann::json::parse(trawl::read_file(file), nullptr, false);
    collection_settings out;
    try {
        out.analyzer = read.at("analyzer").get<std::string>();
        out.lsa = read.at("lsa").get<bool>();
        out.chunk = read.at("chunk").get<std::size_t>();
        out.model = read.value("model", "");
    } catch (nlohmann::json::exception const&) {
        throw trawl::error(trawl::errc::parse, file + ": does not name an analyzer, lsa and chunk");
    }
    return out;
}

void write_settings(std::string const& path, collection_settings const& settings) {
    nlohmann::ordered_json written{
        {"analyzer", settings.analyzer}, {"lsa", settings.lsa}, {"chunk", settings.chunk}};
    if (!settings.model.empty()) written["model"] = settings.model;
    trawl::write_file(settings_path(path), written.dump() + "\n");
}

trawl::collection open_collection(std::string const& path, collection_settings const& settings,
    bool read_only, model_use use, std::vector<trawl::metadata_field> fields) {
    trawl::collection_options options{
        .fields = std::move(fields),
        .analyzer = trawl::any_analyzer::named(settings.analyzer),
        .read_only = read_only,
    };
    options.chunks.reset();
    if (settings.chunk > 0) options.chunks = trawl::chunk_options{.tokens = settings.chunk};
    if (!settings.model.empty() && use == model_use::open)
        options.vectors.push_back({.name = model_space, .embedder = open_embedder(settings.model)});
    if (!settings.lsa) return trawl::collection::open(path, options);
    options.vectors.push_back({.name = lsa_space, .dim = lsa_dim});
    auto const with = [&](std::string const& analysis) {
        if (std::filesystem::exists(analysis)) {
            options.vectors[0].embedder =
                trawl::open<lsa_analysis>(analysis, trawl::any_analyzer::named(settings.analyzer));
        }
        return trawl::collection::open(path, options);
    };
    if (!std::filesystem::exists(next_analysis_path(path))) return with(analysis_path(path));
    // A refit was cut short: the collection's vectors are of the old analysis or of the new one.
    try {
        return with(next_analysis_path(path));
    } catch (trawl::error const&) {
        return with(analysis_path(path));
    }
}

trawl::collection read_collection(std::string const& path) {
    return open_collection(path, read_settings(path), true, model_use::none);
}

void refit(
    trawl::collection& documents, std::string const& path, collection_settings const& settings) {
    std::vector<std::string> texts;
    documents.all().for_each_key([&](std::string_view key) {
        if (auto const found = documents.get(key))
            texts.push_back(found->title + " " + found->text);
        return true;
    });
    if (texts.empty()) return;
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    auto fitted =
        lsa_analysis::fit(views, {.dim = lsa_dim, .least_df = views.size() < 1000 ? 1u : 2u},
            trawl::any_analyzer::named(settings.analyzer));
    // The collection and the analysis are two files: between their changes, opening takes the new one.
    trawl::save(fitted, next_analysis_path(path));
    documents.refit(lsa_space, trawl::any_embedder(std::move(fitted)));
    std::filesystem::rename(next_analysis_path(path), analysis_path(path));
}

} // namespace cli
