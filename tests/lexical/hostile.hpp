// SPDX-License-Identifier: MIT
#pragma once

/// What must hold of a lexical file whatever its sections hold, for tests and the fuzzer.

#include <cstddef>
#include <string>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/lexical/bm25f_storage.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/storage.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

#include "support/file_sections.hpp"

namespace hostile {

using trawl::doc_id;

using text_index = trawl::basic_bm25_index<trawl::english_analyzer>;
using field_index = trawl::basic_bm25f_index<trawl::english_analyzer>;

inline constexpr doc_id documents = 300;

inline std::string text_of(doc_id i) {
    return (i % 50 == 0 ? "all all all running w" : "all w") + std::to_string(i % 3) + " w"
           + std::to_string(i % 7) + " open-source w" + std::to_string(i);
}

inline void add(text_index& index, doc_id id) { index.add(id, text_of(id)); }
inline void add(field_index& index, doc_id id) {
    index.add(id, {"w" + std::to_string(id % 5), text_of(id)});
}
inline void update(text_index& index, doc_id id) { index.update(id, "all new"); }
inline void update(field_index& index, doc_id id) { index.update(id, {"all", "new"}); }

/// A file that is whole, taken apart. Its ids have gaps.
template <class Index>
support::file_sections saved(bool positions, std::string const& path) {
    auto made = [&] {
        if constexpr (requires(Index const& i) { i.fields(); })
            return Index({{"title", 2, 1.0}, {"text"}}, {}, {.positions = positions});
        else
            return Index({}, {.positions = positions});
    }();
    for (doc_id id = 0; id < documents; ++id) add(made, id + id / 100);
    trawl::save(made, path);
    return support::file_sections::of(path);
}

/// Collects the first law that something breaks.
class law_check {
public:
    void require(bool holds, char const* law) {
        if (!holds && broken_ == nullptr) broken_ = law;
    }
    /// Null: none.
    [[nodiscard]] char const* broken() const noexcept { return broken_; }

    template <class Index>
    void ranking(trawl::ranking const& hits, Index const& index, trawl::filter where = {}) {
        require(hits.size() <= index.size(), "no more hits than documents");
        for (std::size_t i = 0; i < hits.size(); ++i) {
            require(trawl::detail::is_finite(hits[i].score), "scores are finite");
            require(where.admits(hits[i].id), "hits lie inside the filter");
            require(i == 0 || trawl::by_rank{}(hits[i - 1], hits[i]), "hits are in order");
        }
    }

    template <class Index>
    void answers(Index const& index, bool positions) {
        using namespace trawl::ask;
        trawl::doc_set const some(documents, {1, 17, 150, 299});
        std::vector<doc_id> ids;
        for (doc_id id = 0; id < documents + 5; id += 3) ids.push_back(id);
        for (auto const* const text : {"all w1", "w0 w2 w5 w6 running", "w17", "unknown"}) {
            trawl::query const q{.text = text};
            for (std::size_t const k : {1u, 10u, 1000u}) {
                ranking(index.search(text, k), index);
                ranking(index.search(text, k, some), index, some);
            }
            ranking(index.search(q, {.where = some, .statistics = trawl::statistics::eligible}),
                index, some);
            for (auto const& h : index.score(q, ids))
                require(trawl::detail::is_finite(h.score), "scores are finite");
            for (doc_id const id : {0u, 17u, 298u})
                require(trawl::adds_up(index.explain(q, id)), "explanations add up");
        }
        auto const tree =
            positions
                ? any_of({phrase("w1 w2", 2), phrase("all w0"), prefix("w1"), fuzzy("w22", 1),
                             every("open-source")})
                      .without(words("w6"))
                : any_of({prefix("w1"), fuzzy("w22", 1), every("all w2")}).without(words("w6"));
        ranking(index.search(tree, 10), index);
        ranking(index.search(tree, 1000, some), index, some);
        static_cast<void>(index.score(tree, ids));
        require(trawl::adds_up(index.explain(tree, 17)), "explanations add up");
        static_cast<void>(index.matching(tree));
    }

    /// Opens a file and asks; then, where `steps` has these bits, changes it and asks again, compacts
    /// and freezes it and asks again, saves and reopens what it has become and asks again.
    /// @throws trawl::error.
    enum step : unsigned { changed = 1, compacted = 2, reopened = 4 };
    template <class Index>
    void all(std::string const& path, bool positions, unsigned steps = 7) {
        auto index = trawl::open<Index>(path, {.verify = trawl::verification::all});
        answers(index, positions);
        if ((steps & changed) != 0) {
            for (doc_id id = 1; id < documents; id += 2) index.erase(id);
            if (index.next_id() < 1'000'000) {
                for (int i = 0; i < 70; ++i) add(index, index.next_id());
                update(index, 4);
            }
            answers(index, positions);
        }
        if ((steps & reopened) != 0) trawl::save(index, path + "2");
        if ((steps & compacted) != 0) {
            index.compact();
            if constexpr (requires { index.freeze(); }) index.freeze();
            answers(index, positions);
        }
        if ((steps & reopened) != 0) {
            trawl::save(index, path + "2");
            answers(trawl::open<Index>(path + "2"), positions);
        }
    }

private:
    char const* broken_ = nullptr;
};

} // namespace hostile
