// SPDX-License-Identifier: MIT
#pragma once

/// Builds an analyzer from a base analyzer and filters for its tokens.

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/text/detail/filter_tokens.hpp>
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

private:
    Base base_;
    std::tuple<Filters...> filters_;
};

TRAWL_END_NAMESPACE
