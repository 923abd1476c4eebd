// SPDX-License-Identifier: MIT
#pragma once

/// Builds an analyzer from a base analyzer and filters for its tokens.

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/text/detail/filter_tokens.hpp>
#include <trawl/text/surface.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Passes each token of the base through the filters, in the order given, until one drops it.
/// Positions and offsets stay those of the base: a dropped word leaves its position empty.
///
///     auto const german = composed_analyzer{standard_analyzer{}, stop_words{"der", "die", "das"}};
///
/// Thread-safe if the base and the filters are. Copying it copies them.
template <analyzer Base, token_filter... Filters>
class composed_analyzer {
public:
    explicit composed_analyzer(Base base, Filters... filters)
        : base_(std::move(base)), filters_(std::move(filters)...) {}

    /// Passes the tokens that remain to sink.
    /// @throws whatever the base and the filters throw.
    void analyze(std::string_view text, token_sink sink) const {
        detail::filter_tokens(base_, text, sink, [this](std::string& term) {
            return std::apply(
                [&](Filters const&... filter) { return ((filter(term) && !term.empty()) && ...); },
                filters_);
        });
    }

    /// Passes the words of a text to sink, those dropped as well: see surface.hpp. A filter whose
    /// `reduces_words` is true does not change a surface.
    void analyze_surface(std::string_view text, surface_sink sink) const {
        std::string surface;
        std::string term;
        trawl::analyze_surface(base_, text, [&](surface_token const& t) {
            surface.assign(t.surface);
            term.assign(t.indexed.term);
            std::apply(
                [&](Filters const&... filter) { (pass(filter, surface, term), ...); }, filters_);
            if (surface.empty() && term.empty()) return;
            sink({surface, {term, t.indexed.position, t.indexed.begin, t.indexed.end}});
        });
    }

private:
    template <class Filter>
    static void pass(Filter const& filter, std::string& surface, std::string& term) {
        if (!term.empty() && !filter(term)) term.clear();
        if constexpr (!reduces_words<Filter>) {
            if (!surface.empty() && !filter(surface)) surface.clear();
        }
    }

    Base base_;
    std::tuple<Filters...> filters_;
};

TRAWL_END_NAMESPACE
