// SPDX-License-Identifier: MIT
#pragma once

/// The lexical arm of a search that is tuned: BM25 over whole texts or over their passages.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/rerank/group_by_parent.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/passages/chunker.hpp>

#include "lexical.hpp"

namespace cli {

class lexical_arm {
public:
    /// Whole texts.
    explicit lexical_arm(text_index texts) : index_(std::move(texts)) {}

    /// Passages, each with the title of its text; a text counts with its best one.
    lexical_arm(trawl::beir_corpus const& corpus, trawl::any_analyzer const& analyzer,
        trawl::chunk_options const& passages)
        : index_(analyzer) {
        for (trawl::doc_id id = 0; id < corpus.size(); ++id) {
            firsts_.push_back(static_cast<trawl::doc_id>(parents_.size()));
            for (auto const& chunk : trawl::chunk_markdown("", corpus.texts[id], passages).chunks) {
                index_.add(corpus.titles[id] + " " + chunk.text);
                parents_.push_back(id);
            }
        }
        firsts_.push_back(static_cast<trawl::doc_id>(parents_.size()));
        index_.compact();
    }

    void set_parameters(trawl::bm25 const& parameters) { index_.set_parameters(parameters); }
    [[nodiscard]] trawl::bm25 const& parameters() const noexcept { return index_.parameters(); }

    [[nodiscard]] trawl::ranking search(
        trawl::query const& q, trawl::search_options const& options) const {
        if (firsts_.empty()) return index_.search(q, options);
        auto const parent_of = [&](trawl::doc_id id) { return parents_[id]; };
        trawl::group_by_parent const best_of_each{parent_of};
        auto wider = options;
        auto const passages_of = filter_of_passages(options.where);
        if (passages_of) wider.where = trawl::filter(*passages_of);
        for (wider.k = 4 * options.k;; wider.k *= 4) {
            auto const passages = index_.search(q, wider);
            auto best = best_of_each(q, passages);
            // some text has them all
            if (best.size() < options.k && passages.size() == wider.k) continue;
            best.resize((std::min)(best.size(), options.k));
            for (auto& h : best) h.id = parents_[h.id];
            return best;
        }
    }

    [[nodiscard]] std::vector<trawl::hit> score(trawl::query const& q,
        std::span<trawl::doc_id const> ids, trawl::search_options const& options) const {
        if (firsts_.empty()) return index_.score(q, ids, options);
        std::vector<trawl::doc_id> passages;
        for (auto const id : ids) {
            for (auto p = firsts_[id]; p < firsts_[id + 1]; ++p) passages.push_back(p);
        }
        std::vector<trawl::hit> out;
        auto narrowed = options;
        auto const passages_of = filter_of_passages(options.where);
        if (passages_of) narrowed.where = trawl::filter(*passages_of);
        for (auto const& h : index_.score(q, passages, narrowed)) {
            auto const id = parents_[h.id];
            if (out.empty() || out.back().id != id) {
                out.push_back({id, h.score});
            } else {
                out.back().score = (std::max)(out.back().score, h.score);
            }
        }
        return out;
    }

private:
    // The passages of the texts that a filter admits; nothing where it admits all.
    [[nodiscard]] std::optional<trawl::doc_set> filter_of_passages(
        trawl::filter const& where) const {
        if (where.admits_all()) return std::nullopt;
        trawl::doc_set out(parents_.size());
        for (trawl::doc_id p = 0; p < parents_.size(); ++p) {
            if (where.admits(parents_[p])) out.insert(p);
        }
        return out;
    }

    text_index index_;
    std::vector<trawl::doc_id> parents_; // by passage
    std::vector<trawl::doc_id> firsts_;  // the first passage of each text, then how many there are
};

} // namespace cli
