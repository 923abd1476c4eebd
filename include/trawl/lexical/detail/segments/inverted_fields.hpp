// SPDX-License-Identifier: MIT
#pragma once

/// An inverted index for each field of the same documents, seen and changed as one.

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/lexical/detail/segments/inverted_index.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// All fields have all documents, with no term where a field is empty: so each has a document in
/// the same part and row.
class inverted_fields {
    struct contents;

public:
    /// The fields at one moment.
    using reader = std::shared_ptr<std::vector<inverted_index::reader> const>;

    explicit inverted_fields(std::size_t fields)
        : inverted_fields(
            std::vector<inverted_index::reader>(fields, std::make_shared<index_snapshot const>())) {
    }
    explicit inverted_fields(std::vector<inverted_index::reader> const& begin)
        : state_(std::make_unique<contents>()) {
        std::vector<inverted_index::reader> own;
        for (auto const& field : begin) own.push_back(inverted_index::independent(*field));
        for (auto const& field : own) state_->fields.emplace_back(field);
        state_->published =
            std::make_shared<std::vector<inverted_index::reader> const>(std::move(own));
    }
    inverted_fields(inverted_fields const& other) : inverted_fields(*other.read()) {}
    inverted_fields& operator=(inverted_fields const& other) {
        if (this != &other) *this = inverted_fields(other);
        return *this;
    }
    inverted_fields(inverted_fields&&) = default;
    inverted_fields& operator=(inverted_fields&&) = default;
    ~inverted_fields() = default;

    [[nodiscard]] reader read() const {
        std::lock_guard const lock(state_->mutex);
        return state_->published;
    }

    /// The right to change all fields, one thread at a time: the others wait for the first field.
    class writer {
    public:
        explicit writer(inverted_fields& index) : state_(*index.state_) {
            fields_.reserve(state_.fields.size());
            for (auto& field : state_.fields) fields_.emplace_back(field);
        }

        [[nodiscard]] std::span<inverted_index::writer> fields() noexcept { return fields_; }

        /// Of the first field; ids, places and what is erased are those of all.
        [[nodiscard]] index_snapshot const& state() const noexcept { return fields_[0].state(); }

        void publish() {
            std::vector<inverted_index::reader> made;
            made.reserve(fields_.size());
            for (auto& field : fields_) made.push_back(field.finish());
            auto all = std::make_shared<std::vector<inverted_index::reader> const>(std::move(made));
            for (std::size_t i = 0; i < fields_.size(); ++i) fields_[i].publish((*all)[i]);
            std::lock_guard const lock(state_.mutex);
            state_.published.swap(all);
        }

    private:
        contents& state_;
        std::vector<inverted_index::writer> fields_;
    };

private:
    struct contents {
        std::mutex mutex = {};
        reader published = {};
        std::vector<inverted_index> fields = {};
    };

    std::unique_ptr<contents> state_; // none once it was moved from
};

} // namespace detail
TRAWL_END_NAMESPACE
