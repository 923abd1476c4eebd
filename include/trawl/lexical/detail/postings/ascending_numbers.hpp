// SPDX-License-Identifier: MIT
#pragma once

/// Elias-Fano encoding: ascending numbers in few bits, each found in O(1). For offsets of lists and
/// of terms.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/postings/packed_numbers.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// n numbers, the last one u, in some n (2 + log2(u / n)) bits: the lower bits of each as they are;
/// the upper parts as the places of set bits, number i's at its upper part + i.
///
/// In 64-bit words: n, how many lower bits, how many words of upper bits; where the upper bits of
/// every 128th number are; the words of upper bits; the lower bits as packed_numbers. A view, whose
/// words may hold anything: what is read lies inside them.
/// @par Source Elias, "Efficient storage and retrieval by content and address of static files",
/// 1974; Vigna, "Quasi-succinct indices", WSDM 2013.
class ascending_numbers {
public:
    ascending_numbers() = default;

    /// Empty if packed() cannot have made the words.
    explicit ascending_numbers(array_ref<std::uint64_t const> words) noexcept {
        if (words.size() < head) return;
        auto const count = words[0];
        auto const width = words[1];
        auto const upper = words[2];
        if (count > 64 * std::uint64_t{words.size()} || width > 63) return;
        if (upper > 3 * count / 64 + 1) return; // more than packed() makes
        auto const samples = (count + sampled - 1) / sampled;
        auto const width_bits = static_cast<unsigned>(width);
        if (head + samples + upper + packed_numbers::words_of(count, width_bits) != words.size())
            return;
        words_ = words;
        size_ = static_cast<std::size_t>(count);
        width_ = width_bits;
        samples_ = words.subspan(head, static_cast<std::size_t>(samples));
        upper_ = words.subspan(head + samples_.size(), static_cast<std::size_t>(upper));
        lower_ = {words.subspan(head + samples_.size() + upper_.size()), width_};
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// The words that these were made of; none if packed() cannot have made them.
    [[nodiscard]] array_ref<std::uint64_t const> words() const noexcept { return words_; }

    /// @param i  below size().
    /// @par Complexity  O(1).
    [[nodiscard]] std::uint64_t operator[](std::size_t i) const noexcept {
        return value(i, place(i));
    }

    /// Numbers i and i + 1.
    /// @param i  below size() - 1.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> two_from(std::size_t i) const noexcept {
        auto const first = place(i);
        return {value(i, first), value(i + 1, next(first + 1, 0))};
    }

    /// The same. Adds to `words_read` how many words of upper bits were read: of all pairs together,
    /// each once, at most 128 times as many as there are.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> two_from(
        std::size_t i, std::uint64_t& words_read) const noexcept {
        auto const first = place(i);
        auto const second = next(first + 1, 0);
        auto const from = samples_[i / sampled];
        words_read += second < from ? upper_.size() : (second - from) / 64;
        return {value(i, first), value(i + 1, second)};
    }
    [[nodiscard]] std::uint64_t max_words_read() const noexcept {
        return sampled * (std::uint64_t{upper_.size()} + 1);
    }

    /// The words of these numbers.
    [[nodiscard]] static buffer<std::uint64_t> packed(array_ref<std::uint64_t const> numbers) {
        auto const n = numbers.size();
        auto const each = n == 0 ? 0 : numbers.back() / n;
        auto const width = each == 0 ? 0 : static_cast<unsigned>(std::bit_width(each)) - 1;
        auto const upper = n == 0 ? 0 : ((numbers.back() >> width) + n + 63) / 64;
        buffer<std::uint64_t> words;
        words.push_back(n);
        words.push_back(width);
        words.push_back(upper);
        for (std::size_t i = 0; i < n; i += sampled) words.push_back((numbers[i] >> width) + i);
        auto const first = words.size();
        words.resize(first + static_cast<std::size_t>(upper));
        for (std::size_t i = 0; i < n; ++i) {
            auto const at = (numbers[i] >> width) + i;
            words[first + static_cast<std::size_t>(at / 64)] |= std::uint64_t{1} << at % 64;
        }
        packed_numbers::writer lower(words, n, width);
        for (std::size_t i = 0; i < n; ++i) {
            lower.set(i, numbers[i] & ((std::uint64_t{1} << width) - 1));
        }
        return words;
    }

private:
    static constexpr std::size_t head = 3;
    static constexpr std::size_t sampled = 128;

    [[nodiscard]] std::uint64_t place(std::size_t i) const noexcept {
        return next(samples_[i / sampled], i % sampled);
    }

    /// The place of the first set bit from `from` on after skipping `skip` of them; 0 if there are
    /// too few.
    [[nodiscard]] std::uint64_t next(std::uint64_t from, std::size_t skip) const noexcept {
        if (from / 64 >= upper_.size()) return 0;
        auto word = static_cast<std::size_t>(from / 64);
        auto bits = upper_[word] & ~std::uint64_t{0} << from % 64;
        for (;;) {
            if (bits != 0) { // often 0 among the offsets of long lists
                auto const sums = sums_of_bytes(bits);
                auto const here = static_cast<std::size_t>(sums >> 56);
                if (skip < here) return std::uint64_t{word} * 64 + selected(bits, sums, skip);
                skip -= here;
            }
            if (++word == upper_.size()) return 0;
            bits = upper_[word];
        }
    }

    static constexpr std::uint64_t each_byte = 0x0101010101010101u;

    /// Byte i holds how many bits are set in the bytes 0 to i of a word. Without the instruction that
    /// counts bits, which not every x86-64 has, std::popcount is a call.
    [[nodiscard]] static std::uint64_t sums_of_bytes(std::uint64_t bits) noexcept {
        bits -= bits >> 1 & 0x5555555555555555u;
        bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
        return ((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * each_byte;
    }

    /// The place of the set bit with `skip` others below it.
    /// @param skip  below the number of set bits.
    /// @par Source Vigna, "Broadword implementation of rank/select queries", WEA 2008.
    [[nodiscard]] static std::uint64_t selected(
        std::uint64_t bits, std::uint64_t sums, std::size_t skip) noexcept {
        constexpr auto high = 0x80 * each_byte;
        // The high bit of each byte with all those before that holds too few set bits.
        auto const too_few = ((std::uint64_t{skip} * each_byte | high) - sums) & high;
        auto const byte = 8 * ((too_few >> 7) * each_byte >> 56);
        skip -= static_cast<std::size_t>(sums << 8 >> byte & 0xFF);
        bits = bits >> byte & 0xFF;
        for (; skip > 0; --skip) bits &= bits - 1;
        return byte + static_cast<unsigned>(std::countr_zero(bits));
    }

    [[nodiscard]] std::uint64_t value(std::size_t i, std::uint64_t place) const noexcept {
        return (place - i) << width_ | lower_[i];
    }

    array_ref<std::uint64_t const> words_ = {};
    std::size_t size_ = 0;
    unsigned width_ = 0;
    array_ref<std::uint64_t const> samples_ = {};
    array_ref<std::uint64_t const> upper_ = {};
    packed_numbers lower_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
