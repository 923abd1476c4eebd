// SPDX-License-Identifier: MIT
// Title and text as fields of a document: the program of docs/fields.md.
#include <cstdio>
#include <string_view>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/lexical/query_syntax.hpp>

int main() {
    struct document {
        std::string_view title, text;
    };
    document const documents[] = {
        {"Refunds", "They take three days. A refund of a gift card is a gift card."},
        {"Shipping", "No refund of what it cost; a refund is paid for the rest, and another refund "
                     "for the box."},
        {"Gift cards", "They never expire."}};
    // -- index
    trawl::bm25f_index index({{"title", 2, 0.3}, {"text"}}); // name, weight, b
    for (auto const& [title, text] : documents) index.add({title, text});
    // -- end

    auto const show = [&](char const* question, trawl::ranking const& hits) {
        std::printf("%s\n", question);
        for (auto const [id, score] : hits) {
            std::printf("  %.4f  %.*s\n", static_cast<double>(score),
                static_cast<int>(documents[id].title.size()), documents[id].title.data());
        }
    };
    // -- ask
    show("gift refund", index.search("gift refund", 10));

    trawl::syntax_search const typed{index};
    show("title:cards", typed.search("title:cards", 10));
    show("refund -title:shipping", typed.search("refund -title:shipping", 10));

    using namespace trawl::ask;
    show("the same in C++",
        index.search(words("refund").without(words("shipping").in("title")), 10));
    // -- explain
    std::printf("%s", to_text(index.explain({.text = "gift"}, 2)).c_str());
    // -- end
}
