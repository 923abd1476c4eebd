// SPDX-License-Identifier: MIT
#pragma once

/// Inverted files in files: docs/formats.md, "inverted_file_index".

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/storage.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/storage/open.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct inverted_file_head {
    std::uint64_t probes = 0;
    std::uint64_t candidates = 0;
    std::uint64_t seed = 0;
};

template <>
struct stored<inverted_file_index> {
    using index = inverted_file_index;
    using flat = stored<flat_index>;
    static constexpr std::string_view kind = "inverted_file";
    static constexpr std::uint32_t version = 2;

    static void save(index const& from, std::string const& path) {
        section_writer writer(kind, version);
        flat::parts const full(from.full_);
        full.add_to(writer);
        inverted_file_head const head{
            from.options_.probes, from.options_.candidates, from.options_.seed};
        writer.add("list head", std::span(&head, 1));
        writer.add("margin", std::span(&from.options_.margin, 1));
        writer.add("centre", from.lists_.code.centre());
        writer.add("means", from.lists_.centres.values());
        std::vector<std::uint64_t> sizes;
        inverted_list all; // one after the other
        for (auto const& list : from.lists_.lists) {
            sizes.push_back(list.rows.size());
            append(all.rows, list.rows);
            append(all.live, list.live);
            append(all.coded.codes, list.coded.codes);
            append(all.coded.slopes, list.coded.slopes);
            append(all.coded.bases, list.coded.bases);
        }
        writer.add("list sizes", std::span<std::uint64_t const>(sizes));
        writer.add("list rows", std::span<std::uint32_t const>(all.rows));
        writer.add("list live", std::span<std::uint64_t const>(all.live));
        writer.add("codes", std::span<std::byte const>(all.coded.codes));
        writer.add("slopes", std::span<float const>(all.coded.slopes));
        writer.add("bases", std::span<float const>(all.coded.bases));
        writer.write(path);
    }

    [[nodiscard]] static index open(std::string const& path, open_options options) {
        section_file const file(path, kind, version, options);
        auto const flat_head = file.value<flat_file_head>("head");
        auto const head = file.value<inverted_file_head>("list head");
        auto const margin = file.value<double>("margin");
        if (flat_head.element != 0 || flat_head.has_vectors != 1)
            file.fail("holds no vectors of float");
        flat::check(file, flat_head);
        auto const centre = file.array<float>("centre");
        if (head.probes == 0 || head.candidates == 0 || !is_finite(margin) || margin < 0
            || centre.size() != flat_head.dim)
            file.fail("its options are at odds");
        index made(flat_head.dim, {static_cast<metric>(flat_head.metric), head.probes,
                                      head.candidates, head.seed, margin});
        flat::fill(made.full_, file, flat_head);
        for (auto const values : {centre, file.array<float>("means"), file.array<float>("slopes"),
                 file.array<float>("bases")}) {
            if (first_not_finite(values) != values.size())
                file.fail("has factors that are not finite");
        }
        made.lists_.code.centre(centre);
        if (file.array<float>("means").empty()) return made;
        made.lists_.centres = means_of(file, flat_head.dim);
        fill_lists(made, file);
        return made;
    }

private:
    template <class Vector>
    static void append(Vector& to, Vector const& from) {
        to.insert(to.end(), from.begin(), from.end());
    }

    static cluster_means means_of(section_file const& file, std::size_t dim) {
        auto const values = file.array<float>("means");
        matrix<float> means{
            std::vector<float>(values.begin(), values.end()), values.size() / dim, dim};
        if (values.size() % dim != 0
            || means.rows != file.array<std::uint64_t>("list sizes").size())
            file.fail("its numbers of lists are at odds");
        for (std::size_t c = 0; c < means.rows; ++c) {
            auto const* const mean = means.view().row(c).data();
            if (dot_in_double(mean, mean, dim) > 0x1p122) file.fail("has means that are too long");
        }
        return cluster_means(std::move(means));
    }

    static void fill_lists(index& made, section_file const& file) {
        auto sizes = file.array<std::uint64_t>("list sizes");
        auto rows = file.array<std::uint32_t>("list rows");
        auto live = file.array<std::uint64_t>("list live");
        auto codes = file.array<std::byte>("codes");
        auto slopes = file.array<float>("slopes");
        auto bases = file.array<float>("bases");
        auto const take = [&](auto& from, std::size_t count) {
            if (count > from.size()) file.fail("its lists and their sizes are at odds");
            auto const taken = from.first(count);
            from = from.subspan(count);
            return taken;
        };
        constexpr auto nowhere = static_cast<std::uint32_t>(-1);
        made.lists_.places.assign(made.full_.store_.rows(), {nowhere, 0});
        made.lists_.lists.resize(sizes.size());
        std::size_t placed = 0;
        for (std::size_t l = 0; l < sizes.size(); ++l) {
            auto& list = made.lists_.lists[l];
            auto const size = take(rows, sizes[l]);
            list.rows.assign(size.begin(), size.end());
            auto const count = list.rows.size();
            auto const bits = take(live, count / 64 + (count % 64 != 0 ? 1 : 0));
            list.live.assign(bits.begin(), bits.end());
            auto const bytes = take(codes, made.lists_.code.bytes(count));
            list.coded.codes.assign(bytes.begin(), bytes.end());
            auto const slope = take(slopes, count);
            list.coded.slopes.assign(slope.begin(), slope.end());
            auto const base = take(bases, count);
            list.coded.bases.assign(base.begin(), base.end());
            if (count % 64 != 0 && list.live.back() >> count % 64 != 0)
                file.fail("a list has too many bits");
            for (std::size_t i = 0; i < count; ++i) {
                if ((list.live[i / 64] >> i % 64 & 1) == 0) continue;
                auto const row = list.rows[i];
                if (row >= made.lists_.places.size() || !made.full_.store_.lives(row)
                    || made.lists_.places[row].list != nowhere)
                    file.fail(
                        join("list ", l, " holds row ", row, ", which is not there or in another"));
                made.lists_.places[row] = {
                    static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(i)};
                ++placed;
            }
        }
        if (placed != made.size()) file.fail("has documents in no list");
    }
};

} // namespace detail

/// Writes an index to a file, as the save() of trawl/dense/storage.hpp;
/// open<inverted_file_index>(path) maps the vectors and copies the lists.
/// @throws trawl::error (io).
inline void save(inverted_file_index const& index, std::string const& path) {
    detail::stored<inverted_file_index>::save(index, path);
}

TRAWL_END_NAMESPACE
