// SPDX-License-Identifier: MIT

/// trawl query: one question, or one a line.

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>

#include "engine.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

// One line about a document: its title, or how its text begins.
std::string headline(trawl::beir_corpus const& corpus, trawl::doc_id id) {
    auto text = corpus.titles[id].empty() ? corpus.texts[id] : corpus.titles[id];
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::size_t end = (std::min)(text.size(), std::size_t{70});
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
    return text.substr(0, end);
}

void answer(engine const& documents, query_command const& command, std::string const& text) {
    auto const vectors = documents.query_vectors(std::span(&text, 1), "");
    trawl::query q{.text = text, .vector = vectors.values};
    auto const hits = documents.search(q, command.k);
    if (hits.empty()) std::puts("nothing found");
    for (std::size_t i = 0; i < hits.size(); ++i) {
        auto const [id, score] = hits[i];
        auto const key = std::string(documents.corpus().keys.key(id));
        std::printf("%3zu  %-10.6g %s  %s\n", i + 1, static_cast<double>(score), key.c_str(),
            headline(documents.corpus(), id).c_str());
        if (command.explain) std::fputs(trawl::to_text(documents.explain(q, id), 3).c_str(), stdout);
    }
}

} // namespace

void run(query_command const& command) {
    engine const documents(command.retrieval);
    if (!command.text.empty()) return answer(documents, command, command.text);
    auto const prompt = [] {
        if (is_terminal(stdin)) std::fputs("> ", stderr);
    };
    prompt();
    for (std::string line; std::getline(std::cin, line); prompt()) {
        answer(documents, command, line);
        std::fflush(stdout);
    }
}

} // namespace cli
