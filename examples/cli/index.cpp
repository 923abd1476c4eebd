// SPDX-License-Identifier: MIT

/// trawl index: a corpus as a file that trawl query opens at once.

#include <algorithm>
#include <vector>

#include <trawl/lexical/storage.hpp>

#include "engine.hpp"
#include "index_file.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace cli {

std::string line_about(trawl::beir_corpus const& corpus, trawl::doc_id id) {
    auto text = corpus.titles[id].empty() ? corpus.texts[id] : corpus.titles[id];
    std::replace(text.begin(), text.end(), '\n', ' ');
    return std::string(corpus.keys.key(id)) + "  " + beginning(text, 70);
}

index_file::index_file(std::string const& path)
    : file_(path),
      index_(trawl::open<index>(path, trawl::any_analyzer::named(file_.text("my analyzer")))),
      lines_(file_.array<char>("my lines")),
      ends_(file_.array<std::uint64_t>("my ends")) {}

std::string_view index_file::line(trawl::doc_id id) const {
    if (id >= ends_.size()) return {};
    auto const begin = id == 0 ? 0 : ends_[id - 1];
    if (begin > ends_[id] || ends_[id] > lines_.size()) return {};
    return {lines_.data() + begin, static_cast<std::size_t>(ends_[id] - begin)};
}

void index_file::write(std::string const& path, index const& lexical, std::string const& analyzer,
    trawl::beir_corpus const& corpus) {
    std::string lines;
    std::vector<std::uint64_t> ends;
    for (trawl::doc_id id = 0; id < corpus.size(); ++id) {
        lines += line_about(corpus, id);
        ends.push_back(lines.size());
    }
    trawl::save(lexical, path, [&](trawl::section_writer& writer) {
        writer.add("my analyzer", std::span(analyzer));
        writer.add("my lines", std::span(lines));
        writer.add("my ends", std::span(ends));
    });
}

void run(index_command const& command) {
    engine const documents(command.retrieval);
    index_file::write(command.out, documents.lexical(), command.retrieval.analyzer, documents.corpus());
}

} // namespace cli
