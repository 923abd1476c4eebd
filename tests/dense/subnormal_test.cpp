// SPDX-License-Identifier: MIT
// A host that flushes subnormal floats to zero: what docs/vectors.md says still holds.
#include <trawl/dense/quantised_index.hpp>

#include <trawl/detail/floating_point.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"

#if TRAWL_X86_64 && defined(__GNUC__)

#include <xmmintrin.h>

namespace {

// FTZ and DAZ, as linking with -ffast-math sets them.
class flush_to_zero {
public:
    flush_to_zero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040u); }
    flush_to_zero(flush_to_zero const&) = delete;
    ~flush_to_zero() { _mm_setcsr(before_); }

private:
    unsigned before_;
};

template <class Index>
std::vector<trawl::ranking> found(trawl::metric how, float scale) {
    trawl::detail::random random(11);
    auto data = random_matrix(random, 600, 40);
    for (auto& v : data.values) v *= scale;
    Index index = [&] {
        if constexpr (std::is_same_v<Index, trawl::int8_index>) {
            return Index(40, {.metric = how});
        } else {
            return Index(40, how);
        }
    }();
    index.add_all(data);
    return index.search(trawl::matrix_view<float const>{data.values.data(), 20, 40}, {.k = 30});
}

} // namespace

TEST_CASE("scores that meet no subnormal number keep their bits under FTZ and DAZ",
    "[dense][subnormal]") {
    for (auto const how :
        {trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean}) {
        CAPTURE(trawl::name_of(how));
        auto const floats = found<trawl::flat_index>(how, 1);
        auto const halves = found<trawl::float16_index>(how, 1);
        auto const bytes = found<trawl::int8_index>(how, 1);
        flush_to_zero const flushed;
        CHECK(found<trawl::flat_index>(how, 1) == floats);
        CHECK(found<trawl::float16_index>(how, 1) == halves);
        CHECK(found<trawl::int8_index>(how, 1) == bytes);
    }
}

TEST_CASE(
    "the order holds under FTZ and DAZ, whatever meets subnormal numbers", "[dense][subnormal]") {
    flush_to_zero const flushed;
    for (float const scale : {1e-18f, 1e-20f, 1e-22f, 1e-38f, 1e-41f}) {
        for (auto const how :
            {trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean}) {
            CAPTURE(scale, trawl::name_of(how));
            for (auto const& hits : found<trawl::flat_index>(how, scale)) {
                CHECK(hits.size() == 30);
                CHECK(std::is_sorted(hits.begin(), hits.end(), trawl::by_rank{}));
                for (auto const& h : hits) CHECK(trawl::detail::is_finite(h.score));
            }
        }
    }
}

#endif
