// SPDX-License-Identifier: MIT
#pragma once

/// The instructions of instructions.hpp over GCC 12's builtins, without <immintrin.h>.

#include <cstdint>

#include <trawl/config.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast" // which is how a vector's lanes are renamed

TRAWL_BEGIN_NAMESPACE
namespace detail::x86 {

// As <immintrin.h> has them, so that they are the same types.
typedef float m128 __attribute__((vector_size(16), may_alias));
typedef long long m128i __attribute__((vector_size(16), may_alias));
typedef float m256 __attribute__((vector_size(32), may_alias));
typedef double m256d __attribute__((vector_size(32), may_alias));
typedef long long m256i __attribute__((vector_size(32), may_alias));
typedef float m512 __attribute__((vector_size(64), may_alias));
typedef double m512d __attribute__((vector_size(64), may_alias));
typedef long long m512i __attribute__((vector_size(64), may_alias));

typedef float m128_unaligned __attribute__((vector_size(16), may_alias, aligned(1)));
typedef long long m128i_unaligned __attribute__((vector_size(16), may_alias, aligned(1)));
typedef float m256_unaligned __attribute__((vector_size(32), may_alias, aligned(1)));
typedef long long m256i_unaligned __attribute__((vector_size(32), may_alias, aligned(1)));
typedef float m512_unaligned __attribute__((vector_size(64), may_alias, aligned(1)));
typedef long long m512i_unaligned __attribute__((vector_size(64), may_alias, aligned(1)));
typedef long long word_unaligned __attribute__((may_alias, aligned(1)));

typedef char i8x16 __attribute__((vector_size(16)));
typedef char i8x32 __attribute__((vector_size(32)));
typedef char i8x64 __attribute__((vector_size(64)));
typedef short i16x8 __attribute__((vector_size(16)));
typedef short i16x16 __attribute__((vector_size(32)));
typedef short i16x32 __attribute__((vector_size(64)));
typedef unsigned short u16x8 __attribute__((vector_size(16)));
typedef unsigned short u16x16 __attribute__((vector_size(32)));
typedef unsigned short u16x32 __attribute__((vector_size(64)));
typedef int i32x4 __attribute__((vector_size(16)));
typedef int i32x8 __attribute__((vector_size(32)));
typedef int i32x16 __attribute__((vector_size(64)));
typedef unsigned u32x4 __attribute__((vector_size(16)));
typedef unsigned u32x8 __attribute__((vector_size(32)));
typedef unsigned u32x16 __attribute__((vector_size(64)));

// masks of all lanes
inline constexpr auto all_8 = static_cast<unsigned char>(-1);
inline constexpr auto all_16 = static_cast<std::uint16_t>(-1);
inline constexpr auto all_16_signed = static_cast<std::int16_t>(-1); // as some builtins want it
inline constexpr auto all_32 = static_cast<std::uint32_t>(-1);
inline constexpr auto all_64 = static_cast<std::uint64_t>(-1);
inline constexpr int current_rounding = 4;

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm_add_ps(m128 a, m128 b) noexcept { return a + b; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm_movehl_ps(m128 a, m128 b) noexcept {
    return __builtin_ia32_movhlps(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm_movelh_ps(m128 a, m128 b) noexcept {
    return __builtin_ia32_movlhps(a, b);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm_shuffle_ps(m128 a, m128 b) noexcept {
    return __builtin_ia32_shufps(a, b, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm_storeu_ps(float* to, m128 a) noexcept {
    *reinterpret_cast<m128_unaligned*>(to) = a;
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_loadu_si128(void const* from) noexcept {
    return *static_cast<m128i_unaligned const*>(from);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm_storeu_si128(void* to, m128i a) noexcept {
    *static_cast<m128i_unaligned*>(to) = a;
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_loadl_epi64(void const* from) noexcept {
    return m128i{*static_cast<word_unaligned const*>(from), 0};
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm_storel_epi64(void* to, m128i a) noexcept {
    *static_cast<word_unaligned*>(to) = a[0];
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_setzero_si128() noexcept { return m128i{}; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_set1_epi32(int a) noexcept { return (m128i)(i32x4{a, a, a, a}); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_add_epi16(m128i a, m128i b) noexcept {
    return (m128i)((u16x8)a + (u16x8)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_add_epi32(m128i a, m128i b) noexcept {
    return (m128i)((u32x4)a + (u32x4)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_max_epi32(m128i a, m128i b) noexcept {
    return (m128i)__builtin_ia32_pmaxsd128((i32x4)a, (i32x4)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_hadd_epi32(m128i a, m128i b) noexcept {
    return (m128i)__builtin_ia32_phaddd128((i32x4)a, (i32x4)b);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_shuffle_epi32(m128i a) noexcept {
    return (m128i)__builtin_ia32_pshufd((i32x4)a, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_shuffle_epi8(m128i a, m128i b) noexcept {
    return (m128i)__builtin_ia32_pshufb128((i8x16)a, (i8x16)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_unpacklo_epi16(m128i a, m128i b) noexcept {
    return (m128i)__builtin_ia32_punpcklwd128((i16x8)a, (i16x8)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_unpackhi_epi16(m128i a, m128i b) noexcept {
    return (m128i)__builtin_ia32_punpckhwd128((i16x8)a, (i16x8)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE int mm_cvtsi128_si32(m128i a) noexcept {
    return __builtin_ia32_vec_ext_v4si((i32x4)a, 0);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm_setr_epi8(char a, char b, char c, char d, char e, char f, char g,
    char h, char i, char j, char k, char l, char m, char n, char o, char p) noexcept {
    return (m128i)(i8x16{a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p});
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_setzero_ps() noexcept { return m256{}; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_set1_ps(float a) noexcept { return m256{a, a, a, a, a, a, a, a}; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm256_set1_pd(double a) noexcept { return m256d{a, a, a, a}; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_loadu_ps(float const* from) noexcept {
    return *reinterpret_cast<m256_unaligned const*>(from);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm256_storeu_ps(float* to, m256 a) noexcept {
    *reinterpret_cast<m256_unaligned*>(to) = a;
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_maskload_ps(float const* from, m256i mask) noexcept {
    return __builtin_ia32_maskloadps256(reinterpret_cast<m256 const*>(from), (i32x8)mask);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm256_maskstore_ps(float* to, m256i mask, m256 a) noexcept {
    __builtin_ia32_maskstoreps256(reinterpret_cast<m256*>(to), (i32x8)mask, a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_add_ps(m256 a, m256 b) noexcept { return a + b; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_sub_ps(m256 a, m256 b) noexcept { return a - b; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_mul_ps(m256 a, m256 b) noexcept { return a * b; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_min_ps(m256 a, m256 b) noexcept {
    return __builtin_ia32_minps256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_and_ps(m256 a, m256 b) noexcept {
    return __builtin_ia32_andps256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_fmadd_ps(m256 a, m256 b, m256 c) noexcept {
    return __builtin_ia32_vfmaddps256(a, b, c);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_blendv_ps(m256 a, m256 b, m256 mask) noexcept {
    return __builtin_ia32_blendvps256(a, b, mask);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_blend_ps(m256 a, m256 b) noexcept {
    return __builtin_ia32_blendps256(a, b, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_cmp_ps(m256 a, m256 b) noexcept {
    return __builtin_ia32_cmpps256(a, b, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_permute_ps(m256 a) noexcept {
    return __builtin_ia32_vpermilps256(a, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_permute2f128_ps(m256 a, m256 b) noexcept {
    return __builtin_ia32_vperm2f128_ps256(a, b, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_shuffle_ps(m256 a, m256 b) noexcept {
    return __builtin_ia32_shufps256(a, b, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm256_extractf128_ps(m256 a) noexcept {
    return __builtin_ia32_vextractf128_ps256(a, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_set_m128(m128 high, m128 low) noexcept {
    return __builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps(low), high, 1);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE int mm256_movemask_ps(m256 a) noexcept { return __builtin_ia32_movmskps256(a); }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm256_castps256_ps128(m256 a) noexcept {
    return __builtin_ia32_ps_ps256(a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_castsi256_ps(m256i a) noexcept { return (m256)a; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_castpd_ps(m256d a) noexcept { return (m256)a; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_cvtepi32_ps(m256i a) noexcept {
    return __builtin_ia32_cvtdq2ps256((i32x8)a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtps_epi32(m256 a) noexcept {
    return (m256i)__builtin_ia32_cvtps2dq256(a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm256_add_pd(m256d a, m256d b) noexcept { return a + b; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm256_mul_pd(m256d a, m256d b) noexcept { return a * b; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm256_cvtepi32_pd(m128i a) noexcept {
    return __builtin_ia32_cvtdq2pd256((i32x4)a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 mm256_cvtpd_ps(m256d a) noexcept { return __builtin_ia32_cvtpd2ps256(a); }
TRAWL_TARGET("avx2,fma,f16c")
TRAWL_ALWAYS_INLINE m256 mm256_cvtph_ps(m128i a) noexcept {
    return __builtin_ia32_vcvtph2ps256((i16x8)a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_setzero_si256() noexcept { return m256i{}; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_set1_epi8(char a) noexcept {
    return (m256i)(i8x32{a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a,
        a, a, a, a, a, a, a});
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_set1_epi32(int a) noexcept {
    return (m256i)(i32x8{a, a, a, a, a, a, a, a});
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_setr_epi32(
    int a, int b, int c, int d, int e, int f, int g, int h) noexcept {
    return (m256i)(i32x8{a, b, c, d, e, f, g, h});
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_loadu_si256(void const* from) noexcept {
    return *static_cast<m256i_unaligned const*>(from);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm256_storeu_si256(void* to, m256i a) noexcept {
    *static_cast<m256i_unaligned*>(to) = a;
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_maskload_epi32(int const* from, m256i mask) noexcept {
    return (m256i)__builtin_ia32_maskloadd256(reinterpret_cast<i32x8 const*>(from), (i32x8)mask);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void mm256_maskstore_epi32(int* to, m256i mask, m256i a) noexcept {
    __builtin_ia32_maskstored256(reinterpret_cast<i32x8*>(to), (i32x8)mask, (i32x8)a);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_i32gather_epi32(int const* from, m256i at) noexcept {
    return (m256i)__builtin_ia32_gathersiv8si(
        i32x8{}, from, (i32x8)at, i32x8{-1, -1, -1, -1, -1, -1, -1, -1}, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i
    mm256_mask_i32gather_epi32(m256i other, int const* from, m256i at, m256i mask) noexcept {
    return (m256i)__builtin_ia32_gathersiv8si((i32x8)other, from, (i32x8)at, (i32x8)mask, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_add_epi16(m256i a, m256i b) noexcept {
    return (m256i)((u16x16)a + (u16x16)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_add_epi32(m256i a, m256i b) noexcept {
    return (m256i)((u32x8)a + (u32x8)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_sub_epi16(m256i a, m256i b) noexcept {
    return (m256i)((u16x16)a - (u16x16)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_sub_epi32(m256i a, m256i b) noexcept {
    return (m256i)((u32x8)a - (u32x8)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_madd_epi16(m256i a, m256i b) noexcept {
    return (m256i)__builtin_ia32_pmaddwd256((i16x16)a, (i16x16)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_max_epi32(m256i a, m256i b) noexcept {
    return (m256i)__builtin_ia32_pmaxsd256((i32x8)a, (i32x8)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_max_epu32(m256i a, m256i b) noexcept {
    return (m256i)__builtin_ia32_pmaxud256((i32x8)a, (i32x8)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_and_si256(m256i a, m256i b) noexcept { return a & b; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_or_si256(m256i a, m256i b) noexcept { return a | b; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_andnot_si256(m256i a, m256i b) noexcept {
    return __builtin_ia32_andnotsi256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cmpeq_epi32(m256i a, m256i b) noexcept {
    return (m256i)((i32x8)a == (i32x8)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cmpgt_epi32(m256i a, m256i b) noexcept {
    return (m256i)((i32x8)a > (i32x8)b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE int mm256_testz_si256(m256i a, m256i b) noexcept {
    return __builtin_ia32_ptestz256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_slli_epi16(m256i a, int by) noexcept {
    return (m256i)__builtin_ia32_psllwi256((i16x16)a, by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_slli_epi32(m256i a, int by) noexcept {
    return (m256i)__builtin_ia32_pslldi256((i32x8)a, by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_srli_epi16(m256i a, int by) noexcept {
    return (m256i)__builtin_ia32_psrlwi256((i16x16)a, by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_srli_epi32(m256i a, int by) noexcept {
    return (m256i)__builtin_ia32_psrldi256((i32x8)a, by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_sllv_epi32(m256i a, m256i by) noexcept {
    return (m256i)__builtin_ia32_psllv8si((i32x8)a, (i32x8)by);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_srlv_epi32(m256i a, m256i by) noexcept {
    return (m256i)__builtin_ia32_psrlv8si((i32x8)a, (i32x8)by);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_slli_si256(m256i a) noexcept {
    return __builtin_ia32_pslldqi256(a, imm * 8);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_blend_epi32(m256i a, m256i b) noexcept {
    return (m256i)__builtin_ia32_pblendd256((i32x8)a, (i32x8)b, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_permutevar8x32_epi32(m256i a, m256i at) noexcept {
    return (m256i)__builtin_ia32_permvarsi256((i32x8)a, (i32x8)at);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_shuffle_epi8(m256i a, m256i at) noexcept {
    return (m256i)__builtin_ia32_pshufb256((i8x32)a, (i8x32)at);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm256_castsi256_si128(m256i a) noexcept {
    return (m128i)__builtin_ia32_si_si256((i32x8)a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_castsi128_si256(m128i a) noexcept {
    return (m256i)__builtin_ia32_si256_si((i32x4)a);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm256_extracti128_si256(m256i a) noexcept {
    return __builtin_ia32_extract128i256(a, imm);
}
template <int imm>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_inserti128_si256(m256i a, m128i b) noexcept {
    return __builtin_ia32_insert128i256(a, b, imm);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtepi8_epi16(m128i a) noexcept {
    return (m256i)__builtin_ia32_pmovsxbw256((i8x16)a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtepu8_epi32(m128i a) noexcept {
    return (m256i)__builtin_ia32_pmovzxbd256((i8x16)a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtepu16_epi32(m128i a) noexcept {
    return (m256i)__builtin_ia32_pmovzxwd256((i16x8)a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_max_ps(m256 a, m256 b) noexcept {
    return __builtin_ia32_maxps256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_castps_si256(m256 a) noexcept { return (m256i)a; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_unpacklo_ps(m256 a, m256 b) noexcept {
    return __builtin_ia32_unpcklps256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm256_unpackhi_ps(m256 a, m256 b) noexcept {
    return __builtin_ia32_unpckhps256(a, b);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_set1_epi64x(long long a) noexcept { return m256i{a, a, a, a}; }
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_cvtepu8_epi16(m128i a) noexcept {
    return (m256i)__builtin_ia32_pmovzxbw256((i8x16)a);
}
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm256_hadd_epi32(m256i a, m256i b) noexcept {
    return (m256i)__builtin_ia32_phaddd256((i32x8)a, (i32x8)b);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_setzero_ps() noexcept { return m512{}; }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_loadu_ps(void const* from) noexcept {
    return *static_cast<m512_unaligned const*>(from);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_maskz_loadu_ps(std::uint16_t mask, void const* from) noexcept {
    return __builtin_ia32_loadups512_mask(static_cast<float const*>(from), m512{}, mask);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_sub_ps(m512 a, m512 b) noexcept { return a - b; }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_fmadd_ps(m512 a, m512 b, m512 c) noexcept {
    return __builtin_ia32_vfmaddps512_mask(a, b, c, all_16_signed, current_rounding);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_castsi512_ps(m512i a) noexcept { return (m512)a; }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512d mm512_castps_pd(m512 a) noexcept { return (m512d)a; }
template <int imm>
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m256d mm512_extractf64x4_pd(m512d a) noexcept {
    return __builtin_ia32_extractf64x4_mask(a, imm, m256d{}, all_8);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m256 mm512_castps512_ps256(m512 a) noexcept {
    return (m256)mm512_extractf64x4_pd<0>((m512d)a);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_cvtph_ps(m256i a) noexcept {
    return __builtin_ia32_vcvtph2ps512_mask((i16x16)a, m512{}, all_16_signed, current_rounding);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_setzero_si512() noexcept { return m512i{}; }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_set1_epi8(char a) noexcept {
    return (m512i)(i8x64{a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a,
        a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a,
        a, a, a, a, a, a, a, a});
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_loadu_si512(void const* from) noexcept {
    return *static_cast<m512i_unaligned const*>(from);
}
TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_maskz_loadu_epi8(std::uint64_t mask, void const* from) noexcept {
    return (m512i)__builtin_ia32_loaddquqi512_mask(static_cast<char const*>(from), i8x64{}, mask);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_and_si512(m512i a, m512i b) noexcept {
    return (m512i)((u32x16)a & (u32x16)b);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_xor_si512(m512i a, m512i b) noexcept {
    return (m512i)((u32x16)a ^ (u32x16)b);
}
TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_add_epi16(m512i a, m512i b) noexcept {
    return (m512i)((u16x32)a + (u16x32)b);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_sub_epi32(m512i a, m512i b) noexcept {
    return (m512i)((u32x16)a - (u32x16)b);
}
template <int imm>
TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_srli_epi16(m512i a) noexcept {
    return (m512i)__builtin_ia32_psrlwi512_mask((i16x32)a, imm, i16x32{}, all_32);
}
template <int imm>
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_slli_epi32(m512i a) noexcept {
    return (m512i)__builtin_ia32_pslldi512_mask((i32x16)a, imm, i32x16{}, all_16);
}
TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_shuffle_epi8(m512i a, m512i at) noexcept {
    return (m512i)__builtin_ia32_pshufb512_mask((i8x64)a, (i8x64)at, i8x64{}, all_64);
}
TRAWL_TARGET("avx512f,avx512bw,avx512vnni,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_dpbusd_epi32(m512i sum, m512i a, m512i b) noexcept {
    return (m512i)__builtin_ia32_vpdpbusd_v16si((i32x16)sum, (i32x16)a, (i32x16)b);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_cvtepu16_epi32(m256i a) noexcept {
    return (m512i)__builtin_ia32_pmovzxwd512_mask((i16x16)a, i32x16{}, all_16);
}
template <int imm>
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm512_extracti64x4_epi64(m512i a) noexcept {
    return __builtin_ia32_extracti64x4_mask(a, imm, m256i{}, all_8);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m256i mm512_castsi512_si256(m512i a) noexcept {
    return (m256i)mm512_extractf64x4_pd<0>((m512d)a);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_set1_ps(float a) noexcept {
    return m512{a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a};
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void mm512_storeu_ps(float* to, m512 a) noexcept {
    *reinterpret_cast<m512_unaligned*>(to) = a;
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_add_ps(m512 a, m512 b) noexcept { return a + b; }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_mul_ps(m512 a, m512 b) noexcept { return a * b; }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_div_ps(m512 a, m512 b) noexcept { return a / b; }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_max_ps(m512 a, m512 b) noexcept {
    return __builtin_ia32_maxps512_mask(a, b, m512{}, all_16_signed, current_rounding);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_min_ps(m512 a, m512 b) noexcept {
    return __builtin_ia32_minps512_mask(a, b, m512{}, all_16_signed, current_rounding);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_castps_si512(m512 a) noexcept { return (m512i)a; }
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 mm512_cvtepi32_ps(m512i a) noexcept {
    return __builtin_ia32_cvtdq2ps512_mask((i32x16)a, m512{}, all_16_signed, current_rounding);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m128i mm512_cvtepi32_epi8(m512i a) noexcept {
    return (m128i)__builtin_ia32_pmovdb512_mask((i32x16)a, i8x16{}, all_16);
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_set1_epi32(int a) noexcept {
    return (m512i)(i32x16{a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a});
}
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512i mm512_add_epi32(m512i a, m512i b) noexcept {
    return (m512i)((u32x16)a + (u32x16)b);
}

} // namespace detail::x86
TRAWL_END_NAMESPACE

#pragma GCC diagnostic pop
