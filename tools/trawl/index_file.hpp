// SPDX-License-Identifier: MIT
#pragma once

/// The files of trawl index: a lexical index, and a line about each document.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <trawl/formats/beir.hpp>
#include <trawl/storage/sections.hpp>

#include "lexical.hpp"
#include "options.hpp"

namespace cli {

/// A document's key and its title, or how its text begins: one line.
[[nodiscard]] std::string line_about(trawl::beir_corpus const& corpus, trawl::doc_id id);

class index_file {
public:
    /// @param options  whether queries are parsed, and how strictly; nothing else is read.
    /// @throws trawl::error (io; corrupt).
    index_file(std::string const& path, retrieval_options const& options);

    [[nodiscard]] trawl::any_retriever const& lexical() const noexcept { return index_; }
    [[nodiscard]] std::string_view line(trawl::doc_id id) const;

    static void write(std::string const& path, trawl::beir_corpus const& corpus,
        retrieval_options const& options);

private:
    trawl::section_file file_;
    trawl::any_retriever index_;
    std::span<char const> lines_;
    std::span<std::uint64_t const> ends_;
};

} // namespace cli
