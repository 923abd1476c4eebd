// SPDX-License-Identifier: MIT
#pragma once

/// An analyzer whose type is erased.

#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/core/words.hpp>
#include <trawl/text/surface.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Borrows the analyzer. An analyzer that neither stems nor drops words has no surfaces apart from
/// its terms: its tokens are passed on as they are, at the price of one indirect call each.
class analyzer_ref {
public:
    template <analyzer A>
    explicit analyzer_ref(A const& a) noexcept
        : analyzer_(&a), tokens_([](void const* held, std::string_view text, token_sink sink) {
              static_cast<A const*>(held)->analyze(text, sink);
          }) {
        if constexpr (requires(surface_sink sink) { a.analyze_surface({}, sink); }) {
            surfaces_ = [](void const* held, std::string_view text, surface_sink sink) {
                static_cast<A const*>(held)->analyze_surface(text, sink);
            };
        }
    }

    [[nodiscard]] bool has_surfaces() const noexcept { return surfaces_ != nullptr; }

    /// Passes the tokens of a text to sink.
    void tokens(std::string_view text, token_sink sink) const { tokens_(analyzer_, text, sink); }

    /// Passes the words of a text to sink, as analyze_surface.
    void operator()(std::string_view text, surface_sink sink) const {
        if (surfaces_ != nullptr) return surfaces_(analyzer_, text, sink);
        tokens(text, [&](token const& t) { sink({t.term, t}); });
    }

private:
    void const* analyzer_;
    void (*tokens_)(void const*, std::string_view, token_sink);
    void (*surfaces_)(void const*, std::string_view, surface_sink) = nullptr;
};

} // namespace detail
TRAWL_END_NAMESPACE
