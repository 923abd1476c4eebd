// SPDX-License-Identifier: MIT
#pragma once

/// Lexical indexes of fields in files, by trawl::save and trawl::open: docs/formats.md,
/// "bm25f_index".

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/lexical/detail/segments/index_sections.hpp>
#include <trawl/lexical/storage.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct bm25f_file_field {
    std::uint64_t total_length = 0;
    std::uint32_t longest = 0;
    std::uint32_t has_b = 0;
    std::uint64_t weight = 0; ///< bits of a double, as b
    std::uint64_t b = 0;
};

template <analyzer Analyzer>
struct stored<basic_bm25f_index<Analyzer>> {
    using index = basic_bm25f_index<Analyzer>;
    static constexpr std::string_view kind = "bm25f_index";
    static constexpr std::uint32_t version = 1;

    static void save(
        index const& from, std::string const& path, function_ref<void(section_writer&)> add_more) {
        auto const moment = from.index_.read();
        auto const& first = *moment->front();
        std::deque<saved_index> arrays; // where they are, they stay
        std::vector<bm25f_file_field> fields;
        std::string names;
        for (std::size_t i = 0; i < moment->size(); ++i) {
            auto const& [name, weight, b] = from.fields_[i];
            arrays.emplace_back(*(*moment)[i], from.options_.positions);
            fields.push_back({.total_length = (*moment)[i]->total_length,
                .longest = arrays[i].all().longest,
                .has_b = b ? 1u : 0u,
                .weight = std::bit_cast<std::uint64_t>(weight),
                .b = std::bit_cast<std::uint64_t>(b.value_or(0))});
            names.append(name).push_back('\0');
        }
        bm25_file_head head{.documents = first.live,
            .analyzer = fingerprint(from.analyzer_),
            .first_id = arrays[0].all().first_id,
            .next_id = first.next_id};
        head.set(from.parameters_);
        section_writer writer(kind, version);
        writer.add("head", std::span(&head, 1));
        writer.add("fields", std::span(fields));
        writer.add("field names", std::span(names));
        writer.add("ids", arrays[0].all().ids);
        for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i].add_to(writer, prefix(i));
        add_more(writer);
        writer.write(path);
    }

    [[nodiscard]] static index open(std::string const& path, open_options options) {
        return open(section_file(path, kind, version, options), Analyzer());
    }

    [[nodiscard]] static index open(section_file const& file, Analyzer analyzer) {
        auto const head = file.value<bm25_file_head>("head");
        check_analyzer(file, head, analyzer);
        auto const stored_fields = file.array<bm25f_file_field>("fields");
        auto names = file.text("field names");
        std::vector<bm25_field> fields;
        std::vector<inverted_index::reader> begin;
        for (std::size_t i = 0; i < stored_fields.size(); ++i) {
            auto const& field = stored_fields[i];
            auto const end = names.find('\0');
            if (end == names.npos) file.fail("has fewer names than fields");
            fields.push_back({std::string(names.substr(0, end)),
                std::bit_cast<double>(field.weight),
                field.has_b != 0 ? std::optional(std::bit_cast<double>(field.b)) : std::nullopt});
            names.remove_prefix(end + 1);
            begin.push_back(opened_index(file, prefix(i), head, field.total_length, field.longest));
        }
        index made(std::move(fields), std::move(analyzer), head.get(file),
            {.positions = file.has(prefix(0) + "positions")});
        made.index_ = inverted_fields(begin);
        return made;
    }

private:
    [[nodiscard]] static std::string prefix(std::size_t field) { return join(field, " "); }
};

} // namespace detail

/// Writes an index of fields to a file, as save of a bm25_index does.
/// @throws trawl::error (io).
template <analyzer Analyzer>
void save(
    basic_bm25f_index<Analyzer> const& index, std::string const& path,
    function_ref<void(section_writer&)> add_more = [](section_writer&) {}) {
    detail::stored<basic_bm25f_index<Analyzer>>::save(index, path, add_more);
}

TRAWL_END_NAMESPACE
