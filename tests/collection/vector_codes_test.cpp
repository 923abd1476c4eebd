// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/detail/random.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/file_sections.hpp"

namespace fs = std::filesystem;
using support::error_of;
using trawl::collection;
using trawl::field;

namespace {

constexpr std::size_t dim = 96;
constexpr std::size_t documents = 5000; // more than 4096: coded
std::string const path = "vector_codes_test.tmp";

struct folder {
    folder() { fs::remove_all(path); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { fs::remove_all(path); }
};

/// Vectors as of texts: off the origin, and spread along twelve directions more than along others.
class vectors_by_chance {
public:
    explicit vectors_by_chance(std::uint64_t seed) : random_(seed), directions_(12 * dim) {
        for (auto& value : directions_) value = static_cast<float>(random_.normal());
    }
    std::vector<float> operator()() {
        std::vector<float> made(dim);
        for (auto& value : made) value = static_cast<float>(0.5 + 0.5 * random_.normal());
        for (std::size_t d = 0; d < 12; ++d) {
            auto const along = static_cast<float>(random_.normal());
            for (std::size_t i = 0; i < dim; ++i) made[i] += along * directions_[d * dim + i];
        }
        return made;
    }

private:
    trawl::detail::random random_;
    std::vector<float> directions_;
};

double cosine(std::span<float const> a, std::span<float const> b) {
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += double{a[i]} * double{b[i]};
        aa += double{a[i]} * double{a[i]};
        bb += double{b[i]} * double{b[i]};
    }
    return ab / std::sqrt(aa * bb);
}

/// A collection and what it should hold.
struct notes_and_vectors {
    collection notes;
    std::map<std::string, std::vector<float>> vectors = {};
    vectors_by_chance make{1};

    static trawl::collection_options options() {
        return {.fields = {{"part", trawl::integer_field}},
            .vectors = {{.dim = dim}},
            .chunks = std::nullopt};
    }

    notes_and_vectors() : notes(collection::open(path, options())) {
        put(0, documents);
        notes.commit();
    }

    void put(std::size_t first, std::size_t last) {
        std::vector<trawl::document> given;
        for (auto i = first; i < last; ++i) {
            auto const key = "doc" + std::to_string(i);
            vectors[key] = make();
            given.push_back({.key = key,
                .text = "text",
                .metadata = {{"part", static_cast<int>(i % 100)}},
                .vector = vectors[key]});
        }
        notes.put_all(std::move(given));
    }

    /// That every hit has the cosine of its own vector, that there are 10, best first, and that all
    /// but a few of the best ten are there.
    void check(std::vector<std::vector<float>> const& questions) const {
        std::size_t found = 0;
        for (auto const& question : questions) {
            std::vector<std::pair<double, std::string>> best;
            for (auto const& [key, vector] : vectors)
                best.emplace_back(-cosine(question, vector), key);
            std::partial_sort(best.begin(), best.begin() + 10, best.end());
            auto const result = notes.search("", {.vector = question});
            REQUIRE(result.size() == 10);
            for (std::size_t i = 0; i < 10; ++i) {
                auto const& hit = result.hits[i];
                REQUIRE(vectors.contains(hit.key));
                CHECK(std::abs(double{hit.score} - cosine(question, vectors.at(hit.key))) < 1e-6);
                CHECK((i == 0 || result.hits[i - 1].score >= hit.score));
                for (std::size_t b = 0; b < 10; ++b) found += best[b].second == hit.key ? 1u : 0u;
            }
        }
        CHECK(static_cast<double>(found) >= 0.98 * 10 * static_cast<double>(questions.size()));
    }
};

std::vector<std::vector<float>> questions_by_chance(std::size_t count) {
    vectors_by_chance make(1); // the same directions
    for (std::size_t i = 0; i < documents + 2000; ++i) static_cast<void>(make());
    std::vector<std::vector<float>> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(make());
    return made;
}

std::vector<std::pair<std::string, float>> keys_and_scores(trawl::collection_result const& from) {
    std::vector<std::pair<std::string, float>> made;
    for (auto const& hit : from) made.emplace_back(hit.key, hit.score);
    return made;
}

/// The segments that the directory holds.
std::vector<std::string> segments() {
    std::vector<std::string> found;
    for (auto const& file : fs::directory_iterator(path))
        if (file.path().extension() == ".segment") found.push_back(file.path().string());
    std::sort(found.begin(), found.end());
    return found;
}

constexpr char const* code_sections[] = {
    "v0 code head", "v0 centre", "v0 slopes", "v0 bases", "v0 codes"};

bool has_codes(std::string const& segment) {
    return trawl::section_file(segment).has("v0 code head");
}

void remove_codes(std::string const& segment) {
    auto parts = support::file_sections::of(segment);
    std::erase_if(parts.sections, [](auto const& section) {
        return std::find(std::begin(code_sections), std::end(code_sections), section.first)
               != std::end(code_sections);
    });
    parts.write(segment);
}

} // namespace

TEST_CASE("hits found by codes have exact scores, the same at every call", "[collection][codes]") {
    folder const here;
    notes_and_vectors const of;
    REQUIRE(has_codes(segments().at(0)));
    auto const questions = questions_by_chance(12);
    of.check(questions);

    // Bit for bit those of a flat_index of the same vectors, whose ids are the same.
    trawl::flat_index flat(dim);
    for (std::size_t i = 0; i < documents; ++i) flat.add(of.vectors.at("doc" + std::to_string(i)));
    trawl::thread_executor const pool(2);
    std::size_t missed = 0;
    for (auto const& question : questions) {
        auto const found = of.notes.search("", {.vector = question});
        for (auto const& hit : found)
            CHECK(flat.score({.vector = question}, {&hit.id, 1}).at(0).score == hit.score);
        CHECK(keys_and_scores(of.notes.search("", {.vector = question, .executor = &pool}))
              == keys_and_scores(found));
        auto const exact = of.notes.search("", {.vector = question, .exact = true});
        trawl::ranking as_flat;
        for (auto const& hit : exact) as_flat.push_back({hit.id, hit.score});
        CHECK(as_flat == flat.search(question, 10));
        for (auto const& [key, score] : keys_and_scores(exact)) {
            missed += std::none_of(found.begin(), found.end(),
                          [&, k = key](auto const& hit) { return hit.key == k; })
                          ? 1u
                          : 0u;
        }
    }
    CHECK(missed <= 2); // of 120
    CHECK(keys_and_scores(
              collection::open(path, {.read_only = true}).search("", {.vector = questions[0]}))
          == keys_and_scores(of.notes.search("", {.vector = questions[0]})));
}

TEST_CASE("few eligible documents are searched exactly", "[collection][codes]") {
    folder const here;
    notes_and_vectors const of;
    for (auto const& question : questions_by_chance(4)) {
        for (auto const& where : {field("part") == 7, field("part") < 80}) { // 50 and 4000
            CHECK(keys_and_scores(of.notes.search("", {.where = where, .vector = question}))
                  == keys_and_scores(
                      of.notes.search("", {.where = where, .vector = question, .exact = true})));
        }
        // 4500: by codes.
        for (auto const& hit :
            of.notes.search("", {.where = field("part") < 90, .vector = question})) {
            CHECK(hit.metadata.at("part").as_integer() < 90);
            CHECK(std::abs(double{hit.score} - cosine(question, of.vectors.at(hit.key))) < 1e-6);
        }
    }
}

TEST_CASE(
    "a collection without codes is searched exactly until it is compacted", "[collection][codes]") {
    folder const here;
    auto const questions = questions_by_chance(4);
    std::vector<std::vector<std::pair<std::string, float>>> exact;
    {
        notes_and_vectors const of;
        for (auto const& question : questions)
            exact.push_back(
                keys_and_scores(of.notes.search("", {.vector = question, .exact = true})));
    }
    remove_codes(segments().at(0));
    auto notes = collection::open(path);
    notes.verify();
    for (std::size_t i = 0; i < questions.size(); ++i)
        CHECK(keys_and_scores(notes.search("", {.vector = questions[i]})) == exact[i]);
    notes.compact();
    REQUIRE(segments().size() == 1);
    CHECK(has_codes(segments()[0]));
    auto const compacted = segments();
    notes.compact(); // now there is nothing to do
    CHECK(segments() == compacted);
    notes.verify();
    for (std::size_t i = 0; i < questions.size(); ++i)
        CHECK(
            keys_and_scores(notes.search("", {.vector = questions[i], .exact = true})) == exact[i]);
}

TEST_CASE("what is erased, replaced and compacted is found by its codes as it is now",
    "[collection][codes]") {
    folder const here;
    notes_and_vectors of;
    auto const questions = questions_by_chance(6);
    of.put(4900, 5100); // 100 replaced, 100 new, in a segment without codes
    for (std::size_t i = 0; i < 200; ++i) {
        CHECK(of.notes.erase("doc" + std::to_string(i)));
        of.vectors.erase("doc" + std::to_string(i));
    }
    of.notes.commit();
    REQUIRE(segments().size() == 2);
    of.check(questions);
    of.notes.compact();
    REQUIRE(segments().size() == 1);
    CHECK(has_codes(segments()[0]));
    of.check(questions);
    of.notes.verify();
    of.notes.erase(field("part") < 50);
    std::erase_if(
        of.vectors, [](auto const& each) { return std::stoul(each.first.substr(3)) % 100 < 50; });
    of.notes.commit(); // 2450 are left: compared exactly, and too few for codes
    of.check(questions);
    of.notes.compact();
    CHECK_FALSE(has_codes(segments().at(0)));
    of.check(questions);
}

TEST_CASE("damaged codes are refused or cost hits, and no score is wrong", "[collection][codes]") {
    folder const here;
    auto const questions = questions_by_chance(2);
    notes_and_vectors of;
    auto const segment = segments().at(0);
    auto const whole = support::file_sections::of(segment);
    auto const reopened = [&](support::file_sections const& parts) {
        parts.write(path + "/other");
        fs::rename(path + "/other", segment);
        return collection::open(path, {.read_only = true});
    };
    for (auto const* const name : code_sections) {
        CAPTURE(name);
        auto shorter = whole;
        shorter[name].resize(shorter[name].size() - 4);
        auto const thrown = error_of([&] { static_cast<void>(reopened(shorter)); });
        CHECK(thrown.code == trawl::errc::corrupt);
        CHECK(thrown.text.starts_with(segment));
    }
    auto unknown = whole;
    unknown.set("v0 code head", 0, std::uint32_t{9});
    CHECK(error_of([&] { static_cast<void>(reopened(unknown)); }).names("unknown kind 9"));

    constexpr float bad[] = {std::numeric_limits<float>::quiet_NaN(),
        std::numeric_limits<float>::infinity(), (std::numeric_limits<float>::max)()};
    for (auto const value : bad) {
        auto changed = whole;
        for (std::size_t i = 0; i < documents; i += 3) changed.set("v0 slopes", i, value);
        changed.set("v0 bases", 5, value);
        auto const notes = reopened(changed);
        for (auto const& question : questions) {
            auto const found = notes.search("", {.vector = question});
            CHECK(found.size() == 10);
            for (auto const& hit : found)
                CHECK(
                    std::abs(double{hit.score} - cosine(question, of.vectors.at(hit.key))) < 1e-6);
        }
        if (std::isfinite(value)) {
            notes.verify();
        } else {
            CHECK(error_of([&] { notes.verify(); }).names("document 0"));
        }
    }
    auto zeros = whole;
    std::fill(zeros["v0 codes"].begin(), zeros["v0 codes"].end(), std::byte{0});
    for (auto const& hit : reopened(zeros).search("", {.vector = questions[0]}))
        CHECK(std::abs(double{hit.score} - cosine(questions[0], of.vectors.at(hit.key))) < 1e-6);
}

TEST_CASE(
    "vectors and questions that no code can hold are compared exactly", "[collection][codes]") {
    folder const here;
    notes_and_vectors of;
    auto questions = questions_by_chance(2);
    for (auto& value : questions[1]) value *= 1e-20f;
    for (auto const& question : questions) {
        CHECK(
            keys_and_scores(of.notes.search("", {.vector = question, .exact = true})).size() == 10);
        of.check({question});
    }
    auto& tiny = of.vectors["tiny"] = questions[0];
    for (auto& value : tiny) value *= 1e-20f;
    of.notes.put({.key = "tiny", .text = "text", .vector = tiny});
    of.notes.commit();
    of.notes.compact();
    CHECK_FALSE(has_codes(segments().at(0)));
    CHECK(of.notes.search("", {.vector = questions[0]}).hits.at(0).key == "tiny");
    auto const before = segments();
    of.notes.compact(); // again would not give any
    CHECK(segments() == before);
}
