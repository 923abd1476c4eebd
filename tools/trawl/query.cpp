// SPDX-License-Identifier: MIT

/// trawl query: one query, or one on each line of stdin, over a collection, a corpus or a file of
/// trawl index.

#include <cstdio>
#include <string>
#include <vector>

#include <trawl/lexical/query_syntax.hpp>

#include "collection_query.hpp"
#include "corpus_metadata.hpp"
#include "engine.hpp"
#include "index_file.hpp"
#include "lexical.hpp"
#include "line_input.hpp"
#include "options.hpp"
#include "stored_collection.hpp"

namespace cli {
namespace {

class corpus_documents {
public:
    explicit corpus_documents(retrieval_options const& options)
        : documents_(options),
          eligible_(options.corpus, options.where, ""),
          lexical_(options.retriever != "dense"),
          syntax_(options.syntax),
          fields_(options.title_weight ? std::vector<trawl::bm25_field>{{"title"}, {"text"}}
                                       : std::vector<trawl::bm25_field>{}) {}

    [[nodiscard]] auto vectors(std::string const& text) const {
        auto const embedded = syntax_ ? asked_words(text, fields_) : text;
        return documents_.query_vectors(std::span(&embedded, 1), "");
    }
    [[nodiscard]] trawl::ranking search(trawl::query const& q, std::size_t k) const {
        return documents_.search(q, {.k = k, .where = eligible_.of_query(0)});
    }
    [[nodiscard]] trawl::explanation explain(trawl::query const& q, trawl::doc_id id) const {
        return documents_.explain(q, id, {.where = eligible_.of_query(0)});
    }
    [[nodiscard]] std::vector<std::string> warnings(trawl::query const& q) const {
        return lexical_ ? documents_.lexical().warnings(q) : std::vector<std::string>();
    }
    [[nodiscard]] std::string line(trawl::doc_id id) const {
        return line_about(documents_.corpus(), id);
    }

private:
    engine documents_;
    eligibility eligible_;
    bool lexical_;
    bool syntax_;
    std::vector<trawl::bm25_field> fields_;
};

class file_documents {
public:
    file_documents(std::string const& path, retrieval_options const& options)
        : file_(path, options) {}

    [[nodiscard]] trawl::matrix<float> vectors(std::string const& text) const {
        return file_.vectors(text);
    }
    [[nodiscard]] trawl::ranking search(trawl::query const& q, std::size_t k) const {
        return file_.search(q, {.k = k});
    }
    [[nodiscard]] trawl::explanation explain(trawl::query const& q, trawl::doc_id id) const {
        return file_.explain(q, id, {});
    }
    [[nodiscard]] std::vector<std::string> warnings(trawl::query const& q) const {
        return file_.lexical().warnings(q);
    }
    [[nodiscard]] std::string line(trawl::doc_id id) const { return std::string(file_.line(id)); }

private:
    index_file file_;
};

template <class Documents>
void answer(Documents const& documents, query_command const& command, std::string const& text) {
    auto const vectors = documents.vectors(text);
    trawl::query const q{.text = text, .vector = vectors.values};
    auto const hits = documents.search(q, command.k);
    for (auto const& note : documents.warnings(q)) std::fprintf(stderr, "%s\n", note.c_str());
    if (hits.empty()) std::puts("nothing found");
    for (std::size_t i = 0; i < hits.size(); ++i) {
        auto const [id, score] = hits[i];
        std::printf(
            "%3zu  %-10.6g %s\n", i + 1, static_cast<double>(score), documents.line(id).c_str());
        if (command.explain)
            std::fputs(trawl::to_text(documents.explain(q, id), 3).c_str(), stdout);
    }
}

// Answers the query, or each line of stdin.
template <class Answer>
void converse(Answer const& answer, std::string const& text) {
    if (!text.empty()) return answer(text);
    line_input input("> ");
    while (auto const line = input.next()) {
        try {
            answer(*line);
        } catch (trawl::error const& e) {
            std::fprintf(stderr, "%s\n", e.what());
        }
        std::fflush(stdout);
    }
}

} // namespace

void run(query_command const& command) {
    auto const word = [&](std::size_t i) {
        return i < command.words.size() ? command.words[i] : std::string();
    };
    if (command.retrieval.corpus.empty() && is_collection(word(0))) {
        collection_query const documents(word(0), command);
        return converse([&](std::string const& text) { documents.answer(text); }, word(1));
    }
    auto const ask = [&](auto const& documents, std::string const& query) {
        converse([&](std::string const& text) { answer(documents, command, text); }, query);
    };
    if (command.retrieval.corpus.empty()) {
        ask(file_documents(word(0), command.retrieval), word(1));
    } else {
        ask(corpus_documents(command.retrieval), word(0));
    }
}

} // namespace cli
