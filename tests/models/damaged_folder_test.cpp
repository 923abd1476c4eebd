// SPDX-License-Identifier: MIT

// Folders of models whose files were changed, cut off, or taken away: each user's class gives an error that
// begins with a file's path, or works. What is read out of bounds is for the sanitizers to find.
#include <trawl/models/cross_encoder.hpp>
#include <trawl/models/late_interaction_encoder.hpp>
#include <trawl/models/sentence_encoder.hpp>
#include <trawl/models/static_embedding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"
#include "support/damaged.hpp"
#include "support/error_of.hpp"

namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

constexpr char const* models[] = {"bert_classifier", "distilbert", "late_interaction",
    "roberta_classifier", "sentence_bert", "static", "xlm_roberta"};

// A copy of a golden model without its expected outputs.
class copied_model {
public:
    explicit copied_model(std::string const& name) : path("damaged_" + name + ".tmp") {
        fs::remove_all(path);
        fs::create_directory(path);
        std::string const from = "tests/golden/models/" + name;
        for (auto const& entry : fs::recursive_directory_iterator(from)) {
            auto const inside = entry.path().lexically_relative(from).generic_string();
            if (!entry.is_regular_file() || inside.starts_with("golden/")
                || inside.starts_with("onnx/")) {
                continue;
            }
            fs::create_directories(fs::path(path + "/" + inside).parent_path());
            fs::copy_file(entry.path(), path + "/" + inside);
            files.push_back(inside);
        }
        std::sort(files.begin(), files.end());
    }
    copied_model(copied_model const&) = delete;
    copied_model& operator=(copied_model const&) = delete;
    ~copied_model() { fs::remove_all(path); }

    [[nodiscard]] std::string read(std::string const& file) const {
        return trawl::read_file(path + "/" + file);
    }
    void write(std::string const& file, std::string const& bytes) const {
        trawl::write_file(path + "/" + file, bytes);
    }

    std::string const path;
    std::vector<std::string> files = {};
};

template <class Embedder>
void embed_with(std::string const& folder) {
    auto const model = Embedder::open(folder);
    REQUIRE(model.dim() <= 4096); // nothing is made as large as a file claims
    std::vector<std::string_view> const texts{"Orders, returns: café 3.1", "", "x"};
    std::vector<float> out(texts.size() * model.dim());
    model.embed(texts, trawl::text_role::query, {out.data(), texts.size(), model.dim()});
}

void score_with(std::string const& folder) {
    auto const model = trawl::cross_encoder::open(folder);
    std::vector<trawl::candidate> const batch{{0, 0, "Backups are kept."}, {1, 0, ""}};
    std::vector<float> out(2);
    model({.text = "How long are backups kept?"}, batch, out);
}

// Opens the folder as each kind of model; counts what could be opened.
int check_all(std::string const& folder) {
    int working = 0;
    auto const check = [&](auto const& use) {
        try {
            use(folder);
            ++working;
        } catch (trawl::error const& e) {
            CHECK(std::string_view(e.what()).size() > 10);
        }
    };
    check(embed_with<trawl::sentence_encoder>);
    check(embed_with<trawl::static_embedding>);
    check(score_with);
    check([](std::string const& path) {
        static_cast<void>(trawl::late_interaction_encoder::open(path));
    });
    return working;
}

} // namespace

TEST_CASE("models whose files are whole work", "[models][bad]") {
    for (std::string const name : models) {
        CAPTURE(name);
        copied_model const model(name);
        CHECK(check_all(model.path) >= 1);
    }
}

TEST_CASE("a model with a file that was taken away is refused or works", "[models][bad]") {
    for (std::string const name : models) {
        copied_model const model(name);
        for (auto const& file : model.files) {
            CAPTURE(name, file);
            auto const bytes = model.read(file);
            fs::remove(model.path + "/" + file);
            auto const working = check_all(model.path);
            if (file == "config.json" && name != "static") CHECK(working == 0);
            if (file == "model.safetensors") CHECK(working == 0);
            model.write(file, "");
            check_all(model.path);
            model.write(file, bytes);
        }
    }
}

TEST_CASE("a model with three bytes changed, or cut off, is refused or works", "[models][bad]") {
    trawl::detail::random random(17);
    for (std::string const name : models) {
        copied_model const model(name);
        for (int round = 0; round < 60; ++round) {
            auto const& file = model.files[random.below(model.files.size())];
            CAPTURE(name, file, round);
            auto const bytes = model.read(file);
            model.write(file, support::damaged(bytes, round, random));
            check_all(model.path);
            model.write(file, bytes);
        }
    }
}

TEST_CASE("a configuration with another number is refused or works", "[models][bad]") {
    for (std::string const name : models) {
        copied_model const model(name);
        auto const bytes = model.read("config.json");
        auto const config = json::parse(bytes);
        for (auto const& item : config.items()) {
            if (!item.value().is_number()) continue;
            for (auto const& value : std::vector<json>{0, -1, 1, 3, 16777215, 16777216, 4294967297,
                     18446744073709551615u, 1e308, 0.5, nullptr, "32", json::array({32})}) {
                CAPTURE(name, item.key(), value.dump());
                auto changed = config;
                changed[item.key()] = value;
                model.write("config.json", changed.dump());
                check_all(model.path);
            }
        }
        model.write("config.json", bytes);
    }
}

TEST_CASE("weights of another shape, type or name are refused or not needed", "[models][bad]") {
    for (std::string const name : models) {
        copied_model const model(name);
        auto const bytes = model.read("model.safetensors");
        std::uint64_t length = 0;
        for (std::size_t i = 8; i > 0; --i)
            length = length * 256 + static_cast<unsigned char>(bytes[i - 1]);
        auto const header = json::parse(bytes.substr(8, length));
        auto const write = [&](json const& changed) {
            auto const text = changed.dump();
            std::string out;
            for (std::size_t i = 0; i < 8; ++i)
                out += static_cast<char>(text.size() >> (8 * i) & 255u);
            model.write("model.safetensors", out + text + bytes.substr(8 + length));
        };
        write(header);
        CHECK(check_all(model.path) >= 1);
        for (auto const& item : header.items()) {
            if (item.key() == "__metadata__") continue;
            CAPTURE(name, item.key());
            auto const shape = item.value().at("shape").get<std::vector<std::size_t>>();
            auto const try_shape = [&](json const& other) {
                auto changed = header;
                changed[item.key()]["shape"] = other;
                write(changed);
                return check_all(model.path);
            };
            std::size_t size = 1;
            for (auto const side : shape) size *= side;
            // As many values, otherwise arranged: only what reads the tensor must refuse it.
            try_shape({size, 1});
            try_shape({1, size});
            if (shape.size() == 2 && shape[0] != shape[1]) try_shape({shape[1], shape[0]});
            CHECK(try_shape({size * 2}) == 0); // more than its bytes
            CHECK(try_shape({std::uint64_t{1} << 62, 4}) == 0);
            if (size > 1) CHECK(try_shape(json::array()) == 0);
            auto changed = header;
            changed[item.key()]["dtype"] = "I64";
            write(changed);
            CHECK(check_all(model.path) == 0); // another number of bytes
            changed = header;
            changed["another name"] = changed[item.key()];
            changed.erase(item.key());
            write(changed);
            check_all(model.path);
        }
        for (std::size_t const cut :
            {std::size_t{0}, std::size_t{7}, std::size_t{8}, 8 + length, bytes.size() - 1}) {
            model.write("model.safetensors", bytes.substr(0, cut));
            CHECK(check_all(model.path) == 0);
        }
    }
}
