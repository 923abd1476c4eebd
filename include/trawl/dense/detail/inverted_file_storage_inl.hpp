// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of inverted_file_storage.hpp.

#include <trawl/dense/inverted_file_storage.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/dense/detail/cluster_means.hpp>
#include <trawl/dense/detail/flat_file.hpp>
#include <trawl/dense/detail/inverted_lists.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr char inverted_file_kind[] = "inverted_file";
inline constexpr std::uint32_t inverted_file_version = 2;

struct inverted_file_head {
    std::uint64_t probes = 0;
    std::uint64_t candidates = 0;
    std::uint64_t seed = 0;
};

template <class Values, class More>
void append_values(Values& to, More const& from) {
    to.insert(to.end(), from.data(), from.data() + from.size());
}

TRAWL_INLINE void inverted_file_storage::save(
    inverted_file_index const& from, std::string const& path) {
    if (!from.is_compact()) {
        auto compact = from;
        compact.compact();
        return save(compact, path);
    }
    section_writer writer(inverted_file_kind, inverted_file_version);
    flat_sections const full(from.table());
    full.add_to(writer);
    inverted_file_head const head{
        from.options_.probes, from.options_.candidates, from.options_.seed};
    writer.add("list head", std::span(&head, 1));
    writer.add("margin", std::span(&from.options_.margin, 1));
    writer.add("centre", from.lists_.encoder.centre());
    writer.add("means", from.lists_.means.values());
    // one list after the other
    std::vector<std::uint64_t> sizes, live;
    std::vector<std::uint32_t> rows;
    std::vector<std::byte> codes;
    std::vector<float> slopes, bases;
    for (auto const& list : from.lists_.lists) {
        sizes.push_back(list.rows.size());
        append_values(rows, list.rows);
        append_values(live, list.live);
        append_values(codes, list.coded.codes);
        append_values(slopes, list.coded.slopes);
        append_values(bases, list.coded.bases);
    }
    writer.add("list sizes", std::span<std::uint64_t const>(sizes));
    writer.add("list rows", std::span<std::uint32_t const>(rows));
    writer.add("list live", std::span<std::uint64_t const>(live));
    writer.add("codes", std::span<std::byte const>(codes));
    writer.add("slopes", std::span<float const>(slopes));
    writer.add("bases", std::span<float const>(bases));
    writer.write(path);
}

TRAWL_INLINE inverted_file_index inverted_file_storage::open(
    std::string const& path, open_options options) {
    section_file const file(path, inverted_file_kind, inverted_file_version, options);
    auto const flat_head = checked_head(file);
    auto const head = file.value<inverted_file_head>("list head");
    auto const margin = file.value<double>("margin");
    if (flat_head.element != 0 || flat_head.has_vectors != 1)
        file.fail("holds no vectors of float");
    auto const centre = file.array<float>("centre");
    if (head.probes == 0 || head.candidates == 0 || !is_finite(margin) || margin < 0
        || centre.size() != flat_head.dim
        || flat_head.dim > vector_encoder::largest_dim(code_kind::one_bit))
        file.fail("its options contradict each other");
    for (auto const values : {centre, file.array<float>("means"), file.array<float>("slopes"),
             file.array<float>("bases")}) {
        if (first_not_finite(values) != values.size()) file.fail("has factors that are not finite");
    }
    if (dot_in_double(centre.data(), centre.data(), centre.size()) > 0x1p122)
        file.fail("has a centre that is too long");
    inverted_file_index made(flat_head.dim,
        {static_cast<metric>(flat_head.metric), head.probes, head.candidates, head.seed, margin});
    restore(made.table(), file, flat_head);
    made.lists_.encoder.set_centre(centre);
    restore_lists(made, file);
    return made;
}

// The means of the lists that are kept.
[[nodiscard]] inline matrix<float> means_of(
    section_file const& file, std::size_t dim, std::span<std::uint32_t const> kept) {
    auto const values = file.array<float>("means");
    matrix<float> means{std::vector<float>(kept.size() * dim), kept.size(), dim};
    for (std::size_t l = 0; l < kept.size(); ++l) {
        auto const* const mean = values.data() + kept[l] * dim;
        if (dot_in_double(mean, mean, dim) > 0x1p122) file.fail("has means that are too long");
        std::memcpy(means.view().row(l).data(), mean, dim * sizeof(float));
    }
    return means;
}

TRAWL_INLINE void inverted_file_storage::restore_lists(
    inverted_file_index& made, section_file const& file) {
    auto const sizes = file.array<std::uint64_t>("list sizes");
    auto rows = file.array<std::uint32_t>("list rows");
    auto live = file.array<std::uint64_t>("list live");
    auto codes = file.array<std::byte>("codes");
    auto slopes = file.array<float>("slopes");
    auto bases = file.array<float>("bases");
    auto const& documents = made.table().documents();
    auto const means = file.array<float>("means").size();
    if (means % made.dim() != 0 || means / made.dim() != sizes.size())
        file.fail("its numbers of lists contradict each other");
    // Memory must follow from the size of the file: of more lists than rows, the empty ones go.
    bool const all = sizes.size() <= documents.rows();
    std::vector<std::uint32_t> kept;
    for (std::size_t l = 0; l < sizes.size(); ++l)
        if (all || sizes[l] > 0) kept.push_back(static_cast<std::uint32_t>(l));
    if (kept.empty()) {
        if (documents.live() > 0 && !sizes.empty()) file.fail("has documents in no list");
        return;
    }
    auto const take = [&](auto& from, std::size_t count) {
        if (count > from.size()) file.fail("its lists and their sizes contradict each other");
        auto const taken = from.first(count);
        from = from.subspan(count);
        return taken;
    };
    auto& lists = made.lists_;
    lists.means =
        cluster_means(means_of(file, made.dim(), kept), lists.encoder.centre(), made.metric());
    constexpr auto nowhere = static_cast<std::uint32_t>(-1);
    lists.places.assign(documents.rows(), {nowhere, 0});
    lists.lists.resize(kept.size());
    std::size_t placed = 0;
    for (std::size_t l = 0; l < kept.size(); ++l) {
        auto& list = lists.lists[l];
        auto const of_list = take(rows, sizes[kept[l]]);
        auto const count = of_list.size();
        list.rows.assign(of_list.begin(), of_list.end());
        auto const bits = take(live, count / 64 + (count % 64 != 0 ? 1 : 0));
        list.live.assign(bits.begin(), bits.end());
        auto const bytes = take(codes, lists.encoder.bytes(count));
        if (count > 0) {
            list.coded.codes.reserve_more(bytes.size());
            std::memcpy(list.coded.codes.append(bytes.size()), bytes.data(), bytes.size());
        }
        auto const slope = take(slopes, count);
        list.coded.slopes.assign(slope.begin(), slope.end());
        auto const base = take(bases, count);
        list.coded.bases.assign(base.begin(), base.end());
        if (count % 64 != 0 && list.live.back() >> count % 64 != 0)
            file.fail("a list has too many bits");
        for (std::size_t i = 0; i < count; ++i) {
            auto const row = list.rows[i];
            if (row >= documents.rows())
                file.fail(join("list ", l, " holds row ", row, ", which does not exist"));
            if ((list.live[i / 64] >> i % 64 & 1) == 0) continue;
            if (!documents.lives(row) || lists.places[row].list != nowhere)
                file.fail(join("list ", l, " holds row ", row, ", which is erased or in another"));
            lists.places[row] = {static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(i)};
            ++placed;
        }
    }
    if (placed != documents.live()) file.fail("has documents in no list");
    lists.recount();
}

} // namespace detail
TRAWL_END_NAMESPACE
