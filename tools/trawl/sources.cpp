// SPDX-License-Identifier: MIT
#include "sources.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include <trawl/error.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/passages/markdown.hpp>

#include "inputs.hpp"
#include "json_metadata.hpp"
#include "words.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;
using json = json_metadata::json;

bool is_text_file(fs::path const& path) {
    auto const end = path.extension().string();
    return end == ".md" || end == ".markdown" || end == ".txt";
}

// The title that a file gives itself: of its front matter, or its first heading.
std::string title_of(trawl::markdown_document const& parsed) {
    if (parsed.metadata.contains("title")) return parsed.metadata.at("title");
    for (auto const& block : parsed.blocks) {
        if (block.kind == trawl::block_kind::heading) return std::string(block.title);
    }
    return {};
}

read_documents finished(std::vector<trawl::document> documents, json_metadata const& members,
    std::string const& path, std::vector<trawl::metadata_field> const& known) {
    read_documents out{.documents = std::move(documents), .fields = members.fields(known)};
    try {
        auto rows = members.rows(out.fields);
        for (std::size_t i = 0; i < rows.size(); ++i)
            out.documents[i].metadata = std::move(rows[i]);
    } catch (trawl::error const& e) {
        throw trawl::error(e.code(), joined(path, ": ", e.what()));
    }
    return out;
}

read_documents read_folder(
    std::string const& path, std::vector<trawl::metadata_field> const& known) {
    std::vector<fs::path> files;
    for (auto const& entry : fs::recursive_directory_iterator(path)) {
        if (entry.is_regular_file() && is_text_file(entry.path())) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<trawl::document> documents;
    json_metadata members;
    for (auto const& file : files) {
        trawl::document made{
            .key = fs::relative(file, path).generic_string(), .text = read_contents(file.string())};
        auto const parsed = trawl::parse_markdown(made.text);
        made.title = title_of(parsed);
        members.begin_document();
        for (auto const& [name, value] : parsed.metadata) {
            if (name != "title") members.add(name, value);
        }
        documents.push_back(std::move(made));
    }
    return finished(std::move(documents), members, path, known);
}

std::string text_member(
    trawl::line_reader const& lines, json const& object, char const* name, bool needed) {
    auto const at = object.find(name);
    if (at == object.end() || at->is_null()) {
        if (needed) lines.fail(trawl::errc::parse, joined("there is no ", name));
        return {};
    }
    if (at->is_number_integer() && needed) return at->dump();
    if (!at->is_string()) lines.fail(trawl::errc::parse, joined(name, " is no text"));
    return at->get<std::string>();
}

read_documents read_lines(
    std::string const& path, std::vector<trawl::metadata_field> const& known) {
    constexpr std::string_view left_out[] = {"_id", "key", "title", "text", "parent", "metadata"};
    std::vector<trawl::document> documents;
    json_metadata members;
    for_each_object(path, [&](trawl::line_reader const& lines, json const& object) {
        auto const* const key = object.contains("key") ? "key" : "_id";
        documents.push_back({.key = text_member(lines, object, key, true),
            .title = text_member(lines, object, "title", false),
            .text = text_member(lines, object, "text", false),
            .parent = text_member(lines, object, "parent", false)});
        members.begin_document();
        members.add_members(object, left_out);
    });
    return finished(std::move(documents), members, path, known);
}

} // namespace

read_documents read_source(
    std::string const& path, std::vector<trawl::metadata_field> const& known) {
    return fs::is_directory(path) ? read_folder(path, known) : read_lines(path, known);
}

} // namespace cli
