// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of citations.hpp.

#include <trawl/text/passages/citations.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/text/detail/blanks.hpp>
#include <trawl/text/passages/sentences.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline bool is_of_word(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
           || (static_cast<unsigned char>(c) & 0x80u) != 0;
}

/// Keys and where each stood first. Looking one up is O(log keys).
class key_places {
public:
    void add(std::string_view key, std::size_t place) { places_.emplace_back(key, place); }

    /// After the last add.
    void sort() {
        std::sort(places_.begin(), places_.end());
        places_.erase(std::unique(places_.begin(), places_.end(),
                          [](auto const& a, auto const& b) { return a.first == b.first; }),
            places_.end());
    }

    static constexpr std::size_t none = ~std::size_t{0};

    [[nodiscard]] std::size_t find(std::string_view key) const noexcept {
        auto const at = std::lower_bound(places_.begin(), places_.end(), key,
            [](auto const& place, std::string_view k) { return place.first < k; });
        return at != places_.end() && at->first == key ? at->second : none;
    }

private:
    std::vector<std::pair<std::string_view, std::size_t>> places_;
};

/// Reads a sentence: its citations, and its text without them.
class citation_reader {
public:
    struct citation {
        std::string_view key;
        bool leading; ///< no word stands before it in the sentence
    };

    explicit citation_reader(std::string_view sentence) : text_(sentence) {
        for (std::size_t at = 0; at < text_.size();) {
            auto const next = text_[at] == '[' ? past_citation(at) : at;
            TRAWL_COUNT(1);
            if (next == at) {
                rest_ += text_[at];
                has_word_ = has_word_ || is_of_word(text_[at]);
                ++at;
            } else {
                at = next;
            }
        }
    }

    [[nodiscard]] std::vector<citation> const& citations() const noexcept { return citations_; }
    [[nodiscard]] std::string const& rest() const noexcept { return rest_; }
    [[nodiscard]] bool has_word() const noexcept { return has_word_; } ///< in the rest

private:
    // The next place of a bracket from `at` on; asked for ascending places, so that each byte is
    // looked at once.
    [[nodiscard]] std::size_t next(
        char bracket, std::size_t at, std::size_t& known) const noexcept {
        if (known == unknown || known < at) {
            known = (std::min)(text_.find(bracket, at), text_.size());
            TRAWL_COUNT(known - at);
        }
        return known;
    }

    // The end of the citation that begins with the bracket at `at`; `at` if it is none.
    [[nodiscard]] std::size_t past_citation(std::size_t at) {
        auto const close = next(']', at, close_);
        if (close == text_.size() || next('[', at + 1, open_) < close) return at;
        if (text_.substr(close + 1, 1) == "(") return at;
        auto inside = text_.substr(at + 1, close - at - 1);
        TRAWL_COUNT(inside.size());
        auto const before = citations_.size();
        while (!inside.empty()) {
            auto const end = (std::min)(inside.find_first_of(",;"), inside.size());
            auto const key = trimmed(inside.substr(0, end));
            if (key.find_first_of(blanks) != std::string_view::npos) {
                citations_.resize(before);
                return at;
            }
            if (!key.empty()) citations_.push_back({key, !has_word_});
            inside.remove_prefix((std::min)(end + 1, inside.size()));
        }
        return citations_.size() > before ? close + 1 : at;
    }

    static constexpr std::size_t unknown = ~std::size_t{0};

    std::string_view text_;
    std::size_t open_ = unknown;
    std::size_t close_ = unknown;
    std::vector<citation> citations_;
    std::string rest_;
    bool has_word_ = false;
};

} // namespace detail

TRAWL_INLINE citation_report check_citations(
    std::string_view answer, context const& given, filter eligible) {
    citation_report out;
    detail::key_places passages;
    for (std::size_t i = 0; i < given.passages.size(); ++i) passages.add(given.passages[i].key, i);
    passages.sort();
    std::vector<char> cited(given.passages.size()); // at the first passage of a key
    std::vector<std::string_view> invented;
    auto const note = [&](std::string_view key) {
        auto const at = passages.find(key);
        if (at == detail::key_places::none) return invented.push_back(key);
        if (cited[at] != 0) return;
        cited[at] = 1;
        out.cited.emplace_back(key);
        if (!eligible.admits(given.passages[at].id)) out.outside_filter.emplace_back(key);
    };
    bool open = false; // the sentence before has no citation yet
    for (auto const sentence : sentences(answer)) {
        bool cites = false;
        detail::citation_reader const read(sentence);
        for (auto const& found : read.citations()) {
            note(found.key);
            if (found.leading && open) {
                out.without_citation.pop_back();
                open = false;
            } else {
                cites = true;
            }
        }
        if (read.rest().find(no_answer) != std::string::npos) {
            out.abstains = true;
            open = false;
        } else if (read.has_word()) {
            open = !cites;
            if (open) out.without_citation.emplace_back(sentence);
        }
    }
    detail::key_places first; // of the invented
    for (std::size_t i = 0; i < invented.size(); ++i) first.add(invented[i], i);
    first.sort();
    for (std::size_t i = 0; i < invented.size(); ++i) {
        if (first.find(invented[i]) == i) out.invented.emplace_back(invented[i]);
    }
    for (auto const& p : given.passages) {
        auto& seen = cited[passages.find(p.key)];
        if (seen == 0 && !eligible.admits(p.id)) {
            seen = 1;
            out.ineligible_uncited.push_back(p.key);
        }
    }
    return out;
}

TRAWL_INLINE std::string to_text(citation_report const& report) {
    std::string out;
    auto const line = [&](std::string_view what, std::vector<std::string> const& items) {
        out += detail::join(what, ": ");
        if (items.empty()) out += "none";
        for (std::size_t i = 0; i < items.size(); ++i)
            out += detail::join(i == 0 ? "" : ", ", items[i]);
        out += '\n';
    };
    line("cited", report.cited);
    line("invented ids", report.invented);
    line("cited but outside the filter", report.outside_filter);
    line("ineligible in the context, though uncited", report.ineligible_uncited);
    line("statements without a citation", report.without_citation);
    if (report.abstains) out += "the answer says that the context does not hold it\n";
    return out + detail::join(citation_caveat, "\n");
}

TRAWL_INLINE failure_kind diagnose(std::span<hit const> found, context const& given,
    citation_report const& report, std::span<doc_id const> answering, bool is_right) {
    std::vector<doc_id> sorted(answering.begin(), answering.end());
    std::sort(sorted.begin(), sorted.end());
    auto const answers = [&](auto const& item) {
        return std::binary_search(sorted.begin(), sorted.end(), item.id);
    };
    if (is_right) return failure_kind::none;
    if (!report.outside_filter.empty()) return failure_kind::ineligible;
    if (std::any_of(given.passages.begin(), given.passages.end(), answers))
        return failure_kind::wrong_answer;
    return std::any_of(found.begin(), found.end(), answers) ? failure_kind::ranked_too_low
                                                            : failure_kind::not_found;
}

TRAWL_END_NAMESPACE
