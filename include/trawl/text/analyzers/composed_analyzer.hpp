// SPDX-License-Identifier: MIT
#pragma once

/// An analyzer of your own: a base analyzer and filters for its tokens.

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Passes each token of the base through the filters, in the order given, until one leaves it out.
/// Positions and offsets stay those of the base: a word left out leaves its position empty.
///
///     auto const german = composed_analyzer{standard_analyzer{}, stop_words{"der", "die", "das"}};
///
/// Thread-safe if the base and the filters are; copies cost what theirs cost.
template <analyzer Base, token_filter... Filters>
class composed_analyzer {
public:
    explicit composed_analyzer(Base base, Filters... filters)
        : base_(std::move(base)), filters_(std::move(filters)...) {}

    /// Hands the tokens that pass to sink.
    /// @throws what the base and the filters throw.
    void analyze(std::string_view text, token_sink sink) const {
        std::string term;
        base_.analyze(text, [&](token const& t) {
            term.assign(t.term);
            auto const kept = std::apply(
                [&](Filters const&... filter) { return ((filter(term) && !term.empty()) && ...); },
                filters_);
            if (kept) sink({term, t.position, t.begin, t.end});
        });
    }

private:
    Base base_;
    std::tuple<Filters...> filters_;
};

TRAWL_END_NAMESPACE
