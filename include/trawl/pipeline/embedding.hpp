// SPDX-License-Identifier: MIT
#pragma once

/// Turns the text of a question into its vector, once for all arms and stages.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

namespace trawl::inline v0_1::detail {

/// A pipeline without .embed().
struct no_embedder {
    [[nodiscard]] bool embeds(query const&) const noexcept { return false; }
    [[nodiscard]] std::vector<float> operator()(query const&) const { return {}; }
};

/// Held is how the model is kept.
template <class Held>
class question_embedder {
public:
    explicit question_embedder(Held model) : model_(std::move(model)) {}

    /// Only a question that has text and no vector.
    [[nodiscard]] bool embeds(query const& q) const noexcept { return q.vector.empty() && !q.text.empty(); }

    /// @throws trawl::error (model) if a value is NaN, infinite or was not written.
    [[nodiscard]] std::vector<float> operator()(query const& q) const {
        auto const& model = model_.get();
        constexpr auto not_written = std::bit_cast<float>(std::uint32_t{0x7FC00000}); // NaN
        std::vector<float> vector(model.dim(), not_written);
        std::string_view const text = q.text;
        model.embed(
            std::span(&text, 1), text_role::query, matrix_view<float>{vector.data(), 1, vector.size()});
        auto const bad = first_not_finite(vector);
        if (bad < vector.size()) {
            fail(errc::model,
                join("embed: value ", bad, " of the question's vector is ", vector[bad], ", must be finite"));
        }
        return vector;
    }

private:
    Held model_;
};

} // namespace trawl::inline v0_1::detail
