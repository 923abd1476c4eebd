// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of markdown.hpp.

#include <trawl/text/passages/markdown.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/text/detail/blanks.hpp>
#include <trawl/text/detail/markdown_lines.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A name of a few characters; longer ones are cut.
class small_name {
public:
    void push_back(char c) noexcept {
        if (size_ < sizeof text_) text_[size_++] = c;
    }
    operator std::string_view() const noexcept { // NOLINT(google-explicit-constructor)
        return {text_, size_};
    }
    friend bool operator==(small_name const& a, std::string_view b) noexcept {
        return std::string_view(a) == b;
    }

private:
    char text_[16] = {};
    std::size_t size_ = 0;
};

class markdown_parser {
public:
    explicit markdown_parser(std::string_view text) : text_(text) {
        for (std::size_t at = 0; at < text.size();) {
            auto end = text.find_first_of("\r\n", at);
            if (end == text.npos) end = text.size();
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
            } else if (auto const html = past_html(at_); html > at_) {
                take(html_kind_, html);
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
        TRAWL_COUNT(lines_[i].end - lines_[i].begin);
        return trimmed(whole(i));
    }
    [[nodiscard]] bool blank(std::size_t i) const noexcept { return content(i).empty(); }

    [[nodiscard]] bool holds(
        std::size_t i, std::string_view what, std::size_t from) const noexcept {
        return whole(i).find(what, from) != std::string_view::npos;
    }

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
        auto level = text.find_first_not_of('#');
        if (level == text.npos) level = text.size();
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

    // A list continues over blank lines as long as items or indented lines follow.
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
                || table(end) || past_html(end) > end)
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

    // The end of the HTML block that begins on a line, or the line itself; html_kind_ is its kind.
    // The kinds 1 to 6 of CommonMark 0.31, section 4.6.
    [[nodiscard]] std::size_t past_html(std::size_t i) noexcept {
        auto const text = content(i);
        if (text.size() < 2 || text.front() != '<' || indented(i)) return i;
        auto const from = static_cast<std::size_t>(text.data() - whole(i).data());
        html_kind_ = block_kind::code;
        if (text.starts_with("<!--")) return past_line_with("-->", i, from + 2);
        if (text.starts_with("<?")) return past_line_with("?>", i, from + 2);
        if (text.starts_with("<![CDATA[")) return past_line_with("]]>", i, from);
        if (text[1] == '!' && text.size() > 2 && is_letter(text[2]))
            return past_line_with(">", i, from);
        auto const tag = tag_name(text);
        for (std::string_view const verbatim : {"pre", "script", "style", "textarea"}) {
            if (tag == verbatim && text[1] != '/') return past_closing_tag(i, from);
        }
        html_kind_ = block_kind::paragraph;
        if (!is_block_tag(tag)) return i;
        auto end = i + 1;
        while (end < lines_.size() && !blank(end)) ++end;
        return end;
    }

    [[nodiscard]] std::size_t past_line_with(
        std::string_view what, std::size_t i, std::size_t from) const noexcept {
        for (; i < lines_.size(); ++i, from = 0) {
            if (holds(i, what, from)) return i + 1;
        }
        return lines_.size();
    }

    [[nodiscard]] std::size_t past_closing_tag(std::size_t i, std::size_t from) const noexcept {
        for (; i < lines_.size(); ++i, from = 0) {
            for (auto at = whole(i).find("</", from); at != std::string_view::npos;
                 at = whole(i).find("</", at + 2)) {
                auto const tag = tag_name(whole(i).substr(at));
                if (tag == "pre" || tag == "script" || tag == "style" || tag == "textarea")
                    return i + 1;
            }
        }
        return lines_.size();
    }

    [[nodiscard]] static bool is_letter(char c) noexcept {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    // The name of the tag that a text begins with, in small letters; empty if it is none.
    [[nodiscard]] static small_name tag_name(std::string_view text) noexcept {
        small_name out;
        auto at = std::size_t{text.starts_with("</") ? 2u : 1u};
        for (; at < text.size() && (is_letter(text[at]) || (text[at] >= '0' && text[at] <= '9'));
             ++at)
            out.push_back(static_cast<char>(text[at] | 0x20));
        auto const ends = at == text.size() || text[at] == '>' || text[at] == '/'
                          || blanks.find(text[at]) != blanks.npos;
        return ends ? out : small_name();
    }

    [[nodiscard]] static bool is_block_tag(std::string_view tag) noexcept {
        constexpr std::string_view tags =
            " address article aside base basefont blockquote body caption center col colgroup dd "
            "details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 "
            "h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav "
            "noframes ol optgroup option p param search section summary table tbody td tfoot th "
            "thead title tr track ul ";
        for (auto at = tags.find(tag); !tag.empty() && at != tags.npos;
             at = tags.find(tag, at + 1)) {
            if (tags[at - 1] == ' ' && tags[at + tag.size()] == ' ') return true;
        }
        return false;
    }

    void read_front_matter() {
        if (lines_.empty()) return;
        if (text_.starts_with("\xEF\xBB\xBF")) lines_.front().begin = 3;
        if (whole(0).substr(0, 3) != "---" || content(0) != "---") return;
        if (lines_.size() > 1 && blank(1)) return; // a rule above text, as in Pandoc
        auto end = std::size_t{1};
        std::size_t entries = 0;
        std::size_t others = 0;
        for (; end < lines_.size() && content(end) != "---" && content(end) != "..."; ++end) {
            if (blank(end) || std::string_view(" \t#-").find(whole(end).front()) != blanks.npos)
                continue;
            ++(colon_of(whole(end)) != std::string_view::npos ? entries : others);
            if (entries == 0) return; // prose
        }
        if (end == lines_.size() || entries <= others) return; // never closed, or text
        std::vector<front_matter::value_type> found;
        for (auto i = std::size_t{1}; i < end; ++i) read_entry(whole(i), found);
        out_.metadata = front_matter(std::move(found));
        at_ = end + 1;
    }

    // Where the key of an entry ends; npos if the line is none. A key has no blanks.
    [[nodiscard]] static std::size_t colon_of(std::string_view line) noexcept {
        if (line.empty() || std::string_view(" \t#-").find(line.front()) != std::string_view::npos)
            return std::string_view::npos;
        auto const colon = line.find(':');
        if (colon == 0 || colon == std::string_view::npos) return std::string_view::npos;
        if (trimmed(line.substr(0, colon)).find_first_of(blanks) != std::string_view::npos)
            return std::string_view::npos;
        auto const ends = colon + 1 == line.size() || blanks.find(line[colon + 1]) != blanks.npos;
        return ends ? colon : std::string_view::npos;
    }

    static void read_entry(std::string_view entry, std::vector<front_matter::value_type>& found) {
        auto const colon = colon_of(entry);
        if (colon == std::string_view::npos) return;
        auto value = trimmed(entry.substr(colon + 1));
        if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')
            && value.back() == value.front()) {
            value = value.substr(1, value.size() - 2);
        } else if (auto const comment = value.find(" #"); comment != std::string_view::npos) {
            value = trimmed(value.substr(0, comment));
        }
        found.emplace_back(trimmed(entry.substr(0, colon)), value);
    }

    block_kind html_kind_ = block_kind::code;
    std::string_view text_;
    std::vector<line> lines_;
    std::size_t at_ = 0;
    markdown_document out_;
};

} // namespace detail

TRAWL_INLINE front_matter::front_matter(std::vector<value_type> entries)
    : entries_(std::move(entries)) {
    std::stable_sort(entries_.begin(), entries_.end(),
        [](value_type const& a, value_type const& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (auto& entry : entries_) {
        if (kept > 0 && entries_[kept - 1].first == entry.first) --kept; // the last one counts
        if (&entries_[kept] != &entry) entries_[kept] = std::move(entry);
        ++kept;
    }
    entries_.resize(kept);
}

TRAWL_INLINE front_matter::front_matter(std::initializer_list<value_type> entries)
    : front_matter(std::vector<value_type>(entries)) {}

TRAWL_INLINE front_matter::const_iterator front_matter::find(std::string_view key) const noexcept {
    auto const at = std::lower_bound(entries_.begin(), entries_.end(), key,
        [](value_type const& entry, std::string_view k) { return entry.first < k; });
    return at != entries_.end() && at->first == key ? at : entries_.end();
}

TRAWL_INLINE std::string const& front_matter::at(std::string_view key) const {
    auto const found = find(key);
    if (found == end()) {
        detail::fail(errc::invalid_argument,
            detail::join("front_matter::at: no key '", key, "' among ", size(), " entries"));
    }
    return found->second;
}

TRAWL_INLINE markdown_document parse_markdown(std::string_view text) {
    return detail::markdown_parser(text).parse();
}

TRAWL_END_NAMESPACE
