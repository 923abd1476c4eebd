// SPDX-License-Identifier: MIT
#pragma once

/// Words that stand for each other.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/error.hpp>
#include <trawl/text/surface.hpp>

TRAWL_BEGIN_NAMESPACE

/// Adds to each token of the base its synonyms, at the same position and with the same offsets, so
/// that a phrase and a length count them as one word. For the texts or for the questions, not both:
/// once is enough.
///
///     synonym_analyzer{english_analyzer{}, {{"car", "automobile"}, {"tv", "television", "goggle box"}}}
///
/// A word is analysed by the base. One that it turns into a single position is replaced and
/// replaces; one of several positions (goggle box) only replaces, with all its terms at the one
/// position. Thread-safe if the base is; copies share the words.
template <analyzer Base>
class synonym_analyzer {
public:
    /// @param groups  each a list of words that mean the same; a word may be in several
    /// @throws trawl::error (invalid_argument) if the base leaves nothing of a word.
    synonym_analyzer(Base base, std::span<std::vector<std::string> const> groups)
        : base_(std::move(base)), others_(std::make_shared<table const>(learn(base_, groups))) {}
    synonym_analyzer(Base base, std::initializer_list<std::vector<std::string>> groups)
        : synonym_analyzer(std::move(base), std::span(groups.begin(), groups.size())) {}

    /// Hands the tokens of the base and their synonyms to sink.
    /// @throws what the base throws.
    void analyze(std::string_view text, token_sink sink) const {
        base_.analyze(text, [&](token const& t) {
            sink(t);
            auto const found = others_->find(t.term);
            if (found == others_->end()) return;
            for (auto const& other : found->second) sink({other, t.position, t.begin, t.end});
        });
    }

    /// Passes the words of the base, and the synonyms of its terms without a surface, to sink: see
    /// surface.hpp.
    void analyze_surface(std::string_view text, surface_sink sink) const {
        trawl::analyze_surface(base_, text, [&](surface_token const& t) {
            sink(t);
            if (t.indexed.term.empty()) return;
            auto const found = others_->find(t.indexed.term);
            if (found == others_->end()) return;
            for (auto const& other : found->second)
                sink({{}, {other, t.indexed.position, t.indexed.begin, t.indexed.end}});
        });
    }

private:
    struct hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view term) const noexcept {
            return std::hash<std::string_view>{}(term);
        }
    };
    using table = std::unordered_map<std::string, std::vector<std::string>, hash, std::equal_to<>>;

    static table learn(Base const& base, std::span<std::vector<std::string> const> groups) {
        struct meaning {
            std::vector<std::string> terms;
            bool single;
        };
        table out;
        for (auto const& group : groups) {
            std::vector<meaning> meanings;
            for (auto const& word : group) {
                meaning found{{}, true};
                std::uint32_t first = 0;
                base.analyze(word, [&](token const& t) {
                    if (found.terms.empty()) first = t.position;
                    found.single = found.single && t.position == first;
                    found.terms.emplace_back(t.term);
                });
                if (found.terms.empty()) {
                    detail::fail(errc::invalid_argument,
                        detail::join("synonym_analyzer: the analyzer leaves nothing of the word '",
                            word, "'"));
                }
                meanings.push_back(std::move(found));
            }
            for (auto const& from : meanings) {
                if (from.single) add(out, from.terms.front(), meanings);
            }
        }
        return out;
    }

    template <class Meanings>
    static void add(table& out, std::string const& term, Meanings const& meanings) {
        auto& others = out[term];
        for (auto const& meaning : meanings) {
            for (auto const& other : meaning.terms) {
                if (other != term
                    && std::find(others.begin(), others.end(), other) == others.end()) {
                    others.push_back(other);
                }
            }
        }
    }

    Base base_;
    std::shared_ptr<table const> others_;
};

TRAWL_END_NAMESPACE
