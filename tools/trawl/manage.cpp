// SPDX-License-Identifier: MIT

/// trawl info, verify, compact and export: what is done with a collection besides searching it.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <trawl/collection/exported.hpp>

#include "options.hpp"
#include "stored_collection.hpp"
#include "words.hpp"

namespace cli {

void run(info_command const& command) {
    auto const settings = read_settings(command.collection);
    auto const documents = read_collection(command.collection);
    std::uintmax_t bytes = 0;
    for (auto const& file : std::filesystem::directory_iterator(command.collection)) {
        if (file.is_regular_file()) bytes += file.file_size();
    }
    std::printf("%zu documents, %zu passages, %.1f MB\n", documents.size(), documents.passages(),
        static_cast<double>(bytes) / 1e6);
    std::printf("analyzer %s, passages of %zu tokens, vectors %s\n", settings.analyzer.c_str(),
        settings.chunk,
        settings.lsa             ? "by latent semantic analysis"
        : settings.model.empty() ? "none"
                                 : ("by the model " + settings.model).c_str());
    for (auto const& field : documents.fields()) {
        std::printf("%-20s %s\n", field.name.c_str(), std::string(name_of(field.type)).c_str());
    }
}

void run(verify_command const& command) {
    auto const documents = read_collection(command.collection);
    documents.verify();
    std::printf("%s is whole: %zu documents, %zu passages\n", command.collection.c_str(),
        documents.size(), documents.passages());
}

void run(compact_command const& command) {
    auto documents = open_collection(
        command.collection, read_settings(command.collection), false, model_use::none);
    documents.compact();
}

void run(export_command const& command) {
    trawl::export_documents(read_collection(command.collection).all(), command.out);
}

} // namespace cli
