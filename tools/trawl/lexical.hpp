// SPDX-License-Identifier: MIT
#pragma once

/// The lexical arm: documents as one text each, or title and text as fields.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>

#include "options.hpp"

namespace cli {

using text_index = trawl::basic_bm25_index<trawl::any_analyzer>;
using field_index = trawl::basic_bm25f_index<trawl::any_analyzer>;

/// A lexical index of either kind, or one whose queries are parsed: a retriever. Copies share it.
class any_lexical {
public:
    struct index {
        virtual ~index() = default;
        [[nodiscard]] virtual trawl::ranking search(
            trawl::query const&, trawl::search_options const&) const = 0;
        [[nodiscard]] virtual std::vector<trawl::hit> score(trawl::query const&,
            std::span<trawl::doc_id const>, trawl::search_options const&) const = 0;
        [[nodiscard]] virtual trawl::explanation explain(
            trawl::query const&, trawl::doc_id, trawl::search_options const&) const = 0;
    };
    explicit any_lexical(std::shared_ptr<index const> held) : held_(std::move(held)) {}

    [[nodiscard]] trawl::ranking search(
        trawl::query const& q, trawl::search_options const& options = {}) const {
        return held_->search(q, options);
    }
    [[nodiscard]] std::vector<trawl::hit> score(trawl::query const& q,
        std::span<trawl::doc_id const> ids, trawl::search_options const& options = {}) const {
        return held_->score(q, ids, options);
    }
    [[nodiscard]] trawl::explanation explain(
        trawl::query const& q, trawl::doc_id id, trawl::search_options const& options = {}) const {
        return held_->explain(q, id, options);
    }

private:
    std::shared_ptr<index const> held_;
};

[[nodiscard]] text_index index_texts(
    trawl::beir_corpus const& corpus, retrieval_options const& options);
/// @param options  with a title_weight.
[[nodiscard]] field_index index_fields(
    trawl::beir_corpus const& corpus, retrieval_options const& options);

/// @param options  whether queries are parsed, and how strictly.
[[nodiscard]] any_lexical arm_of(text_index index, retrieval_options const& options);
[[nodiscard]] any_lexical arm_of(field_index index, retrieval_options const& options);

} // namespace cli
