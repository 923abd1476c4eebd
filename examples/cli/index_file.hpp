// SPDX-License-Identifier: MIT
#pragma once

/// The files of trawl index: a lexical index, and a line about each document.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <trawl/io/beir.hpp>
#include <trawl/io/sections.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/text/any_analyzer.hpp>

namespace cli {

/// A document's key and its title, or how its text begins: one line.
[[nodiscard]] std::string line_about(trawl::beir_corpus const& corpus, trawl::doc_id id);

class index_file {
public:
    using index = trawl::basic_bm25_index<trawl::any_analyzer>;

    /// @throws trawl::error (io; corrupt).
    explicit index_file(std::string const& path);

    [[nodiscard]] index const& lexical() const noexcept { return index_; }
    [[nodiscard]] std::string_view line(trawl::doc_id id) const;

    static void write(std::string const& path, index const& lexical, std::string const& analyzer,
        trawl::beir_corpus const& corpus);

private:
    trawl::section_file file_;
    index index_;
    std::span<char const> lines_;
    std::span<std::uint64_t const> ends_;
};

} // namespace cli
