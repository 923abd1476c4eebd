// SPDX-License-Identifier: MIT

/// trawl index: a corpus as a file that trawl query opens at once.

#include <algorithm>
#include <utility>
#include <vector>

#include <trawl/lexical/bm25f_storage.hpp>
#include <trawl/lexical/storage.hpp>

#include "index_file.hpp"
#include "lexical.hpp"
#include "options.hpp"
#include "terminal.hpp"

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
      ends_(file_.array<std::uint64_t>("my ends")) {}

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
    auto const add_more = [&](trawl::section_writer& writer) {
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
