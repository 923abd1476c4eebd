// SPDX-License-Identifier: MIT
#include "lexical.hpp"

#include <utility>

#include <trawl/lexical/query_syntax.hpp>

#include "terminal.hpp"

namespace cli {
namespace {

template <class Index>
struct held final : any_lexical::index {
    explicit held(Index i) : one(std::move(i)) {}
    [[nodiscard]] trawl::ranking search(
        trawl::query const& q, trawl::search_options const& options) const override {
        return one.search(q, options);
    }
    [[nodiscard]] std::vector<trawl::hit> score(trawl::query const& q,
        std::span<trawl::doc_id const> ids, trawl::search_options const& options) const override {
        return one.score(q, ids, options);
    }
    [[nodiscard]] trawl::explanation explain(trawl::query const& q, trawl::doc_id id,
        trawl::search_options const& options) const override {
        return one.explain(q, id, options);
    }
    Index one;
};

template <class Index>
any_lexical arm(Index index, retrieval_options const& options) {
    if (!options.syntax) return any_lexical(std::make_shared<held<Index>>(std::move(index)));
    // People paste what they have: unless told otherwise, what breaks the grammar is read as words.
    auto parsing = trawl::syntax_search(std::move(index),
        options.strict ? trawl::syntax_mode::strict : trawl::syntax_mode::lenient);
    return any_lexical(std::make_shared<held<decltype(parsing)>>(std::move(parsing)));
}

trawl::bm25 parameters(retrieval_options const& options) {
    return {.variant = trawl::bm25_variant_named(options.variant),
        .k1 = options.k1,
        .b = options.b,
        .lengths =
            options.byte_lengths ? trawl::length_code::lucene_byte : trawl::length_code::exact};
}

} // namespace

text_index index_texts(trawl::beir_corpus const& corpus, retrieval_options const& options) {
    text_index index(trawl::any_analyzer::named(options.analyzer), parameters(options),
        {.positions = options.positions});
    progress bar("indexing texts", corpus.size());
    for (trawl::doc_id id = 0; id < corpus.size(); ++id) {
        index.add(corpus.searched(id));
        bar.step();
    }
    return index;
}

field_index index_fields(trawl::beir_corpus const& corpus, retrieval_options const& options) {
    field_index index({{"title", options.title_weight.value_or(1)}, {"text"}},
        trawl::any_analyzer::named(options.analyzer), parameters(options),
        {.positions = options.positions});
    progress bar("indexing titles and texts", corpus.size());
    for (trawl::doc_id id = 0; id < corpus.size(); ++id) {
        index.add({corpus.titles[id], corpus.texts[id]});
        bar.step();
    }
    return index;
}

any_lexical arm_of(text_index index, retrieval_options const& options) {
    return arm(std::move(index), options);
}
any_lexical arm_of(field_index index, retrieval_options const& options) {
    return arm(std::move(index), options);
}

} // namespace cli
