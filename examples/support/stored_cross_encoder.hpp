// SPDX-License-Identifier: MIT
#pragma once

/// A trained cross-encoder whose logits for all questions and chunks of examples/corpus were computed
/// once (tools/train_cross_encoder.py), so that the learning path needs no weights.

#include <cstddef>
#include <span>

#include <trawl/core/matrix.hpp>
#include <trawl/core/words.hpp>

#include "support/corpus.hpp"

namespace learn {

/// A reranker for the questions of the corpus. trawl::cross_encoder takes its place for any question
/// and any text.
class stored_cross_encoder {
public:
    /// Borrows the corpus.
    explicit stored_cross_encoder(corpus const& c);

    void operator()(
        trawl::query const& q, std::span<trawl::candidate const> batch, std::span<float> out) const;

private:
    corpus const& corpus_;
    trawl::matrix<float> logits_; ///< [questions x chunks]
};

} // namespace learn
