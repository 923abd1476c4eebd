// SPDX-License-Identifier: MIT
// Each case must be refused by the compiler. Number them without gaps.
#include <trawl/core.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace {

struct not_const {
    trawl::ranking search(trawl::query const&, trawl::search_options const&) { return {}; }
};

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
}

} // namespace
