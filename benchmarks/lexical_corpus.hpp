// SPDX-License-Identifier: MIT
#pragma once

/// Collections for the lexical bench: documents of numbered words, and questions of each kind.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/formats/beir.hpp>

#include "zipf.hpp"

namespace bench {

using numbers = std::vector<std::uint32_t>;

struct corpus {
    std::string name = {};
    std::vector<std::string> words = {};
    std::vector<numbers> documents = {};
    std::vector<numbers> questions = {};
    std::vector<numbers> terms = {}; ///< one of each question
    std::vector<numbers> most = {};  ///< the most frequent word, a hundred times
    /// two words that stand side by side somewhere; none: no positions
    std::vector<numbers> phrases = {};
    trawl::doc_set some = {}; ///< a hundredth of the documents

    [[nodiscard]] std::string text(numbers const& of) const {
        std::string made;
        for (auto const word : of) {
            if (!made.empty()) made += ' ';
            made += words[word];
        }
        return made;
    }

    void write(std::filesystem::path const& file, std::vector<numbers> const& lines) const {
        std::ofstream out(file);
        for (auto const& line : lines) out << text(line) << '\n';
    }
};

/// Adds the sets that follow from documents and questions.
inline void complete(corpus& made, bool phrases) {
    trawl::detail::random random(7);
    std::vector<std::size_t> df(made.words.size());
    for (auto document : made.documents) {
        std::sort(document.begin(), document.end());
        document.erase(std::unique(document.begin(), document.end()), document.end());
        for (auto const word : document) ++df[word];
    }
    auto const most =
        static_cast<std::uint32_t>(std::max_element(df.begin(), df.end()) - df.begin());
    made.most.assign(100, {most});
    for (std::size_t i = 0; i < made.questions.size(); ++i) {
        made.terms.push_back({made.questions[i][i % made.questions[i].size()]});
    }
    made.some = trawl::doc_set(made.documents.size());
    for (std::size_t i = 0; i < made.documents.size(); ++i) {
        if (random.uniform() < 0.01) made.some.insert(static_cast<trawl::doc_id>(i));
    }
    while (phrases && made.phrases.size() < 200) {
        auto const& document = made.documents[random.below(made.documents.size())];
        if (document.size() < 2) continue;
        auto const at = random.below(document.size() - 1);
        if (document[at] != document[at + 1])
            made.phrases.push_back({document[at], document[at + 1]});
    }
}

[[nodiscard]] inline corpus zipf_corpus(std::size_t documents, std::size_t questions) {
    auto data = make_zipf(documents, documents, questions, 42);
    corpus made{.name = "zipf",
        .words = std::move(data.words),
        .documents = std::move(data.documents),
        .questions = std::move(data.questions)};
    complete(made, false);
    return made;
}

/// Numbers the words of texts: runs of letters and digits of ASCII, in lower case.
class word_numbers {
public:
    explicit word_numbers(corpus& into) : into_(into) {}

    /// @param add  whether a new word gets a number, or is left out.
    [[nodiscard]] numbers of(std::string_view text, bool add) {
        numbers made;
        std::string word;
        for (std::size_t i = 0; i <= text.size(); ++i) {
            auto const c = i < text.size() ? text[i] : ' ';
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
                word += c;
            } else if (c >= 'A' && c <= 'Z') {
                word += static_cast<char>(c - 'A' + 'a');
            } else if (!word.empty()) {
                auto found = known_.find(word);
                if (found == known_.end() && add) {
                    found = known_.emplace(word, static_cast<std::uint32_t>(known_.size())).first;
                    into_.words.push_back(word);
                }
                if (found != known_.end()) made.push_back(found->second);
                word.clear();
            }
        }
        return made;
    }

private:
    corpus& into_;
    std::unordered_map<std::string, std::uint32_t> known_ = {};
};

/// Descriptions of Debian's packages as examples/demo/packages.sh writes them; questions are two to
/// six words that follow each other in one of them. Nothing where there is no such file.
[[nodiscard]] inline std::optional<corpus> package_corpus(
    std::string const& file, std::size_t questions) {
    std::ifstream in(file);
    corpus made{.name = "packages"};
    word_numbers numbered(made);
    for (std::string line; std::getline(in, line);) {
        std::string text;
        std::size_t field = 0;
        for (std::size_t begin = 0; begin <= line.size(); ++field) {
            auto const end = (std::min)(line.find('\t', begin), line.size());
            if (field == 0 || field >= 3)
                text += line.substr(begin, end - begin) + ' '; // name, summary, description
            begin = end + 1;
        }
        made.documents.push_back(numbered.of(text, true));
        if (made.documents.back().size() < 3) made.documents.pop_back();
    }
    if (made.documents.empty()) return std::nullopt;
    trawl::detail::random random(9);
    while (made.questions.size() < questions) {
        auto const& document = made.documents[random.below(made.documents.size())];
        auto const size = (std::min)(document.size(), std::size_t{2} + random.below(5));
        auto const from = random.below(document.size() - size + 1);
        numbers asked;
        for (auto const word : std::span(document).subspan(from, size)) {
            if (std::find(asked.begin(), asked.end(), word) == asked.end()) asked.push_back(word);
        }
        made.questions.push_back(std::move(asked));
    }
    complete(made, true);
    return made;
}

/// SciFact with its own questions. Nothing where it is not there.
[[nodiscard]] inline std::optional<corpus> scifact_corpus(std::filesystem::path const& folder) {
    if (!std::filesystem::exists(folder / "corpus.jsonl")) return std::nullopt;
    auto const texts = trawl::read_corpus((folder / "corpus.jsonl").string());
    auto const asked = trawl::read_queries((folder / "queries.jsonl").string());
    corpus made{.name = "scifact"};
    word_numbers numbered(made);
    for (trawl::doc_id id = 0; id < texts.size(); ++id) {
        made.documents.push_back(numbered.of(texts.searched(id), true));
    }
    for (auto const& text : asked.texts) {
        auto words = numbered.of(text, false);
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        if (!words.empty()) made.questions.push_back(std::move(words));
    }
    complete(made, true);
    return made;
}

} // namespace bench
