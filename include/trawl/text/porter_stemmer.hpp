// SPDX-License-Identifier: MIT
#pragma once

/// Porter's stemmer of 1980 for English, as its author published it and Lucene's PorterStemFilter runs it.

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include <trawl/text/token_filter.hpp>

namespace trawl::inline v0_1 {
namespace detail {

/// One word on its way through the five steps. The paper's condition m counts the sequences of vowels that
/// a consonant follows in the stem, the part before the suffix.
class porter_word {
public:
    explicit porter_word(std::string& word) noexcept : word_(word) {}

    void stem() {
        plurals_and_participles();
        if (ends("y") && has_vowel(stem_)) word_.back() = 'i';
        double_suffixes();
        adjective_suffixes();
        bare_suffixes();
        final_e_and_l();
    }

private:
    struct rule {
        std::string_view suffix;
        std::string_view replacement;
    };

    [[nodiscard]] bool consonant(std::size_t i) const noexcept {
        switch (word_[i]) {
        case 'a':
        case 'e':
        case 'i':
        case 'o':
        case 'u':
            return false;
        case 'y':
            return i == 0 || !consonant(i - 1);
        default:
            return true;
        }
    }

    [[nodiscard]] std::size_t measure(std::size_t length) const noexcept {
        std::size_t m = 0;
        for (std::size_t i = 1; i < length; ++i) m += consonant(i) && !consonant(i - 1) ? 1u : 0u;
        return m;
    }

    [[nodiscard]] bool has_vowel(std::size_t length) const noexcept {
        for (std::size_t i = 0; i < length; ++i) {
            if (!consonant(i)) return true;
        }
        return false;
    }

    [[nodiscard]] bool ends_double(std::size_t length) const noexcept {
        return length >= 2 && word_[length - 1] == word_[length - 2] && consonant(length - 1);
    }

    // consonant, vowel, consonant other than w, x, y: hop(e), but not snow, box, tray
    [[nodiscard]] bool ends_cvc(std::size_t length) const noexcept {
        if (length < 3 || !consonant(length - 1) || consonant(length - 2) || !consonant(length - 3)) {
            return false;
        }
        auto const last = word_[length - 1];
        return last != 'w' && last != 'x' && last != 'y';
    }

    // Sets stem_ to the length before the suffix if the word ends with it.
    [[nodiscard]] bool ends(std::string_view suffix) noexcept {
        if (word_.back() != suffix.back() || !std::string_view(word_).ends_with(suffix)) return false;
        stem_ = word_.size() - suffix.size();
        return true;
    }

    void replace(std::string_view replacement) {
        word_.resize(stem_);
        word_.append(replacement);
    }

    // The first suffix that fits decides, whether its condition holds or not.
    void replace_first(std::initializer_list<rule> rules) {
        for (auto const& [suffix, replacement] : rules) {
            if (!ends(suffix)) continue;
            if (measure(stem_) > 0) replace(replacement);
            return;
        }
    }

    void plurals_and_participles() {
        if (ends("sses") || ends("ies")) {
            word_.resize(word_.size() - 2);
        } else if (ends("s") && !ends("ss")) {
            word_.pop_back();
        }
        if (ends("eed")) {
            if (measure(stem_) > 0) word_.pop_back();
        } else if ((ends("ed") || ends("ing")) && has_vowel(stem_)) {
            word_.resize(stem_);
            if (ends("at") || ends("bl") || ends("iz")) {
                word_.push_back('e');
            } else if (ends_double(word_.size())) {
                auto const last = word_.back();
                if (last != 'l' && last != 's' && last != 'z') word_.pop_back();
            } else if (measure(word_.size()) == 1 && ends_cvc(word_.size())) {
                word_.push_back('e');
            }
        }
    }

    // bli and logi are Porter's own later additions (the paper has abli and no logi).
    void double_suffixes() {
        replace_first({{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"},
            {"izer", "ize"}, {"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
            {"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
            {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"},
            {"logi", "log"}});
    }

    void adjective_suffixes() {
        replace_first({{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"},
            {"ful", ""}, {"ness", ""}});
    }

    void bare_suffixes() {
        for (std::string_view const suffix : {"al", "ance", "ence", "er", "ic", "able", "ible", "ant",
                 "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"}) {
            if (!ends(suffix)) continue;
            if (suffix == "ion" && (stem_ == 0 || (word_[stem_ - 1] != 's' && word_[stem_ - 1] != 't')))
                return;
            if (measure(stem_) > 1) word_.resize(stem_);
            return;
        }
    }

    void final_e_and_l() {
        if (ends("e")) {
            auto const m = measure(stem_);
            if (m > 1 || (m == 1 && !ends_cvc(stem_))) word_.pop_back();
        }
        if (word_.back() == 'l' && ends_double(word_.size()) && measure(word_.size()) > 1) word_.pop_back();
    }

    std::string& word_;
    std::size_t stem_ = 0;
};

} // namespace detail

/// Cuts English words down to their stem. A term is touched only if it consists of three or more of the
/// letters a to z: identifiers, numbers and words of other scripts stay as they are. O(length).
/// @par Source  Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two changes that
/// the author made to his published program (-bli for -abli, -logi) and words of one or two letters kept.
struct porter_stemmer {
    bool operator()(std::string& term) const {
        auto const letters =
            std::all_of(term.begin(), term.end(), [](char c) { return c >= 'a' && c <= 'z'; });
        if (letters && term.size() > 2) detail::porter_word(term).stem();
        return true;
    }
};

static_assert(token_filter<porter_stemmer>);

} // namespace trawl::inline v0_1
