// SPDX-License-Identifier: MIT
#pragma once

/// The AVX-512 instructions that our kernels use, in plain C++ after Intel's reference, so that the
/// kernels of detail/simd/avx512 run on machines without AVX-512. Include before these.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <trawl/detail/simd/avx2/codes.hpp>
#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/scalar/widen.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

namespace emulated {

namespace x86 = trawl::detail::x86;

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

__attribute__((target("avx2,fma"))) inline x86::m256 half(m512 const& v, int upper) {
    return x86::mm256_loadu_ps(v.lane + 8 * upper);
}

struct m512i {
    std::uint8_t byte[64];
};

template <class Word>
Word word(m512i const& v, std::size_t i) {
    Word w;
    std::memcpy(&w, v.byte + i * sizeof(Word), sizeof w);
    return w;
}

template <class Word>
void word(m512i& v, std::size_t i, Word w) {
    std::memcpy(v.byte + i * sizeof(Word), &w, sizeof w);
}

inline m512i setzero_bytes() { return {}; }

inline m512i set1(int value) {
    m512i v;
    std::memset(v.byte, value, 64);
    return v;
}

inline m512i maskz_loadu_bytes(std::uint64_t mask, void const* from) {
    m512i v = {};
    for (std::size_t i = 0; i < 64; ++i) {
        if ((mask >> i & 1u) != 0) v.byte[i] = static_cast<std::uint8_t const*>(from)[i];
    }
    return v;
}

inline m512i loadu_bytes(void const* from) { return maskz_loadu_bytes(~std::uint64_t{0}, from); }

inline m512i bits_and(m512i a, m512i const& b) {
    for (std::size_t i = 0; i < 64; ++i)
        a.byte[i] = static_cast<std::uint8_t>(a.byte[i] & b.byte[i]);
    return a;
}

inline m512i bits_xor(m512i a, m512i const& b) {
    for (std::size_t i = 0; i < 64; ++i)
        a.byte[i] = static_cast<std::uint8_t>(a.byte[i] ^ b.byte[i]);
    return a;
}

inline m512i add_words(m512i a, m512i const& b) {
    for (std::size_t i = 0; i < 32; ++i)
        word(a, i,
            static_cast<std::uint16_t>(word<std::uint16_t>(a, i) + word<std::uint16_t>(b, i)));
    return a;
}

template <unsigned by>
m512i shift_words_right(m512i a) {
    for (std::size_t i = 0; i < 32; ++i)
        word(a, i, static_cast<std::uint16_t>(word<std::uint16_t>(a, i) >> by));
    return a;
}

template <unsigned by>
m512i shift_left(m512i a) {
    for (std::size_t i = 0; i < 16; ++i) word(a, i, word<std::uint32_t>(a, i) << by);
    return a;
}

inline m512i sub_integers(m512i a, m512i const& b) {
    for (std::size_t i = 0; i < 16; ++i)
        word(a, i, word<std::uint32_t>(a, i) - word<std::uint32_t>(b, i));
    return a;
}

// Within each 16 bytes.
inline m512i shuffle(m512i const& a, m512i const& places) {
    m512i v = {};
    for (std::size_t i = 0; i < 64; ++i) {
        if ((places.byte[i] & 0x80u) == 0) v.byte[i] = a.byte[i / 16 * 16 + (places.byte[i] & 15u)];
    }
    return v;
}

// Four products of unsigned bytes of a and signed ones of b are added to each sum.
inline m512i dot_bytes(m512i sum, m512i const& a, m512i const& b) {
    for (std::size_t i = 0; i < 16; ++i) {
        auto total = word<std::uint32_t>(sum, i);
        for (std::size_t j = 4 * i; j < 4 * i + 4; ++j)
            total += static_cast<std::uint32_t>(
                int{a.byte[j]} * int{static_cast<std::int8_t>(b.byte[j])});
        word(sum, i, total);
    }
    return sum;
}

__attribute__((target("avx2,fma"))) inline x86::m256i half(m512i const& v, int upper) {
    return x86::mm256_loadu_si256(v.byte + 32 * upper);
}

__attribute__((target("avx2,fma"))) inline m512i widen_words(x86::m256i words) {
    std::uint16_t from[16];
    x86::mm256_storeu_si256(from, words);
    m512i v;
    for (std::size_t i = 0; i < 16; ++i) word(v, i, std::uint32_t{from[i]});
    return v;
}

__attribute__((target("avx2,fma"))) inline m512 widen_halves(x86::m256i halves) {
    std::uint16_t from[16];
    x86::mm256_storeu_si256(from, halves);
    m512 v;
    trawl::detail::scalar::widen_float16(from, 16, v.lane);
    return v;
}

inline m512 as_floats(m512i const& bits) {
    m512 v;
    std::memcpy(v.lane, bits.byte, 64);
    return v;
}

template <int upper>
__attribute__((target("avx2,fma"))) x86::m256i integers_of_half(m512i const& v) {
    return half(v, upper);
}

template <int upper>
__attribute__((target("avx2,fma"))) x86::m256d doubles_of_half(m512 const& v) {
    return (x86::m256d)half(v, upper);
}

} // namespace emulated

#undef TRAWL_TARGET
#define m512 ::emulated::m512
#define m512i ::emulated::m512i
#define mm512_setzero_ps ::emulated::setzero
#define mm512_loadu_ps ::emulated::loadu
#define mm512_maskz_loadu_ps ::emulated::maskz_loadu
#define mm512_fmadd_ps ::emulated::fmadd
#define mm512_sub_ps ::emulated::sub
#define mm512_castps_pd(v) (v)
#define mm512_castps512_ps256(v) ::emulated::half(v, 0)
#define mm512_extractf64x4_pd ::emulated::doubles_of_half
#define mm512_setzero_si512 ::emulated::setzero_bytes
#define mm512_set1_epi8 ::emulated::set1
#define mm512_maskz_loadu_epi8 ::emulated::maskz_loadu_bytes
#define mm512_loadu_si512 ::emulated::loadu_bytes
#define mm512_and_si512 ::emulated::bits_and
#define mm512_xor_si512 ::emulated::bits_xor
#define mm512_add_epi16 ::emulated::add_words
#define mm512_srli_epi16 ::emulated::shift_words_right
#define mm512_slli_epi32 ::emulated::shift_left
#define mm512_sub_epi32 ::emulated::sub_integers
#define mm512_shuffle_epi8 ::emulated::shuffle
#define mm512_dpbusd_epi32 ::emulated::dot_bytes
#define mm512_cvtepu16_epi32 ::emulated::widen_words
#define mm512_cvtph_ps ::emulated::widen_halves
#define mm512_castsi512_ps ::emulated::as_floats
#define mm512_castsi512_si256(v) ::emulated::half(v, 0)
#define mm512_extracti64x4_epi64 ::emulated::integers_of_half
#define TRAWL_TARGET(features) __attribute__((target("avx2,fma")))
