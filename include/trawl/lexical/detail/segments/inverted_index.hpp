// SPDX-License-Identifier: MIT
#pragma once

/// Which documents hold which terms, how often: all that BM25 needs to know, whatever its formula.
/// One writer at a time makes the next snapshot while any number of readers use those that they
/// took.

#include <cstddef>
#include <mutex>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/detail/simd/bm25_kernels.hpp>
#include <trawl/lexical/detail/lexical_engine.hpp>
#include <trawl/lexical/detail/segments/field_document.hpp>
#include <trawl/lexical/detail/segments/field_writer.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// All fields hold all documents, with no term where a field is empty: so each field has a document
/// in the same segment and row.
class inverted_index {
public:
    /// @throws trawl::error (invalid_argument) if TRAWL_FORCE_ISA names what this machine lacks.
    explicit inverted_index(std::size_t fields) : inverted_index(empty(fields)) {}
    explicit inverted_index(index_reader begin) : published_(std::move(begin)) {
        static_cast<void>(active_bm25_kernels());
    }
    inverted_index(inverted_index const&) = delete;
    inverted_index& operator=(inverted_index const&) = delete;
    ~inverted_index() = default;

    /// Fields without documents.
    [[nodiscard]] static index_reader empty(std::size_t fields) {
        buffer<counted_ptr<index_snapshot const>> made(fields);
        for (auto& field : made) field = counted_ptr<index_snapshot const>::make();
        return counted_ptr<buffer<counted_ptr<index_snapshot const>> const>::make(std::move(made));
    }

    /// The index as it is now.
    [[nodiscard]] index_reader read() const {
        std::lock_guard const lock(published_mutex_);
        return published_;
    }

    /// The right to change the index, held by one thread at a time. Searches see the changes once
    /// publish() is called; without it there are none.
    class writer {
    public:
        explicit writer(inverted_index& index) : index_(index), lock_(index.writing_mutex_) {
            auto const now = index.read();
            fields_.reserve(now->size());
            for (auto const& field : *now) fields_.push_back(field_writer(field));
        }
        writer(writer const&) = delete;
        writer& operator=(writer const&) = delete;
        ~writer() {
            if (published_) return;
            for (auto& field : fields_) field.abandon();
        }

        [[nodiscard]] array_ref<field_writer> fields() noexcept { return fields_; }

        /// Room for a document on its way into the index.
        [[nodiscard]] field_document& document() noexcept { return index_.document_; }

        /// Of the first field; ids, places and what is erased are those of all.
        [[nodiscard]] index_snapshot const& state() const noexcept { return fields_[0].state(); }

        void publish() {
            buffer<counted_ptr<index_snapshot const>> made;
            made.reserve(fields_.size());
            for (auto& field : fields_) made.push_back(field.finish());
            auto all =
                counted_ptr<buffer<counted_ptr<index_snapshot const>> const>::make(std::move(made));
            std::lock_guard const lock(index_.published_mutex_);
            std::swap(index_.published_, all); // the old one goes when the lock is free again
            published_ = true;
        }

    private:
        inverted_index& index_;
        std::unique_lock<std::mutex> lock_;
        buffer<field_writer> fields_;
        bool published_ = false;
    };

private:
    std::mutex mutable published_mutex_;
    index_reader published_;
    std::mutex writing_mutex_;
    field_document document_; ///< the writer's
};

/// A copy for another index, which shares only what is never written again.
[[nodiscard]] inline index_reader independent(index_reader const& from) {
    buffer<counted_ptr<index_snapshot const>> made;
    for (auto const& field : *from) {
        index_snapshot copy(*field);
        copy.dictionary = counted_ptr<term_dictionary>::make(*field->dictionary, field->terms);
        copy.slots = copy.dictionary->current_slots();
        if (field->tail != nullptr) {
            copy.tail = counted_ptr<index_tail>::make();
            for (std::size_t slot = 0; slot < field->tail_size; ++slot)
                copy.tail->documents[slot] = field->tail->documents[slot];
        }
        made.push_back(counted_ptr<index_snapshot const>::make(std::move(copy)));
    }
    return counted_ptr<buffer<counted_ptr<index_snapshot const>> const>::make(std::move(made));
}

} // namespace detail
TRAWL_END_NAMESPACE
