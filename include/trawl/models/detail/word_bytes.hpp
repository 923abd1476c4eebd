// SPDX-License-Identifier: MIT
#pragma once

/// A word of an aligned_text in UTF-8.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/word_splitter.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class word_bytes {
public:
    void assign(aligned_text const& text, word_span word) {
        bytes_.clear();
        places_.clear();
        for (auto at = word.first; at < word.last; ++at) {
            char encoded[4] = {};
            auto const size =
                static_cast<std::size_t>(encode_utf8(text.codes[at], encoded) - encoded);
            bytes_.append(encoded, size);
            places_.resize(places_.size() + size, at);
        }
        origins_ = text.origins.data();
    }

    [[nodiscard]] std::string_view text() const noexcept { return {bytes_.data(), bytes_.size()}; }
    /// Which character of the text a byte is part of.
    [[nodiscard]] std::uint32_t character(std::size_t byte) const noexcept { return places_[byte]; }
    /// Where the characters from byte `first` to before `last` came from; first < last.
    [[nodiscard]] byte_span origin(std::size_t first, std::size_t last) const noexcept {
        return {origins_[places_[first]].first, origins_[places_[last - 1]].last};
    }

private:
    buffer<char> bytes_ = {};
    buffer<std::uint32_t> places_ = {}; ///< the character of each byte
    byte_span const* origins_ = nullptr;
};

} // namespace detail
TRAWL_END_NAMESPACE
