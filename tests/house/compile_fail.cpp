// SPDX-License-Identifier: MIT
// Each case must be refused by the compiler, in the words behind "says:". Number them without gaps.
#include <trawl/core.hpp>
#include <trawl/pipeline/hybrid_search.hpp>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct not_const {
    trawl::ranking search(trawl::query const&, trawl::search_options const&) { return {}; }
};

struct arm {
    trawl::ranking search(trawl::query const&, trawl::search_options const&) const { return {}; }
};

[[maybe_unused]] void score_nothing(
    trawl::query const&, std::span<trawl::candidate const>, std::span<float> out) {
    for (auto& x : out) x = 0;
}
[[maybe_unused]] std::string_view no_text(trawl::doc_id) { return {}; }

template <trawl::retriever R>
constexpr bool accepts(R const&) {
    return true;
}

[[maybe_unused]] void cases() {
#if CASE == 1 // a retriever whose search is not const
    static_cast<void>(accepts(not_const{}));
#endif
#if CASE == 2 // a filter from a temporary set of numbers
    static_cast<void>(trawl::filter(std::vector<trawl::doc_id>{1, 2}));
#endif
#if CASE == 3 // [[nodiscard]]: a ranking thrown away
    trawl::top_k best(1);
    best.take();
#endif
#if CASE == 4 // an arm whose search is not const
    static_cast<void>(trawl::hybrid_search{not_const{}});
#endif
#if CASE == 5 // a search over nothing
    static_cast<void>(trawl::hybrid_search{});
#endif
#if CASE == 6 // two fusion rules
    static_cast<void>(trawl::hybrid_search{arm{}}.fuse(trawl::rrf{}).fuse(trawl::rrf{}));
#endif
#if CASE == 7 // a fusion rule after a stage
    static_cast<void>(
        trawl::hybrid_search{arm{}}.rerank(score_nothing, no_text).fuse(trawl::rrf{}));
#endif
#if CASE == 8 // a pipeline that has been built is not built further
    auto const search = trawl::hybrid_search{arm{}};
    static_cast<void>(search.window(10));
#endif
#if CASE == 9 // nor is one that has a name
    auto search = trawl::hybrid_search{arm{}};
    static_cast<void>(search.fuse(trawl::rrf{}));
#endif
#if CASE == 10 // says: trawl::save: include <trawl/lexical/storage.hpp>
    trawl::save(arm{}, "path");
#endif
#if CASE == 11 // says: trawl::open: include <trawl/lexical/storage.hpp>
    static_cast<void>(trawl::open<arm>("path"));
#endif
}

} // namespace
