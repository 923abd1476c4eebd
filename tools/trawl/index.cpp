// SPDX-License-Identifier: MIT

/// trawl index: a corpus as a file that trawl query opens at once.

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/lexical/bm25f_storage.hpp>
#include <trawl/lexical/storage.hpp>

#include "described.hpp"
#include "index_file.hpp"
#include "lexical.hpp"
#include "models.hpp"
#include "options.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace cli {

std::string line_about(trawl::beir_corpus const& corpus, trawl::doc_id id) {
    auto text = corpus.titles[id].empty() ? corpus.texts[id] : corpus.titles[id];
    std::replace(text.begin(), text.end(), '\n', ' ');
    return std::string(corpus.keys.key(id)) + "  " + beginning(text, 70);
}

namespace {

trawl::any_retriever opened(trawl::section_file const& file, retrieval_options const& options) {
    auto analyzer = trawl::any_analyzer::named(file.text("my analyzer"));
    if (file.kind() == "bm25f_index") {
        return arm_of(trawl::open<field_index>(file.path(), std::move(analyzer)), options);
    }
    return arm_of(trawl::open<text_index>(file.path(), std::move(analyzer)), options);
}

} // namespace

index_file::index_file(std::string const& path, retrieval_options const& options)
    : file_(path),
      index_(opened(file_, options)),
      lines_(file_.array<char>("my lines")),
      ends_(file_.array<std::uint64_t>("my ends")),
      syntax_(options.syntax) {
    if (file_.has("my model") && options.retriever != "bm25") open_vectors(options);
}

void index_file::open_vectors(retrieval_options const& options) {
    auto const folder = options.model.empty() ? std::string(file_.text("my model")) : options.model;
    model_ = open_embedder(folder);
    if (model_.fingerprint() != file_.value<std::uint64_t>("my fingerprint")) {
        throw trawl::error(trawl::errc::invalid_argument,
            file_.path() + ": its vectors were not made by the model in " + folder);
    }
    auto const dim = model_.dim();
    auto const values = file_.array<float>("my vectors");
    if (values.size() != ends_.size() * dim) {
        file_.fail(joined(
            "has vectors of ", values.size(), " values, must be ", ends_.size(), " x ", dim));
    }
    dense_.emplace(dim);
    dense_->add_all({values.data(), ends_.size(), dim});
    pipeline_sources from;
    if (options.retriever == "hybrid") from.arms.emplace_back(index_);
    from.arms.emplace_back(*dense_);
    from.vectors = &*dense_;
    auto how = options;
    if (from.arms.size() == 1) how.fusion = kept_scores();
    pipeline_ = described(from, how, how.window);
}

trawl::matrix<float> index_file::vectors(std::string const& text) const {
    if (!model_) return {};
    std::vector<trawl::bm25_field> fields;
    if (file_.kind() == "bm25f_index") fields = {{"title"}, {"text"}};
    auto const asked = syntax_ ? asked_words(text, fields) : text;
    return embedded(model_, std::span(&asked, 1), trawl::text_role::query);
}

trawl::ranking index_file::search(
    trawl::query const& q, trawl::search_options const& options) const {
    return pipeline_ ? pipeline_->search(q, options) : index_.search(q, options);
}

trawl::explanation index_file::explain(
    trawl::query const& q, trawl::doc_id id, trawl::search_options const& options) const {
    return pipeline_ ? pipeline_->explain(q, id, options) : index_.explain(q, id, options);
}

bool has_vectors(std::string const& path) {
    try {
        return trawl::section_file(path).has("my model");
    } catch (trawl::error const&) {
        return true; // whoever opens it says why it cannot be read
    }
}

std::string_view index_file::line(trawl::doc_id id) const {
    if (id >= ends_.size()) return {};
    auto const begin = id == 0 ? 0 : ends_[id - 1];
    if (begin > ends_[id] || ends_[id] > lines_.size()) return {};
    return {lines_.data() + begin, static_cast<std::size_t>(ends_[id] - begin)};
}

void index_file::write(
    std::string const& path, trawl::beir_corpus const& corpus, retrieval_options const& options) {
    std::string lines;
    std::vector<std::uint64_t> ends;
    for (trawl::doc_id id = 0; id < corpus.size(); ++id) {
        lines += line_about(corpus, id);
        ends.push_back(lines.size());
    }
    trawl::matrix<float> vectors;
    std::string model;
    std::uint64_t fingerprint = 0;
    if (!options.model.empty()) {
        auto const embedder = open_embedder(options.model);
        vectors = embedded(embedder, searched_texts(corpus), trawl::text_role::passage);
        model = std::filesystem::canonical(options.model).string();
        fingerprint = embedder.fingerprint();
    }
    auto const add_more = [&](trawl::section_writer& writer) {
        if (!model.empty()) {
            writer.add("my model", std::span(model));
            writer.add("my fingerprint", std::span(&fingerprint, 1));
            writer.add("my vectors", std::span(vectors.values));
        }
        writer.add("my analyzer", std::span(options.analyzer));
        writer.add("my lines", std::span(lines));
        writer.add("my ends", std::span(ends));
    };
    if (options.title_weight) {
        trawl::save(index_fields(corpus, options), path, add_more);
    } else {
        trawl::save(index_texts(corpus, options), path, add_more);
    }
}

void run(index_command const& command) {
    index_file::write(command.out, trawl::read_corpus(command.retrieval.corpus), command.retrieval);
}

} // namespace cli
