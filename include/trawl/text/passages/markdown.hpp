// SPDX-License-Identifier: MIT
#pragma once

/// The structure of a markdown text as far as cutting it into passages needs it: front matter,
/// headings, and blocks that belong together.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// The keys and values of a front matter.
using front_matter = std::map<std::string, std::string, std::less<>>;

enum class block_kind : unsigned char { heading, paragraph, list, table, code };

/// A stretch of lines, the bytes [begin, end) of the text without the last line's end.
struct markdown_block {
    block_kind kind = block_kind::paragraph;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t level = 0;       ///< of a heading, 1 to 6
    std::string_view title = {}; ///< of a heading, without its marks
};

struct markdown_document {
    front_matter metadata;
    std::vector<markdown_block> blocks; ///< in the order of the text
};

namespace detail {

inline constexpr std::string_view blanks = " \t\r\n\f\v";

[[nodiscard]] inline std::string_view trimmed(std::string_view text) noexcept {
    auto const first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Three or more of one of - * _ and nothing else. The line is trimmed.
[[nodiscard]] inline bool thematic_break(std::string_view line) noexcept {
    if (line.empty() || std::string_view("-*_").find(line.front()) == std::string_view::npos)
        return false;
    auto const marks = std::count(line.begin(), line.end(), line.front());
    auto const gaps =
        std::count_if(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\t'; });
    return marks >= 3 && static_cast<std::size_t>(marks + gaps) == line.size();
}

/// One of - * + or a number of at most nine digits with . or ), then a blank. The line is trimmed.
[[nodiscard]] inline bool starts_list_item(std::string_view line) noexcept {
    if (line.empty() || thematic_break(line)) return false;
    auto marker = std::size_t{1};
    if (std::string_view("-*+").find(line.front()) == std::string_view::npos) {
        auto const digits = (std::min)(line.find_first_not_of("0123456789"), line.size());
        if (digits == 0 || digits > 9 || digits == line.size()) return false;
        if (line[digits] != '.' && line[digits] != ')') return false;
        marker = digits + 1;
    }
    return marker == line.size() || line[marker] == ' ' || line[marker] == '\t';
}

class markdown_parser {
public:
    explicit markdown_parser(std::string_view text) : text_(text) {
        for (std::size_t at = 0; at < text.size();) {
            auto const end = (std::min)(text.find_first_of("\r\n", at), text.size());
            lines_.push_back({at, end});
            at = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
        }
    }

    [[nodiscard]] markdown_document parse() {
        read_front_matter();
        while (at_ < lines_.size()) {
            if (blank(at_)) {
                ++at_;
            } else if (auto const marks = fence(at_); !marks.empty()) {
                take(block_kind::code, past_fence(at_, marks));
            } else if (indented(at_)) {
                take(block_kind::code, past_indented_code());
            } else if (heading_level(at_) > 0) {
                auto const level = heading_level(at_);
                take_heading(level, at_ + 1, heading_title(content(at_).substr(level)));
            } else if (rule(at_)) {
                take(block_kind::paragraph, at_ + 1);
            } else if (list_item(at_)) {
                take(block_kind::list, past_list());
            } else if (table(at_)) {
                auto end = at_ + 2;
                while (end < lines_.size() && !blank(end)) ++end;
                take(block_kind::table, end);
            } else {
                take_paragraph();
            }
        }
        return std::move(out_);
    }

private:
    struct line {
        std::size_t begin;
        std::size_t end;
    };

    [[nodiscard]] std::string_view whole(std::size_t i) const noexcept {
        return text_.substr(lines_[i].begin, lines_[i].end - lines_[i].begin);
    }
    [[nodiscard]] std::string_view content(std::size_t i) const noexcept {
        return trimmed(whole(i));
    }
    [[nodiscard]] bool blank(std::size_t i) const noexcept { return content(i).empty(); }

    // Columns before the first character; a tab goes to the next multiple of 4.
    [[nodiscard]] std::size_t indent(std::size_t i) const noexcept {
        std::size_t columns = 0;
        for (char const c : whole(i)) {
            if (c == '\t') {
                columns += 4 - columns % 4;
            } else if (c == ' ') {
                ++columns;
            } else {
                break;
            }
        }
        return columns;
    }
    [[nodiscard]] bool indented(std::size_t i) const noexcept { return indent(i) >= 4; }

    // The backticks or tildes that open a fenced block, at any indentation, for lists hold such
    // blocks too.
    [[nodiscard]] std::string_view fence(std::size_t i) const noexcept {
        auto const text = content(i);
        if (text.empty() || (text.front() != '`' && text.front() != '~')) return {};
        auto const marks = text.substr(0, text.find_first_not_of(text.front()));
        if (marks.size() < 3) return {};
        if (marks.front() == '`' && text.find('`', marks.size()) != std::string_view::npos)
            return {};
        return marks;
    }

    // A fence that is never closed reaches to the end of the text.
    [[nodiscard]] std::size_t past_fence(std::size_t open, std::string_view marks) const noexcept {
        for (auto i = open + 1; i < lines_.size(); ++i) {
            auto const text = content(i);
            if (text.size() >= marks.size()
                && text.find_first_not_of(marks.front()) == std::string_view::npos)
                return i + 1;
        }
        return lines_.size();
    }

    [[nodiscard]] std::size_t past_indented_code() const noexcept {
        auto end = at_ + 1;
        for (auto i = end; i < lines_.size() && (blank(i) || indented(i)); ++i) {
            if (!blank(i)) end = i + 1;
        }
        return end;
    }

    [[nodiscard]] std::size_t heading_level(std::size_t i) const noexcept {
        auto const text = content(i);
        auto const level = (std::min)(text.find_first_not_of('#'), text.size());
        if (level == 0 || level > 6 || indented(i)) return 0;
        return level == text.size() || blanks.find(text[level]) != std::string_view::npos ? level
                                                                                          : 0;
    }

    [[nodiscard]] static std::string_view heading_title(std::string_view text) noexcept {
        text = trimmed(text);
        auto const last = text.find_last_not_of('#');
        if (last == std::string_view::npos) return {};
        if (blanks.find(text[last]) == std::string_view::npos) return text;
        return trimmed(text.substr(0, last));
    }

    [[nodiscard]] bool rule(std::size_t i) const noexcept { return thematic_break(content(i)); }
    [[nodiscard]] bool list_item(std::size_t i) const noexcept {
        return starts_list_item(content(i));
    }

    // A list goes on over blank lines as long as items or indented lines follow.
    [[nodiscard]] std::size_t past_list() const noexcept {
        auto end = at_ + 1;
        for (auto i = end; i < lines_.size();) {
            auto const inside = list_item(i) || indent(i) >= 2;
            auto const after_blank = end < i;
            if (blank(i)) {
                ++i;
                continue;
            }
            auto const marks = fence(i);
            if (!inside && (after_blank || !marks.empty() || heading_level(i) > 0 || rule(i)))
                break;
            i = end = marks.empty() ? i + 1 : past_fence(i, marks);
        }
        return end;
    }

    // A row with a bar above a row of dashes, bars and colons.
    [[nodiscard]] bool table(std::size_t i) const noexcept {
        if (i + 1 >= lines_.size() || content(i).find('|') == std::string_view::npos) return false;
        auto const below = content(i + 1);
        return below.find('-') != std::string_view::npos
               && below.find('|') != std::string_view::npos
               && below.find_first_not_of("-|: \t") == std::string_view::npos;
    }

    // The level of the heading that this line makes of the paragraph above it.
    [[nodiscard]] std::size_t underline(std::size_t i) const noexcept {
        auto const text = content(i);
        if (text.empty() || indented(i)) return 0;
        if (text.find_first_not_of('=') == std::string_view::npos) return 1;
        return text.find_first_not_of('-') == std::string_view::npos ? 2 : 0;
    }

    void take_paragraph() {
        auto end = at_ + 1;
        for (; end < lines_.size() && !blank(end); ++end) {
            if (auto const level = underline(end); level > 0) {
                auto const first = lines_[at_].begin;
                take_heading(
                    level, end + 1, trimmed(text_.substr(first, lines_[end].begin - first)));
                return;
            }
            if (!fence(end).empty() || heading_level(end) > 0 || rule(end) || list_item(end)
                || table(end))
                break;
        }
        take(block_kind::paragraph, end);
    }

    void take_heading(std::size_t level, std::size_t end, std::string_view title) {
        take(block_kind::heading, end);
        out_.blocks.back().level = level;
        out_.blocks.back().title = title;
    }

    void take(block_kind kind, std::size_t end) {
        out_.blocks.push_back({kind, lines_[at_].begin, lines_[end - 1].end});
        at_ = end;
    }

    void read_front_matter() {
        if (lines_.empty()) return;
        if (text_.starts_with("\xEF\xBB\xBF")) lines_.front().begin = 3;
        if (whole(0).substr(0, 3) != "---" || content(0) != "---") return;
        auto end = std::size_t{1};
        while (end < lines_.size() && content(end) != "---" && content(end) != "...") ++end;
        if (end == lines_.size()) return; // never closed: it is text
        for (auto i = std::size_t{1}; i < end; ++i) read_entry(whole(i));
        at_ = end + 1;
    }

    void read_entry(std::string_view entry) {
        auto const colon = entry.find(':');
        if (colon == std::string_view::npos
            || std::string_view(" \t#-").find(entry.front()) != std::string_view::npos)
            return;
        auto value = trimmed(entry.substr(colon + 1));
        if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')
            && value.back() == value.front()) {
            value = value.substr(1, value.size() - 2);
        } else if (auto const comment = value.find(" #"); comment != std::string_view::npos) {
            value = trimmed(value.substr(0, comment));
        }
        out_.metadata.insert_or_assign(
            std::string(trimmed(entry.substr(0, colon))), std::string(value));
    }

    std::string_view text_;
    std::vector<line> lines_;
    std::size_t at_ = 0;
    markdown_document out_;
};

} // namespace detail

/// Reads the structure of a markdown text: ATX and setext headings, fenced and indented code,
/// tables, lists; everything else is a paragraph. Line ends may be LF, CRLF or CR; any text is
/// allowed. The views in the result point into the text. O(n).
///
/// Front matter stands between two lines --- at the very beginning. Its `key: value` lines without
/// indentation become metadata, unquoted; nested values are passed over. If it is never closed, it
/// is text.
[[nodiscard]] inline markdown_document parse_markdown(std::string_view text) {
    return detail::markdown_parser(text).parse();
}

TRAWL_END_NAMESPACE
