// SPDX-License-Identifier: MIT
#pragma once

/// LSA in files: docs/formats.md, "lsa_embedder". Includes Eigen.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/embed/detail/lsa_file.hpp>
#include <trawl/embed/lsa.hpp>
#include <trawl/storage/open.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <analyzer Analyzer>
struct stored<basic_lsa_embedder<Analyzer>> {
    using embedder = basic_lsa_embedder<Analyzer>;
    static constexpr std::string_view kind = "lsa_embedder";
    static constexpr std::uint32_t version = 1;

    static void save(embedder const& from, std::string const& path) {
        lsa_file_head const head{
            .dim = from.dim_, .terms = from.terms(), .analyzer = from.analyzer_fingerprint()};
        std::string text;
        std::vector<std::uint64_t> bounds = {0};
        for (doc_id term = 0; term < from.terms_.next_id(); ++term) {
            text.append(from.terms_.key(term));
            bounds.push_back(text.size());
        }
        section_writer writer(kind, version);
        writer.add("head", std::span(&head, 1));
        writer.add("term text", std::span<char const>(text));
        writer.add("term bounds", std::span<std::uint64_t const>(bounds));
        writer.add("weights", std::span<double const>(from.weights_));
        writer.add("projection", std::span<float const>(from.projection_));
        writer.write(path);
    }

    [[nodiscard]] static embedder open(std::string const& path, open_options options) {
        return open(section_file(path, kind, version, options), Analyzer());
    }

    [[nodiscard]] static embedder open(section_file const& file, Analyzer analyzer) {
        auto const head = file.value<lsa_file_head>("head");
        auto const weights = file.array<double>("weights");
        auto const projection = file.array<float>("projection");
        check_lsa(file, head, weights, projection);
        embedder made(std::move(analyzer), static_cast<std::size_t>(head.dim));
        if (made.analyzer_fingerprint() != head.analyzer)
            file.fail("was made with another analyzer than it is opened with");
        made.terms_ = opened_terms(file, weights.size());
        made.weights_.assign(weights.begin(), weights.end());
        made.projection_.assign(projection.begin(), projection.end());
        return made;
    }
};

} // namespace detail

/// Writes an embedder to a file, in one step: whoever reads the file meanwhile sees the old one or the
/// whole new one. trawl::open<lsa_embedder>(path) gives an embedder with the same fingerprint and, in a
/// program compiled alike, the same embeddings to the bit; it refuses a file of another analyzer.
/// @throws trawl::error (io), its text beginning "PATH: "; an old file then stays as it was.
/// @par Complexity O(terms * dim), as opening.
template <analyzer Analyzer>
void save(basic_lsa_embedder<Analyzer> const& embedder, std::string const& path) {
    detail::stored<basic_lsa_embedder<Analyzer>>::save(embedder, path);
}

TRAWL_END_NAMESPACE
