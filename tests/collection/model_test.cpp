// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

namespace fs = std::filesystem;
using trawl::collection;
using trawl::field;

namespace {

struct kept_document {
    std::uint64_t order = 0; ///< of the puts
    trawl::document given;
};
using model = std::map<std::string, kept_document>;

/// A collection and what it must hold, in a std::map.
class history {
public:
    history(std::uint64_t seed, bool on_disk) : random(seed), on_disk_(on_disk) {
        fs::remove_all(path);
        open();
    }
    history(history const&) = delete;
    history& operator=(history const&) = delete;
    ~history() { fs::remove_all(path); }

    void put() {
        auto given = some_document();
        pending[given.key] = {++order_, given};
        notes->put(std::move(given));
    }
    void put_several() {
        std::vector<trawl::document> several;
        for (auto n = random.below(20); n > 0; --n) {
            several.push_back(some_document());
            pending[several.back().key] = {++order_, several.back()};
        }
        notes->put_all(std::move(several));
    }
    void erase() {
        auto const key = some_key();
        CHECK(notes->erase(key) == (pending.erase(key) > 0));
    }
    void erase_where() {
        auto const version = std::to_string(random.below(4));
        auto const count = std::erase_if(pending, [&](auto const& each) {
            auto const* const value = each.second.given.metadata.find("version");
            return value != nullptr && value->as_text() == version;
        });
        CHECK(notes->erase(field("version") == version) == count);
    }
    void commit() {
        notes->commit();
        committed = pending;
    }
    void rollback() {
        notes->rollback();
        pending = committed;
    }
    void reopen() {
        pending = committed;
        if (!on_disk_) return notes->rollback();
        notes.reset();
        open();
    }
    void compact() { notes->compact(); }
    void maintain() { static_cast<void>(notes->maintain()); }

    [[nodiscard]] static trawl::collection_options options() {
        return {.fields = {{"version", trawl::text_field}, {"n", trawl::integer_field}},
            .vectors = {{.dim = 2}},
            .chunks = trawl::chunk_options{.tokens = 8, .overlap = 2}};
    }

    /// The same documents in a collection that was never changed.
    [[nodiscard]] static collection fresh(model const& documents) {
        std::vector<kept_document> all;
        for (auto const& [key, kept] : documents) all.push_back(kept);
        std::sort(all.begin(), all.end(),
            [](kept_document const& a, kept_document const& b) { return a.order < b.order; });
        std::vector<trawl::document> given;
        for (auto const& each : all) given.push_back(each.given);
        auto made = collection::in_memory(options());
        made.put_all(std::move(given));
        made.commit();
        return made;
    }

    std::string some_words() {
        static constexpr char const* known[] = {
            "refund", "money", "printer", "ink", "ticket", "cache", "PROD-4817", "lock."};
        std::string made;
        for (auto n = 1 + random.below(24); n > 0; --n) {
            made += known[random.below(std::size(known))];
            made += random.below(9) == 0 ? "\n\n" : " ";
        }
        return made;
    }

    static inline std::string const path = "model_test.tmp";
    trawl::detail::random random;
    std::optional<collection> notes;
    model committed;
    model pending;

private:
    void open() {
        auto with = options();
        with.merge_on_commit = random.below(2) == 0;
        notes.emplace(on_disk_ ? collection::open(path, with) : collection::in_memory(with));
    }
    [[nodiscard]] std::string some_key() { return "k" + std::to_string(random.below(60)); }
    [[nodiscard]] trawl::document some_document() {
        trawl::document made{.key = some_key(), .title = some_words(), .text = some_words()};
        if (random.below(4) > 0) made.metadata.set("version", std::to_string(random.below(4)));
        if (random.below(2) > 0) made.metadata.set("n", static_cast<int>(random.below(9)));
        if (random.below(3) == 0) {
            made.vector = {
                static_cast<float>(random.below(5)), static_cast<float>(random.below(5))};
        }
        if (random.below(5) == 0) made.parent = "p" + std::to_string(random.below(3));
        return made;
    }

    bool on_disk_;
    std::uint64_t order_ = 0;
};

void check_search(trawl::collection_view const& view, trawl::collection_view const& expected,
    std::string const& text, trawl::collection_search_options const& asked) {
    CAPTURE(text);
    auto const a = view.search(text, asked);
    auto const b = expected.search(text, asked);
    REQUIRE(a.size() == b.size());
    CHECK(a.matches == b.matches);
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto const& x = a.hits[i];
        auto const& y = b.hits[i];
        CHECK(x.key == y.key);
        CHECK(x.score == y.score);
        CHECK(x.text == y.text);
        CHECK(x.snippet == y.snippet);
        CHECK(x.parent == y.parent);
        CHECK(x.metadata == y.metadata);
        for (std::size_t arm = 0; arm < x.arms.size(); ++arm)
            CHECK(x.arms[arm].score == y.arms[arm].score);
    }
    REQUIRE(a.facets.size() == b.facets.size());
    for (std::size_t i = 0; i < a.facets.size(); ++i)
        CHECK(a.facets[i].values == b.facets[i].values);
}

void check(trawl::collection_view const& view, model const& documents, history& of) {
    REQUIRE(view.size() == documents.size());
    for (auto const& [key, kept] : documents) {
        CAPTURE(key);
        auto const found = view.get(key);
        REQUIRE(found);
        CHECK(*found == kept.given);
    }
    std::size_t keys = 0;
    view.for_each_key([&](std::string_view key) {
        ++keys;
        return documents.contains(std::string(key));
    });
    CHECK(keys == documents.size());
    auto const fresh = history::fresh(documents);
    auto const& all = fresh.all();
    CHECK(view.passages() == all.passages());
    std::vector<float> const vector{1, 2};
    auto const where = field("version") == "1" || field("n") > 5;
    check_search(view, all, of.some_words(), {.count = true, .facets = {"version", "n"}});
    check_search(view, all, "+refund -printer", {.where = where, .vector = vector, .count = true});
    check_search(view, all, "\"money printer\" ink", {.per_parent = 1, .vector = vector});
    check_search(
        view, all, "refund money", {.vector = vector, .fusion = trawl::collection_fusion::rrf});
    check_search(view, all, "", {.k = 100, .where = where, .count = true});
    check_search(view, all, "ink", {.k = 7, .sort = trawl::field_order{"n"}});
    check_search(view.view(where), all.view(where), "refund ink", {.vector = vector});
    CHECK(view.completions("p") == all.completions("p"));
    for (auto const& hit : view.search("refund", {.vector = vector}))
        CHECK(view.explain("refund", hit.key, {.vector = vector}).value
              == static_cast<double>(hit.score));
}

} // namespace

TEST_CASE("any history gives what a collection of its documents gives", "[collection][model]") {
    auto const seed = GENERATE(range(1u, 5u));
    auto const on_disk = GENERATE(false, true);
    CAPTURE(seed, on_disk);
    history all(seed, on_disk);
    std::optional<collection> reader;
    std::optional<trawl::collection_view> snapshot;
    model at_snapshot;
    for (int step = 0; step < 60; ++step) {
        CAPTURE(step);
        switch (all.random.below(12)) {
        case 0:
        case 1:
        case 2:
            all.put();
            break;
        case 3:
            all.put_several();
            break;
        case 4:
            all.erase();
            break;
        case 5:
            if (all.random.below(4) == 0) all.erase_where();
            break;
        case 6:
        case 7:
        case 8:
            all.commit();
            break;
        case 9:
            if (all.random.below(3) == 0) all.rollback();
            break;
        case 10:
            if (all.random.below(2) == 0) all.reopen();
            break;
        default:
            if (all.random.below(2) == 0) {
                all.compact();
            } else {
                all.maintain();
            }
            break;
        }
        if (step % 6 == 5) {
            check(all.notes->all(), all.committed, all);
            all.notes->verify();
        }
        if (step % 20 == 10) {
            snapshot = all.notes->snapshot();
            at_snapshot = all.committed;
            if (on_disk) {
                auto options = history::options();
                options.read_only = true;
                if (!reader) reader.emplace(collection::open(history::path, options));
                static_cast<void>(reader->refresh());
                check(reader->all(), all.committed, all);
            }
        }
        if (snapshot && step % 20 == 19) check(*snapshot, at_snapshot, all);
    }
}
