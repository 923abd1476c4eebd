// SPDX-License-Identifier: MIT
#pragma once

/// Pages of one fixed result: no page repeats or skips a document, whatever happens to the indexes
/// meanwhile.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

/// The hits [offset, offset + count), as far as they exist.
[[nodiscard]] ranking slice(ranking hits, std::size_t offset, std::size_t count);

} // namespace detail

/// A ranking and a position in it: a value that the caller keeps, copies and sends.
///
///     trawl::cursor pages = search.pages(q);
///     trawl::ranking const first = pages.next(10);
///     std::string const token = pages.to_text();          // to a client and back
///     trawl::ranking const second = trawl::cursor::parse(token).next(10, allowed);
///
/// Takes 8 bytes a hit. The whole result of a pipeline is at most arms * window hits.
class cursor {
public:
    cursor() = default;
    /// Before the first hit of a ranking.
    explicit cursor(ranking frozen) : hits_(std::move(frozen)) {}

    /// The next k hits, or fewer at the end. Moves behind them. Documents that the filter excludes
    /// (those deleted since, say) are skipped and do not count.
    [[nodiscard]] ranking next(std::size_t k, filter const& where = {});

    /// Moves forward by this number of hits, to the end at most.
    void skip(std::size_t hits) noexcept {
        position_ = hits < hits_.size() - position_ ? position_ + hits : hits_.size();
    }

    [[nodiscard]] bool at_end() const noexcept { return position_ == hits_.size(); }
    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    /// The number of hits on all pages.
    [[nodiscard]] std::size_t size() const noexcept { return hits_.size(); }

    /// The cursor as letters, digits, - and _, safe in a URL; about 11 characters a hit.
    [[nodiscard]] std::string to_text() const;

    /// Reads what to_text wrote. The text is not signed: a client can forge one, so pass next() the
    /// filter of what the client may see every time.
    /// @throws trawl::error (parse) for a text that to_text cannot have written.
    [[nodiscard]] static cursor parse(std::string_view text);

    friend bool operator==(cursor const& a, cursor const& b) noexcept;

private:
    ranking hits_;
    std::size_t position_ = 0;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/pipeline/detail/cursor_inl.hpp>
#endif
