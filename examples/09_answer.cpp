// SPDX-License-Identifier: MIT
// From a ranking to an answer: the context, the prompt, and what citations show and do not show.
// The answerer here quotes a passage, so that the program runs without a model and a network.
#include "support/corpus.hpp"

#include <cstdio>
#include <string>

#include <trawl/eval/abstention.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/text/passages/citations.hpp>
#include <trawl/text/passages/extractive_answerer.hpp>

int main() {
    learn::corpus const manual;
    auto const dense = manual.dense();
    auto const key_of = [&](trawl::doc_id id) { return manual.key(id); };
    auto const text_of = [&](trawl::doc_id id) { return manual.chunks[id].text; };
    trawl::extractive_answerer const answerer;

    auto const& asked = manual.asked("Q001");
    auto const current = manual.of_version(asked.version);
    auto const right = asked.expected();

    for (bool const filtered : {false, true}) {
        std::printf("%s the filter \"version %s\":\n\n", filtered ? "With" : "Without",
            asked.version.c_str());
        auto const found =
            dense.search(asked.vector, 50, filtered ? trawl::filter(current) : trawl::filter());
        learn::print_question(asked);
        learn::print_hits(manual, asked, found, "cosine", 3);
        auto const context =
            trawl::make_context(found, key_of, text_of, {.passages = 3, .tokens = 400});
        if (filtered)
            std::printf("\n--- the prompt ---\n%s---\n", make_prompt(context, asked.text).c_str());
        auto const answer = answerer(asked.text, context);
        std::printf("\nanswer: %s\n\n", answer.c_str());
        auto const report = trawl::check_citations(answer, context, current);
        std::fputs(trawl::to_text(report).c_str(), stdout);
        bool const is_right = answer.find("45 minutes") != std::string::npos;
        auto const kind = trawl::diagnose(found, context, report, {&right, 1}, is_right);
        std::printf("judged by a person: %s; cause: %s\n\n", is_right ? "right" : "wrong",
            std::string(name_of(kind)).c_str());
    }

    std::puts("A model's answer, made up here, with every fault that the report finds:");
    auto const context = trawl::make_context(dense.search(asked.vector, 3), key_of, text_of);
    std::string const answer =
        "A token is valid for 12 hours [D036-chunk-2]. It can be renewed by telephone "
        "[D099-chunk-7]. Nobody has "
        "complained.";
    std::printf("%s\n\n%s", answer.c_str(),
        trawl::to_text(check_citations(answer, context, current)).c_str());

    // Eight questions have no answer. A floor under the best cosine keeps the answerer silent.
    std::vector<trawl::answerable> outcomes;
    for (auto const& q : manual.questions) {
        auto const eligible = manual.of_version(q.version);
        outcomes.push_back({dense.search(q.vector, 1, eligible).front().score, q.has_answer()});
    }
    auto const floor = trawl::calibrated_floor(outcomes);
    auto const seen = trawl::judge_abstention(outcomes, floor);
    auto const unseen = trawl::leave_one_out_abstention(outcomes);
    std::printf("\nA floor of %.3f under the best cosine, calibrated on all %zu questions:\n",
        floor ? static_cast<double>(*floor) : 0.0, outcomes.size());
    for (auto const& [name, result] :
        {std::pair{"as calibrated", seen}, std::pair{"each left out in turn", unseen}}) {
        std::printf("  %-22s %3zu answered, %2zu silenced though there is an answer, %zu rightly "
                    "silent, %zu "
                    "answered "
                    "though there is none; balanced %.3f\n",
            name, result.answered, result.silenced, result.abstained, result.invented,
            result.balanced_accuracy());
    }

    learn::take_away("an answer is no better than its context, and a citation shows where to look, "
                     "not that it is true.");
}
