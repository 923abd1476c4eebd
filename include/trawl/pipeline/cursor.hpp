// SPDX-License-Identifier: MIT
#pragma once

/// Pages of one frozen result: whatever happens to the indexes meanwhile, no page repeats or skips
/// a document.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

/// The hits [offset, offset + count) that there are.
[[nodiscard]] inline ranking slice(ranking hits, std::size_t offset, std::size_t count) {
    if (offset >= hits.size()) return {};
    auto const from = hits.begin() + static_cast<std::ptrdiff_t>(offset);
    hits.erase(hits.begin(), from);
    if (hits.size() > count) hits.resize(count);
    return hits;
}

} // namespace detail

/// A ranking and a place in it: a value that the caller keeps, copies and sends about.
///
///     trawl::cursor pages = search.pages(q);
///     trawl::ranking const first = pages.next(10);
///     std::string const token = pages.to_text();          // to a client and back
///     trawl::ranking const second = trawl::cursor::parse(token).next(10, allowed);
///
/// Holds 8 bytes a hit: a pipeline's whole result is at most arms * window hits.
class cursor {
public:
    cursor() = default;
    /// Before the first hit of a ranking.
    explicit cursor(ranking frozen) : hits_(std::move(frozen)) {}

    /// The next k hits, fewer at the end, and moves on behind them. Documents that the filter does
    /// not admit (deleted since, say) are passed over and count for nothing.
    [[nodiscard]] ranking next(std::size_t k, filter where = {}) {
        ranking page;
        while (page.size() < k && position_ < hits_.size()) {
            auto const h = hits_[position_++];
            if (where.admits(h.id)) page.push_back(h);
        }
        return page;
    }

    /// Moves on by so many hits, to the end at most.
    void skip(std::size_t hits) noexcept {
        position_ += (std::min)(hits, hits_.size() - position_);
    }

    [[nodiscard]] bool at_end() const noexcept { return position_ == hits_.size(); }
    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    /// How many hits there are on all pages.
    [[nodiscard]] std::size_t size() const noexcept { return hits_.size(); }

    /// As letters, digits, - and _, fit for a URL: some 11 a hit.
    [[nodiscard]] std::string to_text() const {
        std::string bytes;
        append(bytes, static_cast<std::uint32_t>(position_));
        for (auto const& h : hits_) {
            append(bytes, h.id);
            append(bytes, std::bit_cast<std::uint32_t>(h.score));
        }
        append(bytes, checksum(bytes));
        return std::string(prefix) + encoded(bytes);
    }

    /// Reads what to_text wrote. The text is not signed: a client can make one up, so a page of
    /// documents that not everybody may see needs its filter every time.
    /// @throws trawl::error (parse) for any text that to_text cannot have written.
    [[nodiscard]] static cursor parse(std::string_view text) {
        if (!text.starts_with(prefix)) refuse("it does not begin with 't1-'");
        auto const bytes = decoded(text.substr(prefix.size()));
        if (bytes.size() < 8 || bytes.size() % 8 != 0) refuse("it is cut short");
        if (checksum(std::string_view(bytes).substr(0, bytes.size() - 4))
            != read(bytes, bytes.size() - 4))
            refuse("its checksum does not match");
        cursor made;
        for (std::size_t at = 4; at + 8 < bytes.size(); at += 8)
            made.hits_.push_back({read(bytes, at), std::bit_cast<float>(read(bytes, at + 4))});
        made.position_ = read(bytes, 0);
        if (made.position_ > made.hits_.size()) refuse("its place is behind its end");
        made.check();
        return made;
    }

    friend bool operator==(cursor const&, cursor const&) = default;

private:
    static constexpr std::string_view prefix = "t1-";
    static constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    [[noreturn]] TRAWL_COLD static void refuse(std::string_view reason) {
        detail::fail(errc::parse, detail::join("cursor: ", reason));
    }

    void check() const {
        std::vector<doc_id> ids;
        for (std::size_t i = 0; i < hits_.size(); ++i) {
            auto const& h = hits_[i];
            if (h.id == no_doc || !detail::is_finite(h.score)) refuse("a hit is none");
            if (i > 0 && h.score > hits_[i - 1].score) refuse("its scores rise");
            ids.push_back(h.id);
        }
        std::sort(ids.begin(), ids.end());
        if (std::adjacent_find(ids.begin(), ids.end()) != ids.end())
            refuse("a document comes twice");
    }

    static void append(std::string& bytes, std::uint32_t value) {
        for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xFFu));
    }
    [[nodiscard]] static std::uint32_t read(std::string_view bytes, std::size_t at) noexcept {
        std::uint32_t value = 0;
        for (std::size_t i = 4; i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
        return value;
    }
    // FNV-1a.
    [[nodiscard]] static std::uint32_t checksum(std::string_view bytes) noexcept {
        std::uint32_t sum = 2166136261u;
        for (char const c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u;
        return sum;
    }

    // base64url without padding: six bits a digit, the first bits first.
    [[nodiscard]] static std::string encoded(std::string_view bytes) {
        std::string text;
        std::uint32_t held = 0;
        int bits = 0;
        for (char const c : bytes) {
            held = held << 8 | static_cast<unsigned char>(c);
            for (bits += 8; bits >= 6; bits -= 6)
                text.push_back(digits[(held >> (bits - 6)) & 63u]);
        }
        if (bits > 0) text.push_back(digits[(held << (6 - bits)) & 63u]);
        return text;
    }
    [[nodiscard]] static std::string decoded(std::string_view text) {
        std::string bytes;
        std::uint32_t held = 0;
        int bits = 0;
        for (char const c : text) {
            auto const digit = digits.find(c);
            if (digit == digits.npos) refuse("it has a character that is no digit of base64url");
            held = held << 6 | static_cast<std::uint32_t>(digit);
            bits += 6;
            if (bits < 8) continue;
            bits -= 8;
            bytes.push_back(static_cast<char>((held >> bits) & 0xFFu));
        }
        if (bits == 6 || (held & ((1u << bits) - 1)) != 0) refuse("it is cut short");
        return bytes;
    }

    ranking hits_;
    std::size_t position_ = 0;
};

TRAWL_END_NAMESPACE
