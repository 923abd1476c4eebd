// SPDX-License-Identifier: MIT
#include <trawl/eval/comparison.hpp>

#include "support/catch.hpp"

namespace {

trawl::ranking ranked(std::initializer_list<trawl::doc_id> ids) {
    trawl::ranking out;
    for (auto const id : ids) out.push_back({id, 1});
    return out;
}

} // namespace

// Ids: D002-1 is 21, D033-1 is 331, and so on.
TEST_CASE("the arms of the worked queries overlap as recorded", "[eval][overlap][worked]") {
    auto const token =
        trawl::overlap(ranked({42, 331, 21, 51, 161}), ranked({211, 21, 331, 22, 163}));
    CHECK(token.shared == std::vector<trawl::doc_id>{21, 331});
    CHECK(token.united() == 8);
    CHECK(token.only_first == std::vector<trawl::doc_id>{42, 51, 161});
    CHECK(token.only_second == std::vector<trawl::doc_id>{22, 163, 211});

    auto const cursor =
        trawl::overlap(ranked({222, 221, 224, 225, 223}), ranked({211, 222, 225, 223, 221}));
    CHECK(cursor.shared == std::vector<trawl::doc_id>{221, 222, 223, 225});
    CHECK(cursor.united() == 6);
    CHECK(cursor.only_first == std::vector<trawl::doc_id>{224});
    CHECK(cursor.only_second == std::vector<trawl::doc_id>{211});

    auto const path = trawl::overlap(ranked({331, 12, 51, 333, 321}), ranked({331, 51}));
    CHECK(path.shared == std::vector<trawl::doc_id>{51, 331});
    CHECK(path.united() == 5);
    CHECK(path.only_second.empty());
    CHECK(path.share() == .4);
}

TEST_CASE("repeated documents and empty rankings overlap as sets do", "[eval][overlap]") {
    auto const twice = trawl::overlap(ranked({1, 1, 2}), ranked({2, 2, 3, 3}));
    CHECK(twice.shared == std::vector<trawl::doc_id>{2});
    CHECK(twice.only_first == std::vector<trawl::doc_id>{1});
    CHECK(twice.only_second == std::vector<trawl::doc_id>{3});
    CHECK(trawl::overlap({}, {}).share() == 1);
    CHECK(trawl::overlap(ranked({1}), {}).share() == 0);
}
