// SPDX-License-Identifier: MIT
#pragma once

/// Synonyms: words that stand for each other.

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/words.hpp>
#include <trawl/text/surface.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class synonym_table;

[[nodiscard]] std::shared_ptr<synonym_table const> make_synonym_table(
    std::span<std::vector<std::string> const> groups,
    function_ref<void(std::string_view, token_sink)> analyze);

/// Calls visit for each synonym of a term, in the order of the groups.
void for_each_synonym(
    synonym_table const& table, std::string_view term, function_ref<void(std::string_view)> visit);

} // namespace detail

/// Adds to each token of the base its synonyms, at the same position and with the same offsets, so
/// that a phrase and a length count them as one word. Use it for the documents or for the queries,
/// not for both.
///
///     synonym_analyzer{english_analyzer{}, {{"car", "automobile"}, {"tv", "television", "goggle box"}}}
///
/// The base analyses the words of the groups. A word of one position both gets synonyms and is one;
/// a word of several (goggle box) is only added as a synonym, all its terms at one position.
/// Thread-safe if the base is; copies share the words.
/// @par Complexity O(b log b) to construct, b bytes of the words, and O(b) memory. A token costs
/// O(log b + s log s), s terms in the groups of its term.
template <analyzer Base>
class synonym_analyzer {
public:
    /// @param groups  each a list of words that mean the same; a word may be in several groups
    /// @throws trawl::error (invalid_argument) if the base drops a word completely.
    synonym_analyzer(Base base, std::span<std::vector<std::string> const> groups)
        : base_(std::move(base)),
          synonyms_(detail::make_synonym_table(groups,
              [this](std::string_view text, token_sink sink) { base_.analyze(text, sink); })) {}
    synonym_analyzer(Base base, std::initializer_list<std::vector<std::string>> groups)
        : synonym_analyzer(std::move(base),
            std::span<std::vector<std::string> const>(groups.begin(), groups.size())) {}

    /// Passes the tokens of the base and their synonyms to sink.
    /// @throws whatever the base throws.
    void analyze(std::string_view text, token_sink sink) const {
        base_.analyze(text, [&](token const& t) {
            sink(t);
            detail::for_each_synonym(*synonyms_, t.term, [&](std::string_view other) {
                sink({other, t.position, t.begin, t.end});
            });
        });
    }

    /// Passes the words of the base, and the synonyms of its terms without a surface, to sink: see
    /// surface.hpp.
    void analyze_surface(std::string_view text, surface_sink sink) const {
        trawl::analyze_surface(base_, text, [&](surface_token const& t) {
            sink(t);
            if (t.indexed.term.empty()) return;
            detail::for_each_synonym(*synonyms_, t.indexed.term, [&](std::string_view other) {
                sink({{}, {other, t.indexed.position, t.indexed.begin, t.indexed.end}});
            });
        });
    }

private:
    Base base_;
    std::shared_ptr<detail::synonym_table const> synonyms_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/text/detail/synonyms_inl.hpp>
#endif
