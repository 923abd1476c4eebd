// SPDX-License-Identifier: MIT
// Lexical files whose sections were changed and whose checksums are right: an error that names the
// path, or an index of which every call ends, stays in bounds and keeps the laws.
#include "lexical/hostile.hpp"

#include <unistd.h>

#include <filesystem>
#include <string>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

std::string const path = (std::filesystem::temp_directory_path()
                          / ("trawl_lexical_hostile_test_" + std::to_string(getpid())))
                             .string();

template <class Index>
void check_damaged(bool positions, int rounds) {
    auto const good = hostile::saved<Index>(positions, path);
    trawl::detail::random random(11);
    int opened = 0;
    for (int round = 0; round < rounds; ++round) {
        CAPTURE(round, positions);
        auto bad = good;
        for (auto changes = 1 + random.below(2); changes > 0; --changes) bad.damage(random);
        bad.write(path);
        hostile::law_check laws;
        try {
            laws.all<Index>(path, positions);
            ++opened;
        } catch (trawl::error const& e) {
            CAPTURE(e.what());
            CHECK(std::string(e.what()).starts_with(path));
        }
        if (laws.broken() != nullptr) FAIL(laws.broken());
    }
    CHECK(opened > 0);
    std::filesystem::remove(path);
    std::filesystem::remove(path + "2");
}

} // namespace

TEST_CASE("any change of any section is an error or keeps the laws", "[lexical][storage][errors]") {
    for (bool const positions : {true, false}) {
        check_damaged<hostile::text_index>(positions, 120);
        check_damaged<hostile::field_index>(positions, 80);
    }
}

TEST_CASE("ids of lexical files ascend", "[lexical][storage][errors]") {
    auto const good = hostile::saved<hostile::text_index>(false, path);
    for (auto const id : {9u, 12u, 0xFFFFFFFFu}) { // row 10's: 9 and 11 stand beside it
        auto bad = good;
        bad.set<trawl::doc_id>("ids", 10, id);
        bad.write(path);
        auto const error =
            support::error_of([] { static_cast<void>(trawl::open<hostile::text_index>(path)); });
        CHECK((error.code == trawl::errc::corrupt && error.text.starts_with(path)));
        CHECK(error.names("ids must ascend"));
    }
    std::filesystem::remove(path);
}
