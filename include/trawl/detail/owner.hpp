// SPDX-License-Identifier: MIT
#pragma once

/// What keeps borrowed memory alive.

#include <utility>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Holds any copyable value, a std::shared_ptr as a rule, or nothing. Without <memory>, which is a
/// quarter of what flat_index.hpp would cost a compiler.
class owner {
public:
    owner() = default;
    template <class Value>
    static owner of(Value value) {
        owner made;
        made.held_ = new holder<Value>(std::move(value));
        return made;
    }
    owner(owner const& other) : held_(other.held_ == nullptr ? nullptr : other.held_->copy()) {}
    owner(owner&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
    owner& operator=(owner other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~owner() { delete held_; }

private:
    struct anything {
        anything() = default;
        anything(anything const&) = default;
        anything& operator=(anything const&) = delete;
        virtual ~anything() = default;
        [[nodiscard]] virtual anything* copy() const = 0;
    };
    template <class Value>
    struct holder final : anything {
        explicit holder(Value held) : value(std::move(held)) {}
        [[nodiscard]] anything* copy() const override { return new holder(*this); }
        Value value;
    };

    anything* held_ = nullptr;
};

/// The owner of what the caller keeps alive.
struct nobody {};

} // namespace detail
TRAWL_END_NAMESPACE
