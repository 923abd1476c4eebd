// SPDX-License-Identifier: MIT
#include <trawl/eval/measure.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <trawl/error.hpp>

#include "support/catch.hpp"

namespace {

std::vector<std::string> names(std::string_view list) {
    std::vector<std::string> out;
    for (auto const& m : trawl::measures_named(list)) out.push_back(m.name);
    return out;
}

using list = std::vector<std::string>;

} // namespace

TEST_CASE("measures have the names that trec_eval prints", "[eval][names]") {
    CHECK(names("ndcg@10,map,mrr,recall@100,hit@1,hit@10")
          == list{"ndcg_cut_10", "map", "recip_rank", "recall_100", "success_1", "success_10"});
    CHECK(names("ndcg_cut_10") == list{"ndcg_cut_10"});
    CHECK(names("ndcg_cut.20,10,20") == list{"ndcg_cut_10", "ndcg_cut_20"});
    CHECK(names("P_5,p@5,precision@5") == list{"P_5", "P_5", "P_5"});
    CHECK(names("success") == list{"success_1", "success_5", "success_10"});
    CHECK(names("map@10,mrr@10") == list{"map_cut_10", "recip_rank_cut_10"});
    CHECK(names("ndcg") == list{"ndcg"});
    CHECK(names("ndcg.1=3,2=9,4=4.5") == list{"ndcg_1=3,2=9,4=4.5"});
    CHECK(names("utility.2,-1,0,0,map") == list{"utility_2,-1,0,0", "map"});
    CHECK(names("11pt_avg,iprec_at_recall_0.25,num_rel_ret,set_relative_P")
          == list{"11pt_avg", "iprec_at_recall_0.25", "num_rel_ret", "set_relative_P"});
    CHECK(names("rbp.p=0.8") == list{"rbp_p=0.8"});
    CHECK(names("").empty());
}

TEST_CASE("a list of all measures has none twice, and each name finds its measure again",
    "[eval][names]") {
    auto all = names("all");
    for (auto const& name : all) {
        CAPTURE(name);
        CHECK(names(name) == list{name});
    }
    CHECK(all.size() > 90);
    std::sort(all.begin(), all.end());
    CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_CASE("measures that are not known, and parameters that do not fit, are named",
    "[eval][names][bad]") {
    CHECK_THROWS_WITH(names("nonsense@10"), "there is no measure 'nonsense@10'");
    CHECK_THROWS_AS(names("ndcg@10,,map"), trawl::error);
    CHECK_THROWS_WITH(
        names("P@0"), "measure P: parameter '0' where it takes cutoffs (whole numbers from 1)");
    for (auto const* bad : {"P@", "P@-1", "P@1.5", "P@x", "P@1e3", "P@99999999999999999999",
             "map.x", "bpref@5", "rbp.p=x", "rbp.q=1", "utility.1,2", "ndcg.a=1", "ndcg.1=nan",
             "@10", "_", ".", "set_F.", "iprec.inf", "recall@5@6"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(names(bad), trawl::error);
    }
}
