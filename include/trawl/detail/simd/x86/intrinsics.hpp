// SPDX-License-Identifier: MIT
#pragma once

/// The instructions of instructions.hpp over <immintrin.h>.

#include <cstdint>

#include <immintrin.h>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::x86 {

using m128 = __m128;
using m128i = __m128i;
using m256 = __m256;
using m256d = __m256d;
using m256i = __m256i;
using m512 = __m512;
using m512d = __m512d;
using m512i = __m512i;

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm_add_ps(m128 a, m128 b) noexcept { return _mm_add_ps(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm_movehl_ps(m128 a, m128 b) noexcept { return _mm_movehl_ps(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm_movelh_ps(m128 a, m128 b) noexcept { return _mm_movelh_ps(a, b); }
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm_shuffle_ps(m128 a, m128 b) noexcept {
    return _mm_shuffle_ps(a, b, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm_storeu_ps(float* to, m128 a) noexcept { _mm_storeu_ps(to, a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_loadu_si128(void const* from) noexcept {
    return _mm_loadu_si128(static_cast<m128i const*>(from));
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm_storeu_si128(void* to, m128i a) noexcept {
    _mm_storeu_si128(static_cast<m128i*>(to), a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_loadl_epi64(void const* from) noexcept {
    return _mm_loadl_epi64(static_cast<m128i const*>(from));
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm_storel_epi64(void* to, m128i a) noexcept {
    _mm_storel_epi64(static_cast<m128i*>(to), a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_setzero_si128() noexcept { return _mm_setzero_si128(); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_set1_epi32(int a) noexcept { return _mm_set1_epi32(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_add_epi16(m128i a, m128i b) noexcept { return _mm_add_epi16(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_add_epi32(m128i a, m128i b) noexcept { return _mm_add_epi32(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_max_epi32(m128i a, m128i b) noexcept { return _mm_max_epi32(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_hadd_epi32(m128i a, m128i b) noexcept { return _mm_hadd_epi32(a, b); }
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_shuffle_epi32(m128i a) noexcept {
    return _mm_shuffle_epi32(a, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_shuffle_epi8(m128i a, m128i b) noexcept {
    return _mm_shuffle_epi8(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_unpacklo_epi16(m128i a, m128i b) noexcept {
    return _mm_unpacklo_epi16(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_unpackhi_epi16(m128i a, m128i b) noexcept {
    return _mm_unpackhi_epi16(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE int mm_cvtsi128_si32(m128i a) noexcept { return _mm_cvtsi128_si32(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_setr_epi8(char a, char b, char c, char d, char e, char f, char g,
    char h, char i, char j, char k, char l, char m, char n, char o, char p) noexcept {
    return _mm_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_setzero_ps() noexcept { return _mm256_setzero_ps(); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_set1_ps(float a) noexcept { return _mm256_set1_ps(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm256_set1_pd(double a) noexcept { return _mm256_set1_pd(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_loadu_ps(float const* from) noexcept {
    return _mm256_loadu_ps(from);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm256_storeu_ps(float* to, m256 a) noexcept { _mm256_storeu_ps(to, a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_maskload_ps(float const* from, m256i mask) noexcept {
    return _mm256_maskload_ps(from, mask);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm256_maskstore_ps(float* to, m256i mask, m256 a) noexcept {
    _mm256_maskstore_ps(to, mask, a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_add_ps(m256 a, m256 b) noexcept { return _mm256_add_ps(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_sub_ps(m256 a, m256 b) noexcept { return _mm256_sub_ps(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_mul_ps(m256 a, m256 b) noexcept { return _mm256_mul_ps(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_div_ps(m256 a, m256 b) noexcept { return _mm256_div_ps(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_min_ps(m256 a, m256 b) noexcept { return _mm256_min_ps(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_and_ps(m256 a, m256 b) noexcept { return _mm256_and_ps(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_fmadd_ps(m256 a, m256 b, m256 c) noexcept {
    return _mm256_fmadd_ps(a, b, c);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_blendv_ps(m256 a, m256 b, m256 mask) noexcept {
    return _mm256_blendv_ps(a, b, mask);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_blend_ps(m256 a, m256 b) noexcept {
    return _mm256_blend_ps(a, b, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_cmp_ps(m256 a, m256 b) noexcept {
    return _mm256_cmp_ps(a, b, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_permute_ps(m256 a) noexcept {
    return _mm256_permute_ps(a, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_permute2f128_ps(m256 a, m256 b) noexcept {
    return _mm256_permute2f128_ps(a, b, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_shuffle_ps(m256 a, m256 b) noexcept {
    return _mm256_shuffle_ps(a, b, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm256_extractf128_ps(m256 a) noexcept {
    return _mm256_extractf128_ps(a, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_set_m128(m128 high, m128 low) noexcept {
    return _mm256_set_m128(high, low);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE int mm256_movemask_ps(m256 a) noexcept { return _mm256_movemask_ps(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm256_castps256_ps128(m256 a) noexcept {
    return _mm256_castps256_ps128(a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_castsi256_ps(m256i a) noexcept { return _mm256_castsi256_ps(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_castpd_ps(m256d a) noexcept { return _mm256_castpd_ps(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_cvtepi32_ps(m256i a) noexcept { return _mm256_cvtepi32_ps(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtps_epi32(m256 a) noexcept { return _mm256_cvtps_epi32(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm256_add_pd(m256d a, m256d b) noexcept { return _mm256_add_pd(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm256_mul_pd(m256d a, m256d b) noexcept { return _mm256_mul_pd(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm256_cvtepi32_pd(m128i a) noexcept { return _mm256_cvtepi32_pd(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm256_cvtpd_ps(m256d a) noexcept { return _mm256_cvtpd_ps(a); }
TRAWL_TARGET("avx2,fma,f16c")
TRAWL_ALWAYS_INLINE m256 mm256_cvtph_ps(m128i a) noexcept { return _mm256_cvtph_ps(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_setzero_si256() noexcept { return _mm256_setzero_si256(); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_set1_epi8(char a) noexcept { return _mm256_set1_epi8(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_set1_epi32(int a) noexcept { return _mm256_set1_epi32(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_setr_epi32(
    int a, int b, int c, int d, int e, int f, int g, int h) noexcept {
    return _mm256_setr_epi32(a, b, c, d, e, f, g, h);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_loadu_si256(void const* from) noexcept {
    return _mm256_loadu_si256(static_cast<m256i const*>(from));
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm256_storeu_si256(void* to, m256i a) noexcept {
    _mm256_storeu_si256(static_cast<m256i*>(to), a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_maskload_epi32(int const* from, m256i mask) noexcept {
    return _mm256_maskload_epi32(from, mask);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm256_maskstore_epi32(int* to, m256i mask, m256i a) noexcept {
    _mm256_maskstore_epi32(to, mask, a);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_i32gather_epi32(int const* from, m256i at) noexcept {
    return _mm256_i32gather_epi32(from, at, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i
    mm256_mask_i32gather_epi32(m256i other, int const* from, m256i at, m256i mask) noexcept {
    return _mm256_mask_i32gather_epi32(other, from, at, mask, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_add_epi16(m256i a, m256i b) noexcept {
    return _mm256_add_epi16(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_add_epi32(m256i a, m256i b) noexcept {
    return _mm256_add_epi32(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_sub_epi16(m256i a, m256i b) noexcept {
    return _mm256_sub_epi16(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_sub_epi32(m256i a, m256i b) noexcept {
    return _mm256_sub_epi32(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_madd_epi16(m256i a, m256i b) noexcept {
    return _mm256_madd_epi16(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_max_epi32(m256i a, m256i b) noexcept {
    return _mm256_max_epi32(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_max_epu32(m256i a, m256i b) noexcept {
    return _mm256_max_epu32(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_and_si256(m256i a, m256i b) noexcept {
    return _mm256_and_si256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_or_si256(m256i a, m256i b) noexcept {
    return _mm256_or_si256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_andnot_si256(m256i a, m256i b) noexcept {
    return _mm256_andnot_si256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cmpeq_epi32(m256i a, m256i b) noexcept {
    return _mm256_cmpeq_epi32(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cmpgt_epi32(m256i a, m256i b) noexcept {
    return _mm256_cmpgt_epi32(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE int mm256_testz_si256(m256i a, m256i b) noexcept {
    return _mm256_testz_si256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_slli_epi16(m256i a, int by) noexcept {
    return _mm256_slli_epi16(a, by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_slli_epi32(m256i a, int by) noexcept {
    return _mm256_slli_epi32(a, by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_srli_epi16(m256i a, int by) noexcept {
    return _mm256_srli_epi16(a, by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_srli_epi32(m256i a, int by) noexcept {
    return _mm256_srli_epi32(a, by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_sllv_epi32(m256i a, m256i by) noexcept {
    return _mm256_sllv_epi32(a, by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_srlv_epi32(m256i a, m256i by) noexcept {
    return _mm256_srlv_epi32(a, by);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_slli_si256(m256i a) noexcept {
    return _mm256_slli_si256(a, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_blend_epi32(m256i a, m256i b) noexcept {
    return _mm256_blend_epi32(a, b, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_permutevar8x32_epi32(m256i a, m256i at) noexcept {
    return _mm256_permutevar8x32_epi32(a, at);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_shuffle_epi8(m256i a, m256i at) noexcept {
    return _mm256_shuffle_epi8(a, at);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm256_castsi256_si128(m256i a) noexcept {
    return _mm256_castsi256_si128(a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_castsi128_si256(m128i a) noexcept {
    return _mm256_castsi128_si256(a);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm256_extracti128_si256(m256i a) noexcept {
    return _mm256_extracti128_si256(a, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_inserti128_si256(m256i a, m128i b) noexcept {
    return _mm256_inserti128_si256(a, b, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtepi8_epi16(m128i a) noexcept { return _mm256_cvtepi8_epi16(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtepu8_epi32(m128i a) noexcept { return _mm256_cvtepu8_epi32(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtepu16_epi32(m128i a) noexcept {
    return _mm256_cvtepu16_epi32(a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_max_ps(m256 a, m256 b) noexcept { return _mm256_max_ps(a, b); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_castps_si256(m256 a) noexcept { return _mm256_castps_si256(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_unpacklo_ps(m256 a, m256 b) noexcept {
    return _mm256_unpacklo_ps(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_unpackhi_ps(m256 a, m256 b) noexcept {
    return _mm256_unpackhi_ps(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_set1_epi64x(long long a) noexcept { return _mm256_set1_epi64x(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtepu8_epi16(m128i a) noexcept { return _mm256_cvtepu8_epi16(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_hadd_epi32(m256i a, m256i b) noexcept {
    return _mm256_hadd_epi32(a, b);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_setzero_ps() noexcept { return _mm512_setzero_ps(); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_loadu_ps(void const* from) noexcept { return _mm512_loadu_ps(from); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_maskz_loadu_ps(std::uint16_t mask, void const* from) noexcept {
    return _mm512_maskz_loadu_ps(mask, from);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_sub_ps(m512 a, m512 b) noexcept { return _mm512_sub_ps(a, b); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_fmadd_ps(m512 a, m512 b, m512 c) noexcept {
    return _mm512_fmadd_ps(a, b, c);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_castsi512_ps(m512i a) noexcept { return _mm512_castsi512_ps(a); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512d mm512_castps_pd(m512 a) noexcept { return _mm512_castps_pd(a); }
template <int imm>
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm512_extractf64x4_pd(m512d a) noexcept {
    return _mm512_extractf64x4_pd(a, imm);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm512_castps512_ps256(m512 a) noexcept {
    return _mm512_castps512_ps256(a);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_cvtph_ps(m256i a) noexcept { return _mm512_cvtph_ps(a); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_setzero_si512() noexcept { return _mm512_setzero_si512(); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_set1_epi8(char a) noexcept { return _mm512_set1_epi8(a); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_loadu_si512(void const* from) noexcept {
    return _mm512_loadu_si512(from);
}
TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_maskz_loadu_epi8(std::uint64_t mask, void const* from) noexcept {
    return _mm512_maskz_loadu_epi8(mask, from);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_and_si512(m512i a, m512i b) noexcept {
    return _mm512_and_si512(a, b);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_xor_si512(m512i a, m512i b) noexcept {
    return _mm512_xor_si512(a, b);
}
TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_add_epi16(m512i a, m512i b) noexcept {
    return _mm512_add_epi16(a, b);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_sub_epi32(m512i a, m512i b) noexcept {
    return _mm512_sub_epi32(a, b);
}
template <int imm>
TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_srli_epi16(m512i a) noexcept {
    return _mm512_srli_epi16(a, imm);
}
template <int imm>
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_slli_epi32(m512i a) noexcept {
    return _mm512_slli_epi32(a, imm);
}
TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_shuffle_epi8(m512i a, m512i at) noexcept {
    return _mm512_shuffle_epi8(a, at);
}
TRAWL_TARGET("avx512f,avx512bw,avx512vnni,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_dpbusd_epi32(m512i sum, m512i a, m512i b) noexcept {
    return _mm512_dpbusd_epi32(sum, a, b);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_cvtepu16_epi32(m256i a) noexcept {
    return _mm512_cvtepu16_epi32(a);
}
template <int imm>
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm512_extracti64x4_epi64(m512i a) noexcept {
    return _mm512_extracti64x4_epi64(a, imm);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm512_castsi512_si256(m512i a) noexcept {
    return _mm512_castsi512_si256(a);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_set1_ps(float a) noexcept { return _mm512_set1_ps(a); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void mm512_storeu_ps(float* to, m512 a) noexcept { _mm512_storeu_ps(to, a); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_add_ps(m512 a, m512 b) noexcept { return _mm512_add_ps(a, b); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_mul_ps(m512 a, m512 b) noexcept { return _mm512_mul_ps(a, b); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_div_ps(m512 a, m512 b) noexcept { return _mm512_div_ps(a, b); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_max_ps(m512 a, m512 b) noexcept { return _mm512_max_ps(a, b); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_min_ps(m512 a, m512 b) noexcept { return _mm512_min_ps(a, b); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_castps_si512(m512 a) noexcept { return _mm512_castps_si512(a); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_cvtepi32_ps(m512i a) noexcept { return _mm512_cvtepi32_ps(a); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm512_cvtepi32_epi8(m512i a) noexcept { return _mm512_cvtepi32_epi8(a); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_set1_epi32(int a) noexcept { return _mm512_set1_epi32(a); }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_add_epi32(m512i a, m512i b) noexcept {
    return _mm512_add_epi32(a, b);
}

} // namespace detail::x86
TRAWL_END_NAMESPACE
