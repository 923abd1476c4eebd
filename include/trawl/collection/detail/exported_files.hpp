// SPDX-License-Identifier: MIT
#pragma once

/// The files of exported documents: docs/formats.md, "Exported documents".

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <trawl/collection/document.hpp>
#include <trawl/collection/metadata.hpp>
#include <trawl/collection/metadata_json.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/json.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr int exported_version = 1;

[[nodiscard]] inline std::string exported_path(std::string const& folder, std::string_view file) {
    return (std::filesystem::path(folder) / file).string();
}

/// Calls use(); what nlohmann's JSON throws goes to refuse(reason), which throws an error of ours.
/// Without exceptions the JSON library ends the program.
template <class Use, class Refuse>
auto with_json(Use&& use, [[maybe_unused]] Refuse&& refuse) {
#if TRAWL_HAS_EXCEPTIONS
    try {
        return use();
    } catch (nlohmann::ordered_json::exception const& e) {
        refuse(json_reason(e.what()));
        throw;
    }
#else
    return use();
#endif
}

/// Vectors of one space.
struct exported_space {
    std::string name;
    std::vector<float> values = {};
    std::size_t dim = 0;

    [[nodiscard]] std::size_t add(std::span<float const> vector) {
        dim = vector.size();
        values.insert(values.end(), vector.begin(), vector.end());
        return values.size() / dim - 1;
    }
};

class exported_writer {
public:
    using json = nlohmann::ordered_json;

    explicit exported_writer(std::vector<metadata_field> fields) : fields_(std::move(fields)) {}

    /// @throws trawl::error (invalid_argument) if it is not UTF-8.
    void add(document const& given) {
        json line{{"key", given.key}};
        if (!given.title.empty()) line["title"] = given.title;
        line["text"] = given.text;
        if (!given.parent.empty() && given.parent != given.key) line["parent"] = given.parent;
        for (auto const& [field, text] : given.texts) line["texts"][field] = text;
        if (!given.metadata.empty()) line["metadata"] = given.metadata;
        if (!given.vector.empty()) line["vector"] = first_.add(given.vector);
        for (auto const& [name, values] : given.vectors)
            line["vectors"][name] = space(name).add(values);
        lines_ += with_json([&] { return line.dump(); },
            [&](std::string const&) {
                fail(errc::invalid_argument,
                    join("export_documents: document ", given.key, " is not UTF-8"));
            });
        lines_ += '\n';
    }

    void write(std::string const& folder) const {
        std::error_code problem;
        if (!std::filesystem::create_directory(folder, problem)) {
            fail(errc::io, join(folder, ": cannot be made: ",
                               problem ? problem.message() : std::string("it exists")));
        }
        json schema{{"version", exported_version}, {"fields", fields_as_json(fields_)},
            {"vectors", json::array()}};
        for (auto const& space : spaces_) schema["vectors"].push_back(space.name);
        if (first_.dim > 0) write_vectors(exported_path(folder, "vector.npy"), first_);
        for (std::size_t i = 0; i < spaces_.size(); ++i)
            write_vectors(exported_path(folder, join("vectors-", i, ".npy")), spaces_[i]);
        write_file(exported_path(folder, "documents.jsonl"), lines_);
        write_file(exported_path(folder, "schema.json"), schema.dump(2) + "\n");
    }

private:
    [[nodiscard]] exported_space& space(std::string const& name) {
        for (auto& known : spaces_) {
            if (known.name == name) return known;
        }
        return spaces_.emplace_back(exported_space{.name = name});
    }

    static void write_vectors(std::string const& path, exported_space const& space) {
        write_npy(path, matrix_view<float const>{
                            space.values.data(), space.values.size() / space.dim, space.dim});
    }

    std::vector<metadata_field> fields_;
    std::string lines_;
    exported_space first_;
    std::vector<exported_space> spaces_;
};

class exported_reader {
public:
    using json = nlohmann::ordered_json;

    explicit exported_reader(std::string const& folder)
        : path_(exported_path(folder, "documents.jsonl")),
          text_(read_file(path_)),
          lines_(text_, path_) {
        auto const schema_path = exported_path(folder, "schema.json");
        auto const schema = json::parse(read_file(schema_path), nullptr, false);
        with_json(
            [&] {
                if (schema.at("version").get<int>() != exported_version)
                    fail(errc::corrupt, join(schema_path, ": has a version that is not known"));
                fields_ = json_metadata_fields(schema.at("fields"));
                for (auto const& name : schema.at("vectors")) {
                    names_.push_back(name.get<std::string>());
                    auto const file = join("vectors-", spaces_.size(), ".npy");
                    spaces_.push_back(read_npy(exported_path(folder, file)));
                }
            },
            [&](std::string const&) {
                fail(errc::parse, join(schema_path, ": is no schema of exported documents"));
            });
        auto const first = exported_path(folder, "vector.npy");
        if (std::filesystem::exists(first)) first_ = read_npy(first);
    }
    exported_reader(exported_reader const&) = delete;
    exported_reader& operator=(exported_reader const&) = delete;

    [[nodiscard]] std::vector<metadata_field> const& fields() const noexcept { return fields_; }

    /// The next document; nothing after the last one.
    [[nodiscard]] std::optional<document> next() {
        for (std::string_view line; lines_.next(line);) {
            if (is_blank(line)) continue;
            auto const object = json::parse(line, nullptr, false);
            return with_json([&] { return std::optional(document_of(object)); },
                [&](std::string const& reason) { lines_.fail(errc::parse, reason); });
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] document document_of(json const& object) const {
        document out{.key = object.at("key").get<std::string>(),
            .title = object.value("title", std::string()),
            .text = object.at("text").get<std::string>(),
            .parent = object.value("parent", std::string())};
        auto const texts = object.value("texts", json::object());
        for (auto const& [field, text] : texts.items())
            out.texts.push_back({field, text.get<std::string>()});
        out.metadata = metadata_of(object.value("metadata", json::object()));
        if (object.contains("vector")) out.vector = row_of(first_, object["vector"]);
        auto const rows = object.value("vectors", json::object());
        for (auto const& [name, row] : rows.items()) {
            auto const at = std::find(names_.begin(), names_.end(), name);
            if (at == names_.end())
                lines_.fail(errc::parse, join("vector space '", name, "' is not in schema.json"));
            auto const& from = spaces_[static_cast<std::size_t>(at - names_.begin())];
            out.vectors.push_back({name, row_of(from, row)});
        }
        return out;
    }

    /// @throws trawl::error (parse), FILE:LINE: before what is wrong.
    [[nodiscard]] metadata metadata_of(json const& given) const {
#if TRAWL_HAS_EXCEPTIONS
        try {
            return converted(json_metadata(given), fields_);
        } catch (error const& e) {
            lines_.fail(errc::parse, e.what());
        }
#else
        return converted(json_metadata(given), fields_);
#endif
    }

    [[nodiscard]] std::vector<float> row_of(matrix<float> const& from, json const& row) const {
        auto const i = row.get<std::size_t>();
        if (i >= from.rows) lines_.fail(errc::corrupt, join("has vector ", i, ", of ", from.rows));
        auto const values = from.view().row(i);
        return {values.begin(), values.end()};
    }

    std::string path_;
    std::string text_;
    line_reader lines_;
    std::vector<metadata_field> fields_;
    matrix<float> first_;
    std::vector<std::string> names_;
    std::vector<matrix<float>> spaces_;
};

} // namespace detail
TRAWL_END_NAMESPACE
