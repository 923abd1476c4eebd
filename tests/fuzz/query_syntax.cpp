// SPDX-License-Identifier: MIT
// Any bytes are a question or an error that says where, and a question can be asked, of an index
// with fields and of one without.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/lexical/query_syntax.hpp>

namespace {

template <class Index>
void ask(Index const& index, std::string_view text) {
    trawl::syntax_search const typed{index};
    try {
        for (auto const& hit : typed.search(text, 10)) {
            auto const why = typed.explain({.text = text}, hit.id);
            if (!trawl::adds_up(why) || why.value != static_cast<double>(hit.score)) std::abort();
        }
    } catch (trawl::error const& e) {
        std::string_view const what = e.what();
        if (e.code() == trawl::errc::parse && !what.starts_with("query, column ")) std::abort();
        if (e.code() != trawl::errc::parse && e.code() != trawl::errc::invalid_argument)
            std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static trawl::bm25_index plain({}, {.positions = true});
    static trawl::bm25f_index fields({{"title", 2}, {"text"}}, {}, {.positions = true});
    static bool const filled = [] {
        for (auto const* const text : {"the dead lock of a thread", "lock the dead door",
                 "PROD-4817 refund", "a b a b c", "caf\xC3\xA9 \xE6\x97\xA5\xE6\x9C\xAC"}) {
            plain.add(text);
            fields.add({"dead title", text});
        }
        return true;
    }();
    static_cast<void>(filled);
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    ask(plain, text);
    ask(fields, text);
    return 0;
}
