// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of synonyms.hpp.

#include <trawl/text/synonyms.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Terms, and the groups that they are in. A group is held once, not once for each of its terms.
class synonym_table {
public:
    synonym_table(std::span<std::vector<std::string> const> groups,
        function_ref<void(std::string_view, token_sink)> analyze) {
        std::vector<std::pair<std::string, place>> found; // each term of each word
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (auto const& word : groups[g]) {
                auto const before = found.size();
                std::uint32_t first = 0;
                bool single = true;
                analyze(word, [&](token const& t) {
                    if (found.size() == before) first = t.position;
                    single = single && t.position == first;
                    found.emplace_back(std::string(t.term), place{g, found.size(), false});
                });
                if (found.size() == before) {
                    fail(errc::invalid_argument,
                        join("synonym_analyzer: the analyzer leaves nothing of the word '", word,
                            "'"));
                }
                found[before].second.replaced = single; // by the first term of a single position
            }
        }
        number(found);
        // The groups, their terms once each in the order given.
        std::vector<std::size_t> last(terms_.size(), none);
        groups_.resize(groups.size());
        for (auto const& [id, at] : places_) {
            if (last[id] != at.group) groups_[at.group].push_back(id);
            last[id] = at.group;
            if (at.replaced && (groups_of_[id].empty() || groups_of_[id].back() != at.group))
                groups_of_[id].push_back(at.group);
        }
        places_.clear();
    }

    void visit(std::string_view term, function_ref<void(std::string_view)> visit) const {
        auto const at = std::lower_bound(terms_.begin(), terms_.end(), term);
        if (at == terms_.end() || *at != term) return;
        auto const self = static_cast<std::size_t>(at - terms_.begin());
        auto const& groups = groups_of_[self];
        std::vector<std::pair<std::size_t, std::size_t>> found; // id, order
        for (auto const g : groups) {
            for (auto const id : groups_[g]) {
                TRAWL_COUNT(1);
                if (id != self) found.emplace_back(id, found.size());
            }
        }
        if (groups.size() > 1) { // which may share terms: each counts once, where it stands first
            std::sort(found.begin(), found.end());
            found.erase(std::unique(found.begin(), found.end(),
                            [](auto const& a, auto const& b) { return a.first == b.first; }),
                found.end());
            std::sort(found.begin(), found.end(),
                [](auto const& a, auto const& b) { return a.second < b.second; });
        }
        for (auto const& [id, order] : found) visit(terms_[id]);
    }

private:
    struct place {
        std::size_t group;
        std::size_t order;
        bool replaced;
    };
    static constexpr std::size_t none = ~std::size_t{0};

    // Fills terms_, sorted, and places_ in the order given.
    void number(std::vector<std::pair<std::string, place>>& found) {
        TRAWL_COUNT(found.size());
        std::sort(found.begin(), found.end(), [](auto const& a, auto const& b) {
            return a.first != b.first ? a.first < b.first : a.second.order < b.second.order;
        });
        places_.resize(found.size());
        for (auto& [term, at] : found) {
            if (terms_.empty() || terms_.back() != term) terms_.push_back(std::move(term));
            places_[at.order] = {terms_.size() - 1, at};
        }
        groups_of_.resize(terms_.size());
    }

    std::vector<std::string> terms_;                    // ascending
    std::vector<std::vector<std::size_t>> groups_of_;   // of a term that is replaced
    std::vector<std::vector<std::size_t>> groups_;      // the terms of a group
    std::vector<std::pair<std::size_t, place>> places_; // while it is built
};

TRAWL_INLINE std::shared_ptr<synonym_table const> make_synonym_table(
    std::span<std::vector<std::string> const> groups,
    function_ref<void(std::string_view, token_sink)> analyze) {
    return std::make_shared<synonym_table const>(groups, analyze);
}

TRAWL_INLINE void for_each_synonym(
    synonym_table const& table, std::string_view term, function_ref<void(std::string_view)> visit) {
    table.visit(term, visit);
}

} // namespace detail
TRAWL_END_NAMESPACE
