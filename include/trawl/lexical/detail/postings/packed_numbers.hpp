// SPDX-License-Identifier: MIT
#pragma once

/// Fixed-width bit packing: numbers in as many bits as the largest of them needs.

#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Number i is bits [i * width, (i + 1) * width) of 64-bit words, lowest first; two words are read
/// for each. A view, whose words may hold anything: what is read lies inside them.
class packed_numbers {
public:
    packed_numbers() = default;

    /// @param width  below 64.
    packed_numbers(array_ref<std::uint64_t const> words, unsigned width) noexcept
        : words_(words), width_(width) {}

    /// How many words so many numbers take.
    [[nodiscard]] static std::uint64_t words_of(std::uint64_t count, unsigned width) noexcept {
        return count * width / 64 + 2;
    }

    /// @param i  below the number of numbers packed.
    [[nodiscard]] std::uint64_t operator[](std::size_t i) const noexcept {
        auto const at = i * width_;
        auto const shift = at % 64;
        auto const upper = words_[at / 64 + 1] << 1 << (63 - shift);
        return (words_[at / 64] >> shift | upper) & ((std::uint64_t{1} << width_) - 1);
    }

    /// Appends words of so many zeros, and writes numbers into them.
    class writer {
    public:
        writer(buffer<std::uint64_t>& to, std::uint64_t count, unsigned width)
            : words_(to), first_(to.size()), width_(width) {
            to.resize(to.size() + static_cast<std::size_t>(words_of(count, width)));
        }

        /// @param i  of a number that has not been set.
        void set(std::size_t i, std::uint64_t value) noexcept {
            auto const at = i * width_;
            auto* const words = words_.data() + first_ + at / 64;
            words[0] |= value << at % 64;
            words[1] |= value >> 1 >> (63 - at % 64);
        }

    private:
        buffer<std::uint64_t>& words_;
        std::size_t first_;
        unsigned width_;
    };

private:
    array_ref<std::uint64_t const> words_ = {};
    unsigned width_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
