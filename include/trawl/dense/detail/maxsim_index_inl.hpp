// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of maxsim_index.hpp.

#include <trawl/dense/maxsim_index.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/late_interaction.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/collector.hpp>
#include <trawl/dense/detail/document_table.hpp>
#include <trawl/dense/detail/query_block.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// The token vectors of a query, packed for the tiles.
struct packed_tokens {
    packed_tokens(matrix_view<float const> tokens, std::size_t tile_queries)
        : measured(tokens.rows), packed(fill(measured, tokens), tokens.cols, tile_queries) {}
    packed_tokens(packed_tokens const&) = delete;

    buffer<measured_vector> measured;
    query_block packed;

private:
    static array_ref<measured_vector const> fill(
        array_ref<measured_vector> out, matrix_view<float const> tokens) {
        for (std::size_t t = 0; t < tokens.rows; ++t) out[t].values = tokens.row(t).data();
        return out;
    }
};

// Compares the tokens of one document after the other with the query, in blocks; a document may go
// over several blocks.
class token_scan {
public:
    token_scan(maxsim_index const& index, packed_tokens const& asked)
        : index_(index),
          asked_(asked),
          peaks_(asked.measured.size()),
          sums_((block_rows + 3) * index.kernels_->tile_queries) {}

    void add(std::size_t row, collector& best) {
        auto const [first, count] = index_.tokens_[row];
        for (std::size_t i = 0; i < count;) {
            auto const from = size_;
            while (size_ < block_rows && i < count) pointers_[size_++] = index_.token(first + i++);
            pieces_.push_back({index_.documents_.id(row), from, size_, i == count});
            if (size_ == block_rows) flush(best);
        }
    }

    void finish(collector& best) {
        if (size_ > 0) flush(best);
    }

private:
    static constexpr std::size_t block_rows = 96; // a multiple of a tile's
    static constexpr float lowest = (std::numeric_limits<float>::lowest)();

    struct piece {
        doc_id id;
        std::size_t from, to; // in the block
        bool last;            // of the document
    };

    void flush(collector& best) {
        auto const tokens = asked_.measured.size();
        peaks_.resize(pieces_.size() * tokens);
        // The first piece goes on from where the last block left it.
        std::fill(
            peaks_.begin() + static_cast<std::ptrdiff_t>(open_ ? tokens : 0), peaks_.end(), lowest);
        auto const& with = *index_.kernels_;
        std::size_t t = 0;
        for (std::size_t tile = 0; tile < asked_.packed.tiles; ++tile) {
            with.dot_tile(asked_.packed.tile(tile), pointers_, size_, index_.dim(), sums_.data(),
                block_rows + 3);
            for (std::size_t i = 0; i < with.tile_queries && t < tokens; ++i, ++t)
                raise(t, sums_.data() + i * (block_rows + 3));
        }
        for (; t < tokens; ++t) {
            with.dot_rows(asked_.measured[t].values, pointers_, size_, index_.dim(), sums_.data());
            raise(t, sums_.data());
        }
        for (std::size_t p = 0; p < pieces_.size(); ++p) {
            if (!pieces_[p].last) continue;
            double total = rounded(0.0);
            for (t = 0; t < tokens; ++t)
                total = rounded(total + static_cast<double>(peaks_[p * tokens + t]));
            best.push({pieces_[p].id, static_cast<float>(total)});
        }
        open_ = !pieces_.back().last;
        if (open_)
            std::copy(
                peaks_.end() - static_cast<std::ptrdiff_t>(tokens), peaks_.end(), peaks_.begin());
        pieces_.clear();
        size_ = 0;
    }

    // Takes the products of a token into the peaks of the pieces.
    void raise(std::size_t token, float const* products) noexcept {
        for (std::size_t p = 0; p < pieces_.size(); ++p) {
            auto& peak = peaks_[p * asked_.measured.size() + token];
            for (auto r = pieces_[p].from; r < pieces_[p].to; ++r)
                peak = products[r] > peak ? products[r] : peak;
        }
    }

    maxsim_index const& index_;
    packed_tokens const& asked_;
    float const* pointers_[block_rows] = {};
    std::size_t size_ = 0;
    std::vector<piece> pieces_ = {};
    std::vector<float> peaks_; // [pieces x tokens of the query]
    std::vector<float> sums_;
    bool open_ = false; // the last document goes on in the next block
};

} // namespace detail

TRAWL_INLINE maxsim_index::maxsim_index(std::size_t dim)
    : dim_(dim), kernels_(&detail::active_kernels()) {
    if (dim == 0) detail::fail(errc::invalid_argument, "maxsim_index: dim must be > 0, is 0");
}

TRAWL_INLINE void maxsim_index::check(char const* what, matrix_view<float const> tokens) const {
    if (!tokens.empty() && tokens.cols != dim_) {
        detail::fail(errc::dimension_mismatch,
            detail::join(what, " token vectors have ", tokens.cols, " values, the index ", dim_));
    }
    check_token_vectors(what, tokens);
    for (std::size_t i = 0; i < tokens.rows; ++i) {
        auto const inverse = detail::inverse_length(*kernels_, tokens.row(i).data(), dim_);
        if (inverse == 0 || inverse >= 0x1p-60) continue;
        detail::fail(errc::invalid_argument,
            detail::join(what, " token ", i, " has length ", 1 / inverse, ", more than 2^60"));
    }
}

TRAWL_INLINE void maxsim_index::check_document(
    char const* what, matrix_view<float const> tokens) const {
    check(what, tokens);
    if (tokens.empty())
        detail::fail(errc::invalid_argument, detail::join(what, " token vectors are missing"));
}

// Appends values that there is room for.
TRAWL_INLINE maxsim_index::tokens_of_row maxsim_index::store(
    float const* values, std::size_t rows) noexcept {
    auto const first = values_.size() / sizeof(float) / dim_;
    auto const bytes = rows * dim_ * sizeof(float);
    std::memcpy(values_.append(bytes), values, bytes);
    return {first, rows};
}

TRAWL_INLINE doc_id maxsim_index::add(doc_id id, matrix_view<float const> tokens) {
    documents_.check_new("maxsim_index", id, 1);
    check_document("maxsim_index::add: the document's", tokens);
    // A copy: the tokens may be our own, and making room moves them.
    std::vector<float> const copied(tokens.data, tokens.data + tokens.rows * dim_);
    documents_.reserve_more(1);
    detail::make_room(tokens_, 1);
    values_.reserve_more(copied.size() * sizeof(float));
    tokens_.push_back(store(copied.data(), tokens.rows));
    documents_.append(id, 1);
    return id;
}

TRAWL_INLINE doc_id maxsim_index::add_all(
    std::span<matrix_view<float const> const> documents, executor const*) {
    auto const first = next_id();
    if (documents.empty()) return first;
    documents_.check_new("maxsim_index", first, documents.size());
    std::vector<float> copied;
    for (auto const& tokens : documents) {
        check_document("maxsim_index::add_all: a document's", tokens);
        copied.insert(copied.end(), tokens.data, tokens.data + tokens.rows * dim_);
    }
    documents_.reserve_more(documents.size());
    detail::make_room(tokens_, documents.size());
    values_.reserve_more(copied.size() * sizeof(float));
    auto const* from = copied.data();
    for (auto const& tokens : documents) {
        tokens_.push_back(store(from, tokens.rows));
        from += tokens.rows * dim_;
    }
    documents_.append(first, documents.size());
    return first;
}

TRAWL_INLINE bool maxsim_index::update(doc_id id, matrix_view<float const> tokens) {
    check_document("maxsim_index::update: the document's", tokens);
    auto const row = documents_.find(id);
    if (row == detail::document_table::no_row) return false;
    std::vector<float> const copied(tokens.data, tokens.data + tokens.rows * dim_);
    values_.reserve_more(copied.size() * sizeof(float));
    tokens_[row] = store(copied.data(), tokens.rows);
    return true;
}

TRAWL_INLINE bool maxsim_index::erase(doc_id id) noexcept {
    auto const row = documents_.find(id);
    if (row == detail::document_table::no_row) return false;
    documents_.erase(row);
    return true;
}

TRAWL_INLINE void maxsim_index::compact(executor const*) {
    auto const live = documents_.live_rows();
    std::size_t tokens = 0;
    for (auto const row : live) tokens += tokens_[row].count;
    maxsim_index kept(dim_);
    kept.tokens_.reserve(live.size());
    kept.values_.reserve_more(tokens * dim_ * sizeof(float));
    for (auto const row : live)
        kept.tokens_.push_back(kept.store(token(tokens_[row].first), tokens_[row].count));
    values_ = std::move(kept.values_);
    tokens_ = std::move(kept.tokens_);
    documents_.compact();
}

TRAWL_INLINE matrix_view<float const> maxsim_index::operator()(doc_id id) const noexcept {
    auto const row = documents_.find(id);
    if (row == detail::document_table::no_row) return {nullptr, 0, dim_};
    return {token(tokens_[row].first), tokens_[row].count, dim_};
}

TRAWL_INLINE ranking maxsim_index::search(query const& q, search_options const& options) const {
    if (q.token_vectors.empty()) return {};
    check("maxsim_index::search: the query's", q.token_vectors);
    if (options.k == 0) return {};
    detail::packed_tokens const asked(q.token_vectors, kernels_->tile_queries);
    // a task takes at least 16 times as many documents
    constexpr std::size_t documents_of_part = 8;
    auto const parts = (documents_.rows() + documents_of_part - 1) / documents_of_part;
    return std::move(detail::scan_in_tasks(parts, 1, options, detail::collector::of_best(options.k),
        [&](std::size_t first, std::size_t last, detail::array_ref<detail::collector> best) {
            detail::token_scan scan(*this, asked);
            auto const end = (std::min)(last * documents_of_part, documents_.rows());
            for (auto row = first * documents_of_part; row < end; ++row) {
                if (!documents_.lives(row) || !options.where.admits(documents_.id(row))) continue;
                if (options.stopped()) return;
                scan.add(row, best[0]);
            }
            scan.finish(best[0]);
        }).front());
}

TRAWL_INLINE std::vector<ranking> maxsim_index::search(
    std::span<query const> queries, search_options const& options) const {
    std::vector<ranking> results(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) results[i] = search(queries[i], options);
    return results;
}

TRAWL_INLINE std::vector<hit> maxsim_index::score(
    query const& q, std::span<doc_id const> ids, search_options const& options) const {
    std::vector<hit> hits;
    if (q.token_vectors.empty()) return hits;
    check("maxsim_index::score: the query's", q.token_vectors);
    maxsim_scorer scorer(q.token_vectors);
    for (auto const id : ids) {
        if (!contains(id) || !options.where.admits(id)) continue;
        hits.push_back({id, scorer.score((*this)(id), id)});
    }
    return hits;
}

TRAWL_INLINE explanation maxsim_index::explain(
    query const& q, doc_id id, search_options const& options) const {
    if (q.token_vectors.empty()) return no_match("no match: the query has no token vectors");
    check("maxsim_index::explain: the query's", q.token_vectors);
    if (!contains(id)) return no_match("no match: the document has no token vectors here");
    if (!options.where.admits(id)) return no_match("no match: outside the filter");
    return maxsim_scorer(q.token_vectors).explain((*this)(id), id);
}

TRAWL_END_NAMESPACE
