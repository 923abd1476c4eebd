// SPDX-License-Identifier: MIT
#include "lexical.hpp"

#include <utility>

#include <trawl/lexical/query_syntax.hpp>

#include "terminal.hpp"

namespace cli {
namespace {

template <class Index>
trawl::any_retriever arm(Index index, retrieval_options const& options) {
    if (!options.syntax) return trawl::any_retriever(std::move(index));
    // People paste what they have: unless told otherwise, what breaks the grammar is read as words.
    return trawl::any_retriever(trawl::syntax_search(std::move(index),
        options.strict ? trawl::syntax_mode::strict : trawl::syntax_mode::lenient));
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

trawl::any_retriever arm_of(text_index index, retrieval_options const& options) {
    return arm(std::move(index), options);
}
trawl::any_retriever arm_of(field_index index, retrieval_options const& options) {
    return arm(std::move(index), options);
}

std::string asked_words(std::string const& text, std::vector<trawl::bm25_field> const& fields) {
    std::string words;
    auto const parsed = trawl::parse_query(text, fields, trawl::syntax_mode::lenient);
    for (auto const& child : parsed.must) words += child.text + ' ';
    for (auto const& child : parsed.should) words += child.text + ' ';
    return words;
}

} // namespace cli
