// SPDX-License-Identifier: MIT
#pragma once

/// Shows a person where a text answers a question: marks the words that match and cuts the best
/// passage.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/detail/sentence.hpp>
#include <trawl/text/detail/word_break.hpp>

TRAWL_BEGIN_NAMESPACE

struct highlight_options {
    std::string_view before = "<b>"; ///< stands before a match
    std::string_view after = "</b>"; ///< and after it
    /// bytes of the passage at most, marks apart; the whole text if it has no more
    std::size_t length = 240;
};

/// The bytes [begin, end) of a text, marked.
struct highlighted_passage {
    std::string text = {};
    std::size_t begin = 0;
    std::size_t end = 0;
};

namespace detail {

/// A question's terms and where they match in one text.
class highlighter {
public:
    template <analyzer A>
    highlighter(std::string_view text, query const& q, A const& a) : text_(text) {
        if (q.terms.empty()) {
            a.analyze(q.text, [&](token const& t) { learn(t.term, 1); });
        } else {
            for (auto const& [term, weight] : q.terms) {
                if (!is_finite(weight)) {
                    fail(errc::invalid_argument,
                        join("highlight: the weight of '", term, "' must be finite, is ", weight));
                }
                learn(term, weight);
            }
        }
        a.analyze(text, [&](token const& t) {
            auto const found = terms_.find(std::string(t.term));
            if (found != terms_.end()) matches_.push_back({t.begin, t.end, found->second});
        });
        std::sort(matches_.begin(), matches_.end(), [](match const& x, match const& y) {
            return x.begin != y.begin ? x.begin < y.begin : x.end < y.end;
        });
    }

    [[nodiscard]] highlighted_passage passage(highlight_options const& options) const {
        highlighted_passage out{{}, 0, text_.size()};
        if (text_.size() > options.length) {
            auto const [first, last] = best_window(options.length);
            std::tie(out.begin, out.end) = widened(first, last, options.length);
        }
        mark(out, options);
        return out;
    }

private:
    struct match {
        std::size_t begin;
        std::size_t end;
        std::size_t term;
    };
    using extent = std::pair<std::size_t, std::size_t>;

    void learn(std::string_view term, double weight) {
        auto const [place, is_new] = terms_.try_emplace(std::string(term), weights_.size());
        if (is_new) weights_.push_back(0);
        weights_[place->second] += weight;
    }

    // From the first match to the last of the window of at most length bytes whose terms weigh
    // most; of equal ones that with more matches, then the first. Empty at 0 if no match fits.
    [[nodiscard]] extent best_window(std::size_t length) const {
        extent best{0, 0};
        double most = -(std::numeric_limits<double>::max)();
        std::size_t count = 0;
        std::vector<std::size_t> inside(weights_.size());
        std::size_t next = 0;
        std::size_t end = 0;
        for (std::size_t first = 0; first < matches_.size(); ++first) {
            if (next <= first) {
                next = first;
                end = 0;
            }
            for (; next < matches_.size() && matches_[next].end - matches_[first].begin <= length;
                 ++next) {
                ++inside[matches_[next].term];
                end = (std::max)(end, matches_[next].end);
            }
            if (next == first) continue; // longer than the window
            double weight = 0;
            for (std::size_t term = 0; term < inside.size(); ++term)
                weight += inside[term] > 0 ? weights_[term] : 0;
            if (weight > most || (weight == most && next - first > count)) {
                most = weight;
                count = next - first;
                best = {matches_[first].begin, end};
            }
            --inside[matches_[first].term];
        }
        return best;
    }

    // The window with as much of its sentences around it as fits, or else of its words.
    [[nodiscard]] extent widened(std::size_t first, std::size_t last, std::size_t length) const {
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
            at = past_sentence(text_, at, text_.size());
            if (at <= limit) end = (std::max)(end, at);
        }
        // A passage of less than half its length has words to follow.
        if (end == last || end - begin < length / 2) end = boundary_before(limit, end);
        if (end == begin) end = character_before(limit); // one word, longer than the passage
        return trimmed_extent(begin, end, first, last);
    }

    [[nodiscard]] std::size_t sentence_before(std::size_t at) const noexcept {
        std::size_t begin = 0;
        for (auto next = begin; next <= at && next < text_.size();) {
            begin = next;
            next = past_sentence(text_, begin, text_.size());
        }
        return begin;
    }

    // The first word boundary at or after from, at most otherwise.
    [[nodiscard]] std::size_t boundary_from(
        std::size_t from, std::size_t otherwise) const noexcept {
        word_breaks const breaks(text_);
        std::size_t at = 0;
        while (at < from) at = breaks.next(at);
        return (std::min)(at, otherwise);
    }

    // The last word boundary at or before limit, at least otherwise.
    [[nodiscard]] std::size_t boundary_before(
        std::size_t limit, std::size_t otherwise) const noexcept {
        word_breaks const breaks(text_);
        std::size_t last = 0;
        for (std::size_t at = 0; at <= limit; at = breaks.next(at)) {
            last = at;
            if (at == text_.size()) break;
        }
        return (std::max)(last, otherwise);
    }

    [[nodiscard]] std::size_t character_before(std::size_t limit) const noexcept {
        std::size_t last = 0;
        for (std::size_t at = 0; at <= limit && at < text_.size();) {
            last = at;
            auto const bytes = decode_utf8(text_, at).bytes;
            at += bytes == 0 ? 1 : bytes;
        }
        return limit == text_.size() ? limit : last;
    }

    // Without the blanks at its ends, but never less than the matches.
    [[nodiscard]] extent trimmed_extent(
        std::size_t begin, std::size_t end, std::size_t first, std::size_t last) const noexcept {
        auto const is_blank = [&](std::size_t at) { return blanks.find(text_[at]) != blanks.npos; };
        auto const keep = last > first;
        while (begin < (keep ? first : end) && is_blank(begin)) ++begin;
        while (end > (keep ? last : begin) && is_blank(end - 1)) --end;
        return {begin, end};
    }

    void mark(highlighted_passage& out, highlight_options const& options) const {
        auto copied = out.begin;
        auto const copy_to = [&](std::size_t end) {
            out.text.append(text_.substr(copied, end - copied));
            copied = end;
        };
        for (std::size_t i = 0; i < matches_.size();) {
            auto const begin = matches_[i].begin;
            std::size_t end = 0;
            // Those that overlap or touch are one.
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

    std::string_view text_;
    std::unordered_map<std::string, std::size_t> terms_; // place in weights_
    std::vector<double> weights_;
    std::vector<match> matches_;
};

} // namespace detail

/// The passage of a text that says most about a question, its matches marked.
///
///     highlight(text, {.text = "refund"}, english_analyzer{}, {.before = "**", .after = "**"}).text
///
/// A match is a token whose term is one of the question's; matches that overlap or touch are marked
/// as one. The passage holds the matches whose distinct terms weigh most within options.length
/// bytes (of equal ones those with more matches, then the first), and as much of the sentences
/// round them as fits, else of the words; never a part of a character. Without a match it is the
/// beginning of the text. Marks come as they are given and the text as it is: to show it in HTML,
/// mark with bytes that the text cannot have, escape, then replace them.
/// @param q  its terms if there are any, as the analyzer gives them, else its text; each term
/// weighs 1, a repeated one more
/// @param a  the analyzer of the index
/// @throws trawl::error (invalid_argument) if a weight is not finite, or a text too long for the
/// analyzer.
/// @par Complexity O(n + m q) besides the analysis; n bytes, m matches, q terms.
template <analyzer A = standard_analyzer>
[[nodiscard]] highlighted_passage highlight(
    std::string_view text, query const& q, A const& a = {}, highlight_options const& options = {}) {
    return detail::highlighter(text, q, a).passage(options);
}

TRAWL_END_NAMESPACE
