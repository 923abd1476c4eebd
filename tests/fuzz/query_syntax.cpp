// SPDX-License-Identifier: MIT
// Any bytes are a question or an error that says where, and a question can be asked.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/query_syntax.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static auto const index = [] {
        trawl::bm25_index made({}, {.positions = true});
        for (auto const* const text : {"the dead lock of a thread", "lock the dead door", "PROD-4817 refund",
                 "a b a b c", "caf\xC3\xA9 \xE6\x97\xA5\xE6\x9C\xAC"}) {
            made.add(text);
        }
        return made;
    }();
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    try {
        auto const asked = trawl::parse_query(text);
        for (auto const& hit : index.search(asked, 10)) {
            auto const why = index.explain(asked, hit.id);
            if (!trawl::adds_up(why) || why.value != static_cast<double>(hit.score)) std::abort();
        }
    } catch (trawl::error const& e) {
        std::string_view const what = e.what();
        if (e.code() == trawl::errc::parse && !what.starts_with("query, column ")) std::abort();
        if (e.code() != trawl::errc::parse && e.code() != trawl::errc::invalid_argument) std::abort();
    }
    return 0;
}
