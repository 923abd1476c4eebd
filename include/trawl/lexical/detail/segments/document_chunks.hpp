// SPDX-License-Identifier: MIT
#pragma once

/// Many documents on their way into an index at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trawl/core/executor.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>
#include <trawl/lexical/detail/segments/field_document.hpp>
#include <trawl/lexical/detail/segments/field_writer.hpp>
#include <trawl/lexical/detail/segments/segment_builder.hpp>
#include <trawl/lexical/detail/segments/term_dictionary.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// One field of some documents, with term ids of its own.
struct document_chunk {
    term_dictionary terms = {};
    segment_builder documents = {};
};

/// Adds documents under the next ids, in chunks that are analysed on the threads of an executor.
/// @param fields  a writer for each field.
inline void append_chunks(array_ref<field_writer> fields, std::size_t documents,
    analyzer_ref analyze, text_ref text, index_options keep, executor const* pool) {
    constexpr std::size_t chunk_documents = 65536; // at most
    auto const threads = pool == nullptr ? 1 : pool->concurrency();
    for (std::size_t done = 0; done < documents;) {
        auto const together = (std::min)(documents - done, chunk_documents * threads);
        auto const chunks = (std::min)(threads, (together + 1023) / 1024); // none is empty
        // The chunks of the first field, then those of the second …
        buffer<document_chunk> made(chunks * fields.size());
        auto const first = fields[0].state().next_id;
        run_tasks(pool, chunks, [&](std::size_t chunk) {
            field_document document;
            auto const end = together * (chunk + 1) / chunks;
            for (std::size_t field = 0; field < fields.size(); ++field) {
                auto& into = made[field * chunks + chunk];
                for (auto at = together * chunk / chunks; at < end; ++at) {
                    document.analyze(analyze, text(done + at, field), keep, into.terms);
                    into.documents.add(first + static_cast<doc_id>(at), document.length,
                        document.terms, document.positions);
                }
                into.documents.pack();
            }
        });
        for (std::size_t i = 0; i < made.size(); ++i) {
            auto& field = fields[i / chunks];
            document_chunk chunk = std::move(made[i]);
            buffer<std::uint32_t> term_ids(chunk.terms.size());
            for (std::uint32_t term = 0; term < term_ids.size(); ++term)
                term_ids[term] = field.terms().intern(chunk.terms.term(term));
            field.append(std::move(chunk.documents).take(term_ids), pool);
        }
        done += together;
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
