// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of passage_finder.hpp.

#include <trawl/text/passages/passage_finder.hpp>

#include <algorithm>
#include <limits>
#include <tuple>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/text/detail/sentence.hpp>
#include <trawl/text/detail/unicode.hpp>
#include <trawl/text/detail/word_break.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE passage_finder::passage_finder(
    std::string_view text, std::vector<text_match> matches, std::span<double const> weights)
    : text_(text), matches_(std::move(matches)) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (detail::is_finite(weights[i])) continue;
        detail::fail(errc::invalid_argument,
            detail::join("passage_finder: weight ", i, " must be finite, is ", weights[i]));
    }
    for (auto const& match : matches_) {
        if (match.term < weights.size()) continue;
        detail::fail(errc::invalid_argument, detail::join("passage_finder: a match is of term ",
                                                 match.term, ", there are ", weights.size()));
    }
    std::erase_if(
        matches_, [&](text_match const& m) { return m.begin >= m.end || m.end > text_.size(); });
    std::sort(matches_.begin(), matches_.end(), [](text_match const& x, text_match const& y) {
        return x.begin != y.begin ? x.begin < y.begin : x.end < y.end;
    });
    double largest = 0;
    for (auto const weight : weights) largest = (std::max)(largest, weight < 0 ? -weight : weight);
    for (auto const weight : weights) {
        weights_.push_back(
            largest > 0 ? static_cast<std::int64_t>(weight / largest * 0x40000000) : 0);
    }
}

TRAWL_INLINE highlighted_passage passage_finder::passage(highlight_options const& options) const {
    highlighted_passage out{{}, 0, text_.size()};
    if (text_.size() > options.length) {
        auto const [first, last] = best_window(options.length);
        std::tie(out.begin, out.end) = widened(first, last, options.length);
    }
    mark(out, options);
    return out;
}

/// From the first match to the last of the best window; empty at 0 if no match fits.
TRAWL_INLINE passage_finder::extent passage_finder::best_window(std::size_t length) const {
    extent best{0, 0};
    auto most = (std::numeric_limits<std::int64_t>::min)();
    std::size_t count = 0;
    std::vector<std::size_t> inside(weights_.size()); // matches of each term in the window
    std::int64_t weight = 0;                          // of the terms in the window
    std::size_t next = 0;
    std::size_t end = 0;
    for (std::size_t first = 0; first < matches_.size(); ++first) {
        if (next <= first) {
            next = first;
            end = 0;
        }
        for (; next < matches_.size() && matches_[next].end - matches_[first].begin <= length;
             ++next) {
            if (++inside[matches_[next].term] == 1) weight += weights_[matches_[next].term];
            end = (std::max)(end, matches_[next].end);
        }
        if (next == first) continue; // longer than the window
        if (weight > most || (weight == most && next - first > count)) {
            most = weight;
            count = next - first;
            best = {matches_[first].begin, end};
        }
        if (--inside[matches_[first].term] == 0) weight -= weights_[matches_[first].term];
    }
    return best;
}

/// Extends a window to whole sentences as far as they fit, else to whole words.
TRAWL_INLINE passage_finder::extent passage_finder::widened(
    std::size_t first, std::size_t last, std::size_t length) const {
    auto const sentence = sentence_before(first);
    auto begin = first;
    if (last - sentence <= length) {
        begin = sentence;
    } else {
        auto const slack = (length - (last - first)) / 2;
        begin = boundary_from(first - (std::min)(first, slack), first);
    }
    auto const limit = (std::min)(begin + length, text_.size());
    auto end = last;
    for (auto at = sentence; at < limit;) {
        at = detail::past_sentence(text_, at, text_.size());
        if (at <= limit) end = (std::max)(end, at);
    }
    // A passage of less than half the length goes on with the next words.
    if (end == last || end - begin < length / 2) end = boundary_before(limit, end);
    if (end == begin) end = character_before(limit); // one word, longer than the passage
    return trimmed_extent(begin, end, first, last);
}

TRAWL_INLINE std::size_t passage_finder::sentence_before(std::size_t at) const noexcept {
    std::size_t begin = 0;
    for (auto next = begin; next <= at && next < text_.size();) {
        begin = next;
        next = detail::past_sentence(text_, begin, text_.size());
    }
    return begin;
}

/// The first word boundary at or after `from`, but at most `otherwise`.
TRAWL_INLINE std::size_t passage_finder::boundary_from(
    std::size_t from, std::size_t otherwise) const noexcept {
    detail::word_breaks const breaks(text_);
    std::size_t at = 0;
    while (at < from) at = breaks.next(at);
    return (std::min)(at, otherwise);
}

/// The last word boundary at or before `limit`, but at least `otherwise`.
TRAWL_INLINE std::size_t passage_finder::boundary_before(
    std::size_t limit, std::size_t otherwise) const noexcept {
    detail::word_breaks const breaks(text_);
    std::size_t last = 0;
    for (std::size_t at = 0; at <= limit; at = breaks.next(at)) {
        last = at;
        if (at == text_.size()) break;
    }
    return (std::max)(last, otherwise);
}

TRAWL_INLINE std::size_t passage_finder::character_before(std::size_t limit) const noexcept {
    std::size_t last = 0;
    for (std::size_t at = 0; at <= limit && at < text_.size();) {
        last = at;
        auto const bytes = decode_utf8(text_, at).bytes;
        at += bytes == 0 ? 1 : bytes;
    }
    return limit == text_.size() ? limit : last;
}

/// Removes the detail::blanks at both ends, but no match.
TRAWL_INLINE passage_finder::extent passage_finder::trimmed_extent(
    std::size_t begin, std::size_t end, std::size_t first, std::size_t last) const noexcept {
    auto const is_blank = [&](std::size_t at) {
        return detail::blanks.find(text_[at]) != detail::blanks.npos;
    };
    auto const keep = last > first;
    while (begin < (keep ? first : end) && is_blank(begin)) ++begin;
    while (end > (keep ? last : begin) && is_blank(end - 1)) --end;
    return {begin, end};
}

TRAWL_INLINE void passage_finder::mark(
    highlighted_passage& out, highlight_options const& options) const {
    auto copied = out.begin;
    auto const copy_to = [&](std::size_t end) {
        out.text.append(text_.substr(copied, end - copied));
        copied = end;
    };
    for (std::size_t i = 0; i < matches_.size();) {
        auto const begin = matches_[i].begin;
        std::size_t end = 0;
        // Matches that overlap or touch are marked as one.
        for (; i < matches_.size() && (end == 0 || matches_[i].begin <= end); ++i) {
            if (matches_[i].begin >= out.begin && matches_[i].end <= out.end) {
                end = (std::max)(end, matches_[i].end);
            } else if (end == 0) {
                ++i;
                break;
            }
        }
        if (end == 0) continue;
        copy_to(begin);
        out.text.append(options.before);
        copy_to(end);
        out.text.append(options.after);
    }
    copy_to(out.end);
}

TRAWL_INLINE bool is_unspaced_character(std::string_view text) noexcept {
    if (text.empty()) return false;
    auto const c = decode_utf8(text, 0);
    if (c.bytes != text.size()) return false;
    auto const kind = detail::properties_of(c.code).kind();
    return kind == detail::word_break::ideograph || kind == detail::word_break::hiragana
           || kind == detail::word_break::complex;
}

TRAWL_END_NAMESPACE
