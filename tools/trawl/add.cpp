// SPDX-License-Identifier: MIT

/// trawl add: documents of folders and files into a collection, which is made if need be.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include <trawl/error.hpp>

#include "options.hpp"
#include "sources.hpp"
#include "stored_collection.hpp"
#include "words.hpp"

namespace cli {
namespace {

struct change_count {
    std::size_t added = 0;
    std::size_t changed = 0;
    std::size_t unchanged = 0;
    std::size_t erased = 0;
};

collection_settings settings_of(add_command const& command) {
    // A collection may be used from another folder than it was made in.
    auto const model =
        command.model.empty() ? "" : std::filesystem::canonical(command.model).string();
    if (!is_collection(command.collection))
        return {.analyzer = command.analyzer.value_or("standard"),
            .lsa = command.lsa,
            .model = model,
            .chunk = command.chunk.value_or(200)};
    auto stored = read_settings(command.collection);
    auto const refuse = [&](char const* option) {
        throw trawl::error(trawl::errc::invalid_argument,
            joined(option, ": ", command.collection,
                " exists, and keeps the settings with which it was made"));
    };
    if (command.analyzer && *command.analyzer != stored.analyzer) refuse("--analyzer");
    if (command.chunk && *command.chunk != stored.chunk) refuse("--chunk");
    if (command.lsa && !stored.lsa) refuse("--lsa");
    if (!model.empty() && stored.model.empty()) refuse("--model");
    if (!model.empty()) stored.model = model; // it may have moved
    return stored;
}

// Whether a document is stored as it was read. Stored metadata is in the order of the fields, and
// a document that is part of no other may name itself as its parent.
bool is_same(trawl::document const& stored, trawl::document const& read) {
    auto const same_values = std::all_of(
        read.metadata.begin(), read.metadata.end(), [&](trawl::metadata_entry const& entry) {
            auto const* const value = stored.metadata.find(entry.name);
            return value != nullptr && *value == entry.value;
        });
    return same_values && stored.metadata.size() == read.metadata.size()
           && stored.title == read.title && stored.text == read.text
           && (stored.parent.empty() ? stored.key : stored.parent)
                  == (read.parent.empty() ? read.key : read.parent);
}

// Puts what is new or different, erases what was read from this source before and is gone.
void add_source(trawl::collection& to, read_documents read, std::string const& source, bool keep,
    change_count& count) {
    std::unordered_set<std::string_view> there;
    std::vector<trawl::document> different;
    for (auto& document : read.documents) {
        document.metadata.set(source_field, source);
        there.insert(document.key);
    }
    for (auto const& document : read.documents) {
        auto const before = to.get(document.key);
        if (before && is_same(*before, document)) {
            ++count.unchanged;
            continue;
        }
        ++(before ? count.changed : count.added);
        different.push_back(document);
    }
    std::vector<std::string> gone;
    if (!keep) {
        to.view(trawl::field(source_field) == source).for_each_key([&](std::string_view key) {
            if (there.find(key) == there.end()) gone.emplace_back(key);
            return true;
        });
    }
    to.put_all(std::move(different));
    for (auto const& key : gone) to.erase(key);
    count.erased += gone.size();
}

// Removes a folder that was not there before, unless it is kept: a collection whose first documents could
// not be added would hold on to its settings.
class new_folder {
public:
    explicit new_folder(std::string path)
        : path_(std::move(path)), is_new_(!std::filesystem::exists(path_)) {}
    ~new_folder() {
        std::error_code ignored;
        if (is_new_) std::filesystem::remove_all(path_, ignored);
    }
    new_folder(new_folder const&) = delete;
    new_folder& operator=(new_folder const&) = delete;
    void keep() noexcept { is_new_ = false; }

private:
    std::string path_;
    bool is_new_;
};

} // namespace

void run(add_command const& command) {
    auto const settings = settings_of(command);
    std::vector<trawl::metadata_field> fields;
    if (is_collection(command.collection))
        fields = open_collection(command.collection, settings, true, model_use::none).fields();
    if (std::none_of(fields.begin(), fields.end(),
            [](trawl::metadata_field const& f) { return f.name == source_field; })) {
        fields.push_back({source_field, trawl::text_field});
    }

    std::vector<read_documents> sources;
    for (auto const& path : command.sources) {
        sources.push_back(read_source(path, fields));
        fields = sources.back().fields;
    }
    new_folder folder(command.collection);
    auto documents = open_collection(command.collection, settings, false, model_use::open, fields);
    write_settings(command.collection, settings);
    change_count count;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        auto const source = std::filesystem::canonical(command.sources[i]).string();
        add_source(documents, std::move(sources[i]), source, command.keep, count);
    }
    documents.commit();
    folder.keep();
    if (settings.lsa && count.added + count.changed + count.erased > 0)
        refit(documents, command.collection, settings);
    std::printf("%zu added, %zu changed, %zu unchanged, %zu erased; %zu documents, %zu passages\n",
        count.added, count.changed, count.unchanged, count.erased, documents.size(),
        documents.passages());
}

} // namespace cli
