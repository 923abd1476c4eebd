// SPDX-License-Identifier: MIT
#pragma once

/// Parses the structure of a markdown text as far as cutting it into passages needs it: front matter,
/// headings, and blocks that belong together.

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// The entries of a front matter, by ascending key; keys are unique.
class front_matter {
public:
    using value_type = std::pair<std::string, std::string>; ///< key and value
    using const_iterator = std::vector<value_type>::const_iterator;

    front_matter() = default;
    /// Of entries with the same key, the last one counts. O(n log n).
    explicit front_matter(std::vector<value_type> entries);
    front_matter(std::initializer_list<value_type> entries);

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] const_iterator begin() const noexcept { return entries_.begin(); }
    [[nodiscard]] const_iterator end() const noexcept { return entries_.end(); }

    /// end() if there is no such key. O(log n).
    [[nodiscard]] const_iterator find(std::string_view key) const noexcept;
    [[nodiscard]] bool contains(std::string_view key) const noexcept { return find(key) != end(); }
    /// @throws trawl::error (invalid_argument) if there is no such key.
    [[nodiscard]] std::string const& at(std::string_view key) const;

    friend bool operator==(front_matter const& a, front_matter const& b) {
        return a.entries_ == b.entries_;
    }

private:
    std::vector<value_type> entries_;
};

enum class block_kind : unsigned char { heading, paragraph, list, table, code };

/// A range of lines, the bytes [begin, end) of the text without the last line's end.
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

/// Parses ATX and setext headings, fenced and indented code, tables, lists and HTML blocks;
/// everything else is a paragraph. HTML that is taken as it stands (comments, <pre>, <script>,
/// <style>, <textarea>, declarations) counts as code. Lines end with LF, CRLF or CR; any text is
/// allowed. The views in the result point into the text. O(n).
///
/// Front matter stands between two lines --- at the very beginning, the first without a blank line
/// below it: `key: value` entries, one of them before any other line, and more of them than other
/// lines; comments, list items and indented lines do not count and are not read. Values are
/// unquoted. Anything else between such lines is text, and so is a front matter that is never closed.
[[nodiscard]] markdown_document parse_markdown(std::string_view text);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/markdown_inl.hpp>
#endif
