// SPDX-License-Identifier: MIT
#pragma once

/// What must hold of a collection whatever its files hold, for tests and the fuzzer.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/collection.hpp>
#include <trawl/detail/floating_point.hpp>

#include "golden/collection/first_format.hpp"

namespace hostile {

/// Writes a collection whose files have every kind of section: two segments, the first with gaps
/// between ids and with erased rows.
inline void write_collection(std::string const& path) {
    std::filesystem::remove_all(path);
    auto made = trawl::collection::open(path, first_format::options());
    first_format::fill(made);
}

/// Uses collections and remembers the first law that one breaks.
class collection_check {
public:
    /// Null: none.
    [[nodiscard]] char const* broken() const noexcept { return broken_; }
    /// What the error that broke it said.
    [[nodiscard]] std::string const& message() const noexcept { return message_; }

    /// Opens a collection, asks it everything, verifies and, if asked for, compacts it.
    /// @return whether verify() found all well.
    bool all(std::string const& path, bool change) {
        auto with = first_format::options();
        with.read_only = !change;
        bool whole = false;
        attempt(path, [&] {
            auto notes = trawl::collection::open(path, with);
            ask(notes.all(), path);
            ask(notes.view(trawl::field("version") == "3.1"), path);
            attempt(path, [&] {
                notes.verify();
                whole = true;
            });
            if (!change) return;
            notes.put({.key = "another", .text = "Another refund."});
            static_cast<void>(notes.erase("old.md"));
            notes.commit();
            require(notes.get("another").has_value(), "what is put is there");
            require(!notes.get("old.md"), "what is erased is not");
            notes.compact();
            ask(notes.all(), path);
        });
        return whole;
    }

private:
    void require(bool holds, char const* law) {
        if (!holds && broken_ == nullptr) broken_ = law;
    }

    template <class Action>
    void attempt(std::string const& path, Action action) {
        try {
            action();
        } catch (trawl::error const& e) {
            if (std::string_view(e.what()).find(path) != std::string_view::npos
                || e.code() != trawl::errc::corrupt)
                return;
            if (broken_ == nullptr) message_ = e.what();
            require(false, "an error of damage names the file");
        }
    }

    void ask(trawl::collection_view const& notes, std::string const& path) {
        std::vector<float> const vector{1, 0};
        auto const search = [&](char const* text,
                                trawl::collection_search_options const& how = {}) {
            attempt(path, [&] {
                auto const found = notes.search(text, how);
                require(found.size() <= how.k, "no more hits than asked for");
                for (auto const& hit : found) {
                    require(trawl::detail::is_finite(hit.score), "scores are finite");
                    attempt(path, [&] { static_cast<void>(notes.explain(text, hit.key, how)); });
                    attempt(path, [&] { static_cast<void>(notes.get(hit.document)); });
                }
            });
        };
        attempt(path, [&] { static_cast<void>(first_format::answers(notes)); });
        search("refund for PROD-4817", {.k = 3, .per_parent = 1, .count = true, .suggest = true});
        search("+refund -ink title:guide \"three days\" gu*");
        search("refund",
            {.where = trawl::field("tags").contains("refund") && trawl::field("pages") > 0,
                .fusion = trawl::collection_fusion::rrf,
                .statistics = trawl::statistics::eligible});
        search("", {.vectors = {{"place", vector}}, .weights = {0, 1, 1}});
        search("", {.sort = trawl::field_order{"published", true},
                       .count = true,
                       .facets = {"version", "tags", "pages", "price", "draft", "published"}});
        attempt(path, [&] {
            static_cast<void>(notes.completions("re"));
            static_cast<void>(notes.corrected("refnd monye"));
            static_cast<void>(notes.size() + notes.passages());
            std::vector<std::string> keys;
            notes.for_each_key([&](std::string_view key) {
                keys.emplace_back(key);
                return true;
            });
            for (auto const& key : keys) static_cast<void>(notes.get(key));
        });
    }

    char const* broken_ = nullptr;
    std::string message_ = {};
};

} // namespace hostile
