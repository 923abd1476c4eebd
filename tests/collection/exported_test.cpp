// SPDX-License-Identifier: MIT
#if __has_include(<nlohmann/json.hpp>)

#include <trawl/collection/exported.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

#include <filesystem>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <trawl/collection/collection.hpp>
#include <trawl/storage/file.hpp>

using support::error_of;
using namespace trawl;

namespace {

struct folder {
    std::filesystem::path path = std::filesystem::temp_directory_path()
                                 / ("trawl-exported-" + std::to_string(std::random_device{}()));
    folder() { std::filesystem::create_directories(path); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { std::filesystem::remove_all(path); }
    [[nodiscard]] std::string file(char const* name) const { return (path / name).string(); }
};

collection_options options() {
    return {.fields = {{"version", text_field}, {"tags", text_list_field}, {"pages", integer_field},
                {"rating", float_field}, {"draft", bool_field}, {"published", date_field}},
        .vectors = {{.name = "model", .dim = 2}, {.name = "image", .dim = 3}},
        .chunks = {}};
}

std::vector<document> documents() {
    return {
        {.key = "a",
            .title = "Title",
            .text = "two\nlines \"quoted\" \xC3\xA9",
            .metadata = {{"version", "3.1"}, {"tags", {"api", "x"}}, {"pages", 9007199254740993},
                {"rating", 0.1}, {"draft", true}, {"published", date(2024, 2, 29)}},
            .vector = {1, 0.1f},
            .vectors = {{"image", {1, 2, 3}}}},
        {.key = "b",
            .text = "",
            .metadata = {{"published", date::parse("1969-12-31T23:59:59.5Z")}},
            .parent = "a"},
        {.key = "c", .text = "plain", .vector = {0, -1}},
    };
}

} // namespace

TEST_CASE("exported documents are read back as they were put", "[collection][exported]") {
    folder const work;
    auto first = collection::in_memory(options());
    first.put_all(documents());
    first.commit();
    export_documents(first.all(), work.file("out"));

    auto const read = read_exported(work.file("out"));
    CHECK(read.fields == options().fields);
    REQUIRE(read.documents.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        auto const stored = first.get(documents()[i].key);
        REQUIRE(stored);
        CHECK(read.documents[i].metadata == documents()[i].metadata);
        CHECK(read.documents[i].text == documents()[i].text);
        CHECK(read.documents[i].title == documents()[i].title);
        CHECK(read.documents[i].parent == documents()[i].parent);
        CHECK(read.documents[i].vector == documents()[i].vector);
        CHECK(read.documents[i].vectors == documents()[i].vectors);
    }

    auto second = collection::in_memory(options());
    second.put_all(read.documents);
    second.commit();
    for (auto const& given : documents()) CHECK(second.get(given.key) == first.get(given.key));
}

TEST_CASE("a view exports what is inside it", "[collection][exported]") {
    folder const work;
    auto notes = collection::in_memory(options());
    notes.put_all(documents());
    notes.commit();
    export_documents(notes.view(field("version") == "3.1"), work.file("out"));
    auto const read = read_exported(work.file("out"));
    REQUIRE(read.documents.size() == 1);
    CHECK(read.documents[0].key == "a");
}

TEST_CASE("what export and its reader refuse", "[collection][exported]") {
    folder const work;
    auto notes = collection::in_memory(options());
    notes.put_all(documents());
    notes.commit();
    export_documents(notes.all(), work.file("out"));
    CHECK(error_of([&] { export_documents(notes.all(), work.file("out")); }).code == errc::io);
    CHECK(error_of([&] { std::ignore = read_exported(work.file("none")); }).code == errc::io);

    auto const lines = work.file("out/documents.jsonl");
    auto const refuses = [&](std::string const& line, errc code) {
        write_file(lines, line);
        auto const thrown = error_of([&] { std::ignore = read_exported(work.file("out")); });
        CAPTURE(line, thrown.text);
        CHECK(thrown.code == code);
        CHECK(thrown.names(lines + ":1: "));
    };
    refuses("[]", errc::parse);
    refuses("{", errc::parse);
    refuses(R"({"key": "a"})", errc::parse);
    refuses(R"({"key": 1, "text": ""})", errc::parse);
    refuses(R"({"key": "a", "text": "", "vector": 2})", errc::corrupt);
    refuses(R"({"key": "a", "text": "", "vector": -1})", errc::corrupt);
    refuses(R"({"key": "a", "text": "", "vectors": {"sound": 0}})", errc::parse);
    refuses(R"({"key": "a", "text": "", "metadata": {"author": "x"}})", errc::parse);
    refuses(R"({"key": "a", "text": "", "metadata": {"published": "soon"}})", errc::parse);
    refuses(R"({"key": "a", "text": "", "metadata": 3})", errc::parse);

    write_file(work.file("out/schema.json"), "{}");
    CHECK(error_of([&] { std::ignore = read_exported(work.file("out")); }).code == errc::parse);
}

#endif
