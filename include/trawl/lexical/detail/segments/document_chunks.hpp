// SPDX-License-Identifier: MIT
#pragma once

/// Many documents on their way into an index at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/words.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>
#include <trawl/lexical/detail/segments/segment_builder.hpp>
#include <trawl/lexical/detail/segments/term_dictionary.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// One field of some documents, its terms numbered by themselves.
struct document_chunk {
    term_dictionary terms = {};
    segment_builder documents = {};

    [[nodiscard]] std::uint32_t intern(std::string_view term) { return terms.intern(term); }
};

/// Adds documents under the next ids, in chunks that are analysed on the threads of an executor.
/// @param fields  a writer for each.
/// @param analyze  (i, field, chunk) gives the analyzed_document of the i-th one's field, its terms
/// numbered by the chunk; on any of the threads.
template <class Analyze>
void append_chunks(std::span<inverted_index::writer> fields, std::size_t documents,
    executor const* where, Analyze const& analyze) {
    constexpr std::size_t most = 65536; // documents of a chunk
    auto const threads = where == nullptr ? 1 : where->concurrency();
    for (std::size_t done = 0; done < documents;) {
        auto const together = (std::min)(documents - done, most * threads);
        auto const chunks = (std::min)(threads, (together + 1023) / 1024); // each of one at least
        std::vector<std::vector<document_chunk>> made(chunks);
        auto const first = fields[0].state().next_id;
        run_tasks(where, chunks, [&](std::size_t i) {
            auto& into = made[i] = std::vector<document_chunk>(fields.size());
            for (auto at = together * i / chunks; at < together * (i + 1) / chunks; ++at) {
                for (std::size_t field = 0; field < into.size(); ++field) {
                    auto const document = analyze(done + at, field, into[field]);
                    into[field].documents.add(first + static_cast<doc_id>(at), document.length,
                        document.terms, document.positions);
                }
            }
            for (auto& each : into) each.documents.pack();
        });
        for (auto& chunk : made) {
            for (std::size_t field = 0; field < fields.size(); ++field) {
                auto& [terms, all] = chunk[field];
                std::vector<std::uint32_t> numbers(terms.size());
                for (std::uint32_t term = 0; term < numbers.size(); ++term) {
                    numbers[term] = fields[field].intern(terms.term(term));
                }
                fields[field].append(std::move(all).take(numbers), where);
            }
            chunk.clear();
        }
        done += together;
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
