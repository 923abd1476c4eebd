// SPDX-License-Identifier: MIT

/// trawl pool, judge and agreement: from the answers of systems to judgements of people.

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/agreement.hpp>
#include <trawl/eval/pooling.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/trec.hpp>

#include "inputs.hpp"
#include "options.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace cli {
namespace {

// Grades by query and document. Each one that is given is on the disk before the next one is
// asked for, in a file that is replaced in one step: whatever ends the program, nothing is lost or
// half written.
class judgement_file {
public:
    explicit judgement_file(std::string path) : path_(std::move(path)) {
        if (!std::filesystem::exists(path_)) return;
        auto const old = read_qrels(path_);
        for (std::size_t q = 0; q < old.size(); ++q) {
            for (auto const& j : old.judgements(q).all()) {
                grades_[{std::string(old.query(q)), std::string(old.documents().key(j.id))}] =
                    j.grade;
            }
        }
    }

    [[nodiscard]] trawl::qrels judged() const {
        std::vector<trawl::qrels_row> rows;
        for (auto const& [where, grade] : grades_)
            rows.push_back({where.first, where.second, grade});
        return trawl::qrels(rows);
    }

    /// No grade takes it back.
    void set(trawl::pooled_document const& d, std::optional<int> grade) {
        std::pair<std::string, std::string> const where(d.query, d.key);
        if (grade) {
            grades_[where] = *grade;
        } else {
            grades_.erase(where);
        }
        trawl::write_qrels(path_, judged());
    }

private:
    std::string path_;
    std::map<std::pair<std::string, std::string>, int> grades_;
};

void show(trawl::pooled_document const& d, trawl::beir_queries const& queries,
    trawl::beir_corpus const& corpus, std::size_t shown) {
    auto const query = queries.keys.find(d.query);
    auto const document = corpus.keys.find(d.key);
    std::printf("\nquery %s: %s\n", std::string(d.query).c_str(),
        query ? queries.texts[*query].c_str() : "(its text is missing)");
    std::printf("document %s: %s\n", std::string(d.key).c_str(),
        document ? corpus.titles[*document].c_str() : "(missing from the corpus)");
    if (!document) return;
    auto const& text = corpus.texts[*document];
    auto const begin = beginning(text, shown);
    std::printf("%s%s\n", begin.c_str(), begin.size() < text.size() ? " […]" : "");
}

} // namespace

void run(pool_command const& command) {
    std::vector<trawl::run> runs;
    for (auto const& path : command.runs)
        runs.push_back(read_run(path, trawl::convention::library));
    std::vector<trawl::run const*> borrowed;
    for (auto const& r : runs) borrowed.push_back(&r);
    auto const pooled = trawl::pool(borrowed, command.depth);
    std::size_t documents = 0;
    for (std::size_t q = 0; q < pooled.size(); ++q) documents += pooled.judgements(q).size();
    std::string known;
    if (!command.qrels.empty()) {
        known = joined(", of which ",
            trawl::left_to_judge(pooled, read_qrels(command.qrels)).size(), " are not judged yet");
    }
    write_result(command.out, trawl::to_text(pooled));
    std::fprintf(
        stderr, "%zu queries, %zu documents to judge%s\n", pooled.size(), documents, known.c_str());
}

void run(judge_command const& command) {
    auto const pooled = read_qrels(command.pool);
    auto const queries = trawl::parse_queries(read_contents(command.queries), command.queries);
    auto const corpus = trawl::parse_corpus(read_contents(command.corpus), command.corpus);
    judgement_file file(command.out);
    auto const left = trawl::left_to_judge(pooled, file.judged());
    std::printf("%zu documents to judge. A grade from 0 (not relevant) to %d; s skips, u goes "
                "back, q ends.\n",
        left.size(), command.best);
    for (std::size_t i = 0; i < left.size();) {
        show(left[i], queries, corpus, command.shown);
        std::printf("%zu of %zu, grade: ", i + 1, left.size());
        std::fflush(stdout);
        std::string line;
        if (!std::getline(std::cin, line) || line == "q") break;
        if (line == "s") {
            ++i;
        } else if (line == "u") {
            if (i > 0) file.set(left[--i], std::nullopt);
        } else if (auto const grade = number_in<int>(line);
                   grade && *grade >= 0 && *grade <= command.best) {
            file.set(left[i++], grade);
        } else {
            std::printf("'%s' is no grade from 0 to %d\n", line.c_str(), command.best);
        }
    }
    auto const rest = trawl::left_to_judge(pooled, file.judged()).size();
    std::printf("\n%zu documents are left; the same command goes on with them.\n", rest);
}

void run(agreement_command const& command) {
    std::vector<trawl::qrels> judges;
    for (auto const& path : command.qrels) judges.push_back(read_qrels(path));
    std::vector<trawl::qrels const*> borrowed;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < judges.size(); ++i) {
        borrowed.push_back(&judges[i]);
        names.push_back(file_name(command.qrels[i]));
    }
    auto const table = trawl::agreement_table(trawl::judged_by_all(borrowed), names);
    write_result("", formatted(table, command.table));
}

} // namespace cli
