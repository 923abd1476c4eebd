// SPDX-License-Identifier: MIT
#pragma once

/// Late interaction as a retriever: documents of many vectors, all of them compared with all of a
/// question's.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/late_interaction.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/row_scan.hpp>
#include <trawl/dense/detail/similarity.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/aligned_allocator.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// An exact index of documents of token vectors. score(d) = sum over the question's tokens of the
/// largest dot product with a token of d, to the bit what the reranker maxsim gives: products have
/// 16 lanes, they are added in double, first token to last, and rounded to float once. Cosines, if
/// the vectors are of unit length. Every live document matches a question with token vectors; one
/// without finds nothing.
///
/// Compares all tokens: for thousands of documents, not millions; for more, rerank with
/// maxsim(index). Memory: 4 * dim bytes a token, 24 a document. Const members may run from any
/// number of threads; a writer excludes all else.
/// @par Source Khattab, Zaharia, "ColBERT: efficient and effective passage search via
/// contextualized late interaction over BERT", SIGIR 2020.
class maxsim_index {
public:
    /// @param dim  Values of each token's vector, > 0.
    /// @throws trawl::error (invalid_argument) if dim is 0, or as flat_index.
    explicit maxsim_index(std::size_t dim) : products_(metric::dot_product, dim) {
        if (dim == 0) detail::fail(errc::invalid_argument, "maxsim_index: dim must be > 0, is 0");
    }

    /// Adds a document under the next id and returns that. Errors as for add(id, tokens).
    doc_id add(matrix_view<float const> tokens) { return add(next_id(), tokens); }

    /// Adds a document's token vectors [tokens x dim] under a given id, which it returns.
    /// @throws trawl::error (id_order) if id < next_id() or id is no_doc, (dimension_mismatch),
    /// (not_finite);
    ///         (invalid_argument) if there are no tokens, or one is longer than 2^60.
    doc_id add(doc_id id, matrix_view<float const> tokens) {
        if (id < next_id() || id == no_doc) {
            detail::fail(errc::id_order, detail::join("maxsim_index::add: id ", id,
                                             " is below the next id ", next_id(), ", or the last"));
        }
        check("maxsim_index::add: the document's", tokens);
        if (tokens.empty())
            detail::fail(
                errc::invalid_argument, "maxsim_index::add: the document has no token vectors");
        detail::make_room(documents_, 1);
        documents_.push_back(stored(id, tokens));
        next_id_ = id + 1;
        ++live_;
        return id;
    }

    /// Gives a document other token vectors. False, and nothing changes, if it is not there. Errors
    /// as for add.
    bool update(doc_id id, matrix_view<float const> tokens) {
        check("maxsim_index::update: the document's", tokens);
        if (tokens.empty())
            detail::fail(
                errc::invalid_argument, "maxsim_index::update: the document has no token vectors");
        auto const at = find(id);
        if (at == documents_.size()) return false;
        documents_[at] = stored(id, tokens);
        return true;
    }

    /// Retires a document; its id stays taken, its memory in use until compact(). False if it is
    /// not there.
    bool erase(doc_id id) noexcept {
        auto const at = find(id);
        if (at == documents_.size()) return false;
        documents_[at].count = 0;
        --live_;
        return true;
    }

    /// Gives back the memory of erased documents, and of the old vectors of updated ones.
    void compact() {
        maxsim_index kept(dim());
        std::size_t tokens = 0;
        for (auto const& d : documents_) tokens += d.count;
        kept.values_.reserve(tokens * dim());
        kept.documents_.reserve(live_);
        for (auto const& d : documents_) {
            if (d.count > 0) kept.documents_.push_back(kept.stored(d.id, tokens_of(d)));
        }
        values_ = std::move(kept.values_);
        documents_ = std::move(kept.documents_);
    }

    [[nodiscard]] bool contains(doc_id id) const noexcept { return find(id) != documents_.size(); }
    [[nodiscard]] std::size_t size() const noexcept { return live_; } ///< live documents
    [[nodiscard]] doc_id next_id() const noexcept { return next_id_; }
    [[nodiscard]] std::size_t dim() const noexcept { return products_.dim(); }

    /// A document's token vectors [tokens x dim], valid until the next change; no rows if it is not
    /// there. So the index is a token_vector_source for the reranker.
    [[nodiscard]] matrix_view<float const> operator()(doc_id id) const noexcept {
        auto const at = find(id);
        return at == documents_.size() ? matrix_view<float const>{nullptr, 0, dim()}
                                       : tokens_of(documents_[at]);
    }

    /// The best k documents inside the filter for the query's token vectors, by score, then id.
    /// @throws trawl::error (dimension_mismatch), (not_finite) for the query's token vectors,
    ///         (invalid_argument) if one is longer than 2^60.
    /// @par Complexity  O(tokens of the question * tokens of the eligible documents * dim).
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        if (q.token_vectors.empty()) return {};
        check("maxsim_index::search: the question's", q.token_vectors);
        if (options.k == 0) return {};
        asked const question(*this, q.token_vectors);
        // documents that a task takes at the least are 16 times as many
        constexpr std::size_t part = 8;
        auto const parts = (documents_.size() + part - 1) / part;
        return std::move(detail::in_parts(parts, 1, options, top_k(options.k),
            [&](std::size_t first, std::size_t last, std::span<top_k> best) {
                scan running(*this, question);
                for (auto at = first * part; at < (std::min)(last * part, documents_.size());
                     ++at) {
                    auto const& d = documents_[at];
                    if (d.count == 0 || !options.where.admits(d.id)) continue;
                    if (options.stopped()) return;
                    running.add(d, best[0]);
                }
                running.finish(best[0]);
            }).front());
    }

    /// The score of each of the ids that is here and inside the filter, in the order given: the
    /// bits that search gives. Errors as for search.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        std::vector<hit> hits;
        if (q.token_vectors.empty()) return hits;
        check("maxsim_index::score: the question's", q.token_vectors);
        maxsim_scorer scorer(q.token_vectors);
        for (auto const id : ids) {
            if (!contains(id) || !options.where.admits(id)) continue;
            hits.push_back({id, scorer.score((*this)(id), id)});
        }
        return hits;
    }

    /// Which token of the document answers which of the question; a leaf of value 0 if search never
    /// returns it.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        if (q.token_vectors.empty()) return no_match("no match: the query has no token vectors");
        check("maxsim_index::explain: the question's", q.token_vectors);
        if (!contains(id)) return no_match("no match: the document has no token vectors here");
        if (!options.where.admits(id)) return no_match("no match: outside the filter");
        return maxsim_scorer(q.token_vectors).explain((*this)(id), id);
    }

private:
    struct document {
        doc_id id = no_doc;
        std::uint32_t count = 0; // tokens; 0: erased
        std::size_t first = 0;   // of its tokens
    };

    // The question, packed for the tiles.
    struct asked {
        asked(maxsim_index const& index, matrix_view<float const> tokens)
            : measured(tokens.rows),
              packed(fill(measured, tokens), index.dim(), index.products_.with().tile_queries) {}
        asked(asked const&) = delete;

        std::vector<detail::measured_vector> measured;
        detail::query_block packed;

    private:
        static std::span<detail::measured_vector const> fill(
            std::span<detail::measured_vector> out, matrix_view<float const> tokens) {
            for (std::size_t t = 0; t < tokens.rows; ++t) out[t].values = tokens.row(t).data();
            return out;
        }
    };

    // Tokens of one document after the other meet the question in blocks; a document may go over
    // several.
    class scan {
    public:
        scan(maxsim_index const& index, asked const& question)
            : index_(index),
              question_(question),
              sums_((block_rows + 3) * index.products_.with().tile_queries) {
            peaks_.resize(question.measured.size());
        }

        void add(document const& d, top_k& best) {
            for (std::size_t i = 0; i < d.count;) {
                auto const from = size_;
                while (size_ < block_rows && i < d.count)
                    pointers_[size_++] = index_.token(d.first + i++);
                pieces_.push_back({d.id, from, size_, i == d.count});
                if (size_ == block_rows) flush(best);
            }
        }

        void finish(top_k& best) {
            if (size_ > 0) flush(best);
        }

    private:
        static constexpr std::size_t block_rows = 96; // a multiple of a tile's

        struct piece {
            doc_id id;
            std::size_t from, to; // in the block
            bool last;            // of the document
        };

        void flush(top_k& best) {
            auto const tokens = question_.measured.size();
            peaks_.resize(pieces_.size() * tokens);
            // The first piece goes on from where the last block left it.
            std::fill(peaks_.begin() + static_cast<std::ptrdiff_t>(open_ ? tokens : 0),
                peaks_.end(), lowest);
            auto const& kernels = index_.products_.with();
            auto const groups = (index_.dim() + 15) / 16;
            std::size_t t = 0;
            for (std::size_t tile = 0; tile < question_.packed.tiles; ++tile) {
                kernels.dot_tile(
                    question_.packed.packed.data() + tile * kernels.tile_queries * groups * 16,
                    pointers_, size_, index_.dim(), sums_.data(), block_rows + 3);
                for (std::size_t i = 0; i < kernels.tile_queries && t < tokens; ++i, ++t)
                    raise(t, sums_.data() + i * (block_rows + 3));
            }
            for (; t < tokens; ++t) {
                kernels.dot_rows(
                    question_.measured[t].values, pointers_, size_, index_.dim(), sums_.data());
                raise(t, sums_.data());
            }
            for (std::size_t p = 0; p < pieces_.size(); ++p) {
                if (!pieces_[p].last) continue;
                double total = detail::rounded(0.0);
                for (t = 0; t < tokens; ++t)
                    total = detail::rounded(total + static_cast<double>(peaks_[p * tokens + t]));
                best.push({pieces_[p].id, static_cast<float>(total)});
            }
            open_ = !pieces_.back().last;
            if (open_)
                std::copy(peaks_.end() - static_cast<std::ptrdiff_t>(tokens), peaks_.end(),
                    peaks_.begin());
            pieces_.clear();
            size_ = 0;
        }

        // Takes a token's products into the peaks of the pieces.
        void raise(std::size_t token, float const* products) noexcept {
            for (std::size_t p = 0; p < pieces_.size(); ++p) {
                auto& peak = peaks_[p * question_.measured.size() + token];
                for (auto r = pieces_[p].from; r < pieces_[p].to; ++r)
                    peak = products[r] > peak ? products[r] : peak;
            }
        }

        static constexpr float lowest = (std::numeric_limits<float>::lowest)();
        maxsim_index const& index_;
        asked const& question_;
        float const* pointers_[block_rows] = {};
        std::size_t size_ = 0;
        std::vector<piece> pieces_ = {};
        std::vector<float> peaks_ = {}; // [pieces x tokens of the question]
        std::vector<float> sums_;
        bool open_ = false; // the last document goes on
    };

    void check(char const* what, matrix_view<float const> tokens) const {
        if (!tokens.empty() && tokens.cols != dim()) {
            detail::fail(errc::dimension_mismatch, detail::join(what, " token vectors have ",
                                                       tokens.cols, " values, the index ", dim()));
        }
        check_token_vectors(what, tokens);
        for (std::size_t i = 0; i < tokens.rows; ++i) {
            auto const inverse = products_.measured(tokens.row(i).data()).inverse_length;
            if (inverse == 0 || inverse >= 0x1p-60) continue;
            detail::fail(errc::invalid_argument,
                detail::join(what, " token ", i, " has length ", 1 / inverse, ", more than 2^60"));
        }
    }

    [[nodiscard]] float const* token(std::size_t number) const noexcept {
        return values_.data() + number * dim();
    }
    [[nodiscard]] matrix_view<float const> tokens_of(document const& d) const noexcept {
        return {token(d.first), d.count, dim()};
    }

    // Appends the values, all or none.
    document stored(doc_id id, matrix_view<float const> tokens) {
        // may be our own
        std::vector<float> const copied(tokens.data, tokens.data + tokens.rows * dim());
        auto const first = values_.size() / dim();
        detail::make_room(values_, copied.size());
        values_.insert(values_.end(), copied.begin(), copied.end());
        return {id, static_cast<std::uint32_t>(tokens.rows), first};
    }

    // The place of a live document, or documents_.size().
    [[nodiscard]] std::size_t find(doc_id id) const noexcept {
        auto const at = std::lower_bound(documents_.begin(), documents_.end(), id,
            [](document const& d, doc_id wanted) { return d.id < wanted; });
        bool const there = at != documents_.end() && at->id == id && at->count > 0;
        return there ? static_cast<std::size_t>(at - documents_.begin()) : documents_.size();
    }

    detail::similarity products_;
    std::vector<float, detail::aligned_allocator<float>> values_; // of all tokens
    std::vector<document> documents_;                             // ids ascend
    std::size_t live_ = 0;
    doc_id next_id_ = 0;
};

TRAWL_END_NAMESPACE
