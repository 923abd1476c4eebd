// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/overlap_reranker.hpp.

#include <trawl/rerank/overlap_reranker.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The words of a query and their pairs of neighbours, as texts are compared with them.
class overlap_query {
public:
    using analysis = function_ref<void(std::string_view, token_sink)>;

    overlap_query(query const& q, analysis analyze) {
        struct overlap_token {
            std::string term;
            std::uint32_t position;
        };
        std::vector<overlap_token> tokens;
        if (q.terms.empty()) {
            analyze(q.text, [&](token const& t) {
                tokens.push_back({std::string(t.term), t.position});
            });
        } else {
            for (auto const& t : q.terms) {
                auto const position = static_cast<std::uint32_t>(tokens.size());
                tokens.push_back({std::string(t.term), position});
            }
        }
        for (auto const& t : tokens) words_.push_back(t.term);
        std::sort(words_.begin(), words_.end());
        words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
        neighbours pairs;
        for (auto const& t : tokens) {
            auto const w = find(t.term);
            pairs.next(t.position, w, [&](word left) { pairs_.push_back(pair_of(left, w)); });
        }
        std::sort(pairs_.begin(), pairs_.end());
        pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    }

    [[nodiscard]] float overlap(std::string_view text, analysis analyze) const {
        if (words_.empty()) return 0;
        std::vector<char> has_word(words_.size());
        std::vector<char> has_pair(pairs_.size());
        std::size_t score = 0;
        auto const mark = [&](char& has, std::size_t worth) {
            if (has == 0) score += worth;
            has = 1;
        };
        neighbours pairs;
        analyze(text, [&](token const& t) {
            auto const w = find(t.term);
            if (w != unknown) mark(has_word[w], 1);
            pairs.next(t.position, w, [&](word left) {
                auto const pair = pair_of(left, w);
                auto const at = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
                if (at != pairs_.end() && *at == pair)
                    mark(has_pair[static_cast<std::size_t>(at - pairs_.begin())], 2);
            });
        });
        return static_cast<float>(score);
    }

private:
    using word = std::uint32_t; // a place in words_
    static constexpr word unknown = (std::numeric_limits<word>::max)();

    [[nodiscard]] static std::uint64_t pair_of(word left, word right) noexcept {
        return std::uint64_t{left} << 32 | right;
    }

    // Calls visit(left) for each word at the position before, in a sequence of words with
    // positions.
    class neighbours {
    public:
        void next(std::uint32_t position, word w, function_ref<void(word)> visit) {
            if (position != position_ || here_.empty()) {
                std::swap(before_, here_);
                here_.clear();
                position_ = position;
            }
            here_.push_back(w);
            for (word const left : before_) visit(left);
        }

    private:
        std::uint32_t position_ = 0;
        std::vector<word> before_;
        std::vector<word> here_;
    };

    [[nodiscard]] word find(std::string_view term) const {
        auto const at = std::lower_bound(words_.begin(), words_.end(), term);
        return at != words_.end() && *at == term ? static_cast<word>(at - words_.begin()) : unknown;
    }

    std::vector<std::string> words_;
    std::vector<std::uint64_t> pairs_;
};

TRAWL_INLINE void score_overlap(query const& q, std::span<candidate const> batch,
    std::span<float> out, function_ref<void(std::string_view, token_sink)> analyze) {
    if (out.size() != batch.size()) {
        fail(errc::dimension_mismatch, join("overlap_reranker: ", batch.size(),
                                           " candidates, room for ", out.size(), " scores"));
    }
    overlap_query const asked(q, analyze);
    for (std::size_t i = 0; i < batch.size(); ++i) out[i] = asked.overlap(batch[i].text, analyze);
}

} // namespace detail
TRAWL_END_NAMESPACE
