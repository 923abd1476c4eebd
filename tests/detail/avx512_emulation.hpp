// SPDX-License-Identifier: MIT
#pragma once

/// The AVX-512 intrinsics that our kernels use, in plain C++ after Intel's reference, so that avx512.hpp runs
/// on machines without AVX-512. Include before avx512.hpp and nothing else of that name.

#include <cmath>
#include <cstddef>

#include <trawl/detail/simd/avx2.hpp>

namespace emulated {

struct m512 {
    float lane[16];
};

inline m512 setzero() { return {}; }

inline m512 maskz_loadu(unsigned mask, void const* from) {
    m512 v = {};
    for (std::size_t l = 0; l < 16; ++l) {
        if ((mask >> l & 1u) != 0) v.lane[l] = static_cast<float const*>(from)[l];
    }
    return v;
}

inline m512 loadu(void const* from) { return maskz_loadu(0xFFFFu, from); }

inline m512 fmadd(m512 const& a, m512 const& b, m512 c) {
    for (std::size_t l = 0; l < 16; ++l) c.lane[l] = std::fma(a.lane[l], b.lane[l], c.lane[l]);
    return c;
}

inline m512 sub(m512 a, m512 const& b) {
    for (std::size_t l = 0; l < 16; ++l) a.lane[l] -= b.lane[l];
    return a;
}

__attribute__((target("avx2,fma"))) inline __m256 half(m512 const& v, int upper) {
    return _mm256_loadu_ps(v.lane + 8 * upper);
}

} // namespace emulated

#undef _mm512_setzero_ps
#undef _mm512_loadu_ps
#undef _mm512_maskz_loadu_ps
#undef _mm512_fmadd_ps
#undef _mm512_sub_ps
#undef _mm512_castps_pd
#undef _mm512_castps512_ps256
#undef _mm512_extractf64x4_pd
#undef TRAWL_TARGET
#define __m512 ::emulated::m512
#define _mm512_setzero_ps ::emulated::setzero
#define _mm512_loadu_ps ::emulated::loadu
#define _mm512_maskz_loadu_ps ::emulated::maskz_loadu
#define _mm512_fmadd_ps ::emulated::fmadd
#define _mm512_sub_ps ::emulated::sub
#define _mm512_castps_pd(v) (v)
#define _mm512_castps512_ps256(v) ::emulated::half(v, 0)
#define _mm512_extractf64x4_pd(v, upper) _mm256_castps_pd(::emulated::half(v, upper))
#define TRAWL_TARGET(features) __attribute__((target("avx2,fma")))
