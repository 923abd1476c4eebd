// SPDX-License-Identifier: MIT
#pragma once

/// The rules of Porter's second stemmer.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The steps of Porter 2 on one word. A consonant y is written Y while they run. R1 is what follows the first consonant after a vowel, R2 the same within R1.
class porter2_word {
public:
    explicit porter2_word(std::string& word) noexcept : word_(word) {}

    /// Stems a word of three or more letters and apostrophes.
    void stem() {
        if (word_.front() == '\'') word_.erase(0, 1);
        if (is_exception()) return;
        mark_consonants();
        find_regions();
        possessives_and_plurals();
        if (!is_invariant()) {
            participles();
            if (word_.size() > 2 && (word_.back() == 'y' || word_.back() == 'Y')
                && !vowel(word_.size() - 2)) {
                word_.back() = 'i';
            }
            double_suffixes();
            adjective_suffixes();
            bare_suffixes();
            final_e_and_l();
        }
        for (auto& c : word_) {
            if (c == 'Y') c = 'y';
        }
    }

private:
    struct rule {
        std::string_view suffix;
        std::string_view replacement;
    };

    [[nodiscard]] bool vowel(std::size_t i) const noexcept {
        auto const c = word_[i];
        return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y';
    }

    [[nodiscard]] bool has_vowel(std::size_t length) const noexcept {
        for (std::size_t i = 0; i < length; ++i) {
            if (vowel(i)) return true;
        }
        return false;
    }

    [[nodiscard]] bool is_exception() {
        static constexpr std::array<rule, 18> forms{{{"skis", "ski"}, {"skies", "sky"},
            {"dying", "die"}, {"lying", "lie"}, {"tying", "tie"}, {"idly", "idl"},
            {"gently", "gentl"}, {"ugly", "ugli"}, {"early", "earli"}, {"only", "onli"},
            {"singly", "singl"}, {"sky", "sky"}, {"news", "news"}, {"howe", "howe"},
            {"atlas", "atlas"}, {"cosmos", "cosmos"}, {"bias", "bias"}, {"andes", "andes"}}};
        if (word_.size() > 6) return false;
        for (auto const& [form, stem] : forms) {
            if (word_ == form) {
                word_ = stem;
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool is_invariant() const noexcept {
        return word_ == "inning" || word_ == "outing" || word_ == "canning" || word_ == "herring"
               || word_ == "earring" || word_ == "proceed" || word_ == "exceed"
               || word_ == "succeed";
    }

    void mark_consonants() noexcept {
        for (std::size_t i = 0; i < word_.size(); ++i) {
            if (word_[i] == 'y' && (i == 0 || vowel(i - 1))) word_[i] = 'Y';
        }
    }

    [[nodiscard]] std::size_t region_after(std::size_t from) const noexcept {
        for (auto i = from + 1; i < word_.size(); ++i) {
            if (!vowel(i) && vowel(i - 1)) return i + 1;
        }
        return word_.size();
    }

    void find_regions() noexcept {
        std::string_view const word = word_;
        r1_ = word.starts_with("gener") || word.starts_with("arsen") ? 5
              : word.starts_with("commun")                           ? 6
                                                                     : region_after(0);
        r2_ = region_after(r1_);
    }

    [[nodiscard]] bool ends(std::string_view suffix) noexcept {
        if (!std::string_view(word_).ends_with(suffix)) return false;
        stem_ = word_.size() - suffix.size();
        return true;
    }

    void replace(std::string_view replacement) {
        word_.replace(stem_, std::string::npos, replacement);
    }

    // A syllable of at least consonant, vowel, consonant other than w, x, Y at the end, or of
    // vowel, consonant alone.
    [[nodiscard]] bool ends_short(std::size_t length) const noexcept {
        if (length == 2) return vowel(0) && !vowel(1);
        if (length < 3 || vowel(length - 3) || !vowel(length - 2) || vowel(length - 1))
            return false;
        auto const last = word_[length - 1];
        return last != 'w' && last != 'x' && last != 'Y';
    }

    void possessives_and_plurals() {
        if (ends("'s'") || ends("'s") || ends("'")) word_.resize(stem_);
        if (ends("sses")) {
            word_.resize(word_.size() - 2);
        } else if (ends("ied") || ends("ies")) {
            replace(stem_ > 1 ? "i" : "ie");
        } else if (ends("s") && !ends("us") && !ends("ss")) {
            if (has_vowel(word_.size() < 2 ? 0 : word_.size() - 2)) word_.pop_back();
        }
    }

    void participles() {
        if (ends("eedly") || ends("eed")) {
            if (stem_ >= r1_) replace("ee");
            return;
        }
        if (!(ends("ingly") || ends("edly") || ends("ing") || ends("ed")) || !has_vowel(stem_))
            return;
        word_.resize(stem_);
        auto const n = word_.size();
        static constexpr std::string_view doubles = "bdfgmnprt";
        if (ends("at") || ends("bl") || ends("iz")) {
            word_ += 'e';
        } else if (n >= 2 && word_[n - 1] == word_[n - 2]
                   && doubles.find(word_[n - 1]) != doubles.npos) {
            word_.pop_back();
        } else if (r1_ >= n && ends_short(n)) {
            word_ += 'e';
        }
    }

    // The longest suffix that fits decides, whether it lies in the region or not.
    void double_suffixes() {
        static constexpr std::array<rule, 22> rules{{{"ational", "ate"}, {"fulness", "ful"},
            {"iveness", "ive"}, {"ization", "ize"}, {"ousness", "ous"}, {"biliti", "ble"},
            {"lessli", "less"}, {"tional", "tion"}, {"alism", "al"}, {"aliti", "al"},
            {"ation", "ate"}, {"entli", "ent"}, {"fulli", "ful"}, {"iviti", "ive"},
            {"ousli", "ous"}, {"abli", "able"}, {"alli", "al"}, {"anci", "ance"}, {"ator", "ate"},
            {"enci", "ence"}, {"izer", "ize"}, {"bli", "ble"}}};
        for (auto const& [suffix, replacement] : rules) {
            if (!ends(suffix)) continue;
            if (stem_ >= r1_) replace(replacement);
            return;
        }
        if (ends("ogi")) {
            if (stem_ >= r1_ && stem_ > 0 && word_[stem_ - 1] == 'l') replace("og");
        } else if (ends("li")) {
            static constexpr std::string_view before = "cdeghkmnrt";
            if (stem_ >= r1_ && stem_ > 0 && before.find(word_[stem_ - 1]) != before.npos)
                word_.resize(stem_);
        }
    }

    void adjective_suffixes() {
        static constexpr std::array<rule, 8> rules{
            {{"ational", "ate"}, {"tional", "tion"}, {"alize", "al"}, {"icate", "ic"},
                {"iciti", "ic"}, {"ical", "ic"}, {"ness", ""}, {"ful", ""}}};
        for (auto const& [suffix, replacement] : rules) {
            if (!ends(suffix)) continue;
            if (stem_ >= r1_) replace(replacement);
            return;
        }
        if (ends("ative") && stem_ >= r2_) word_.resize(stem_);
    }

    void bare_suffixes() {
        static constexpr std::array<std::string_view, 17> suffixes{"ement", "ance", "ence", "able",
            "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "al", "er",
            "ic"};
        for (auto const suffix : suffixes) {
            if (!ends(suffix)) continue;
            if (stem_ >= r2_) word_.resize(stem_);
            return;
        }
        if (ends("ion") && stem_ >= r2_ && stem_ > 0
            && (word_[stem_ - 1] == 's' || word_[stem_ - 1] == 't')) {
            word_.resize(stem_);
        }
    }

    void final_e_and_l() {
        auto const n = word_.size();
        if (n == 0) return;
        if (word_.back() == 'e') {
            if (n - 1 >= r2_ || (n - 1 >= r1_ && !ends_short(n - 1))) word_.pop_back();
        } else if (word_.back() == 'l' && n - 1 >= r2_ && n >= 2 && word_[n - 2] == 'l') {
            word_.pop_back();
        }
    }

    std::string& word_;
    std::size_t r1_ = 0;
    std::size_t r2_ = 0;
    std::size_t stem_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
