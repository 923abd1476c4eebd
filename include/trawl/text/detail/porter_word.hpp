// SPDX-License-Identifier: MIT
#pragma once

/// The rules of Porter's stemmer.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The five steps on one word. The paper's condition m counts the sequences of
/// vowels that a consonant follows in the stem, the part before the suffix. Vowels are bits, so
/// that a condition costs the same for any stem.
class porter_word {
public:
    static constexpr std::size_t longest = 64;

    /// A word of 1 to longest bytes; any byte but a letter a to z counts as a consonant.
    explicit porter_word(std::string& word) noexcept : word_(word) { find_vowels(0); }

    void stem() {
        plurals_and_participles();
        if (ends("y") && has_vowel(stem_)) {
            word_.back() = 'i';
            find_vowels(stem_);
        }
        double_suffixes();
        adjective_suffixes();
        bare_suffixes();
        final_e_and_l();
    }

private:
    void find_vowels(std::size_t from) noexcept {
        constexpr std::uint32_t aeiou = 1u << 0 | 1u << 4 | 1u << 8 | 1u << 14 | 1u << 20;
        vowels_ &= below(from);
        for (auto i = from; i < word_.size(); ++i) {
            auto const c = static_cast<unsigned char>(word_[i] - 'a');
            auto const vowel =
                c == 'y' - 'a' ? i > 0 && consonant(i - 1) : c < 26 && (aeiou >> c & 1) != 0;
            vowels_ |= std::uint64_t{vowel} << i;
        }
    }

    [[nodiscard]] static std::uint64_t below(std::size_t length) noexcept {
        return length < longest ? (std::uint64_t{1} << length) - 1 : ~std::uint64_t{0};
    }

    [[nodiscard]] bool consonant(std::size_t i) const noexcept { return (vowels_ >> i & 1) == 0; }

    // The consonants after a vowel: there are m.
    [[nodiscard]] std::uint64_t turns(std::size_t length) const noexcept {
        return vowels_ << 1 & ~vowels_ & below(length);
    }
    [[nodiscard]] bool m_above_0(std::size_t length) const noexcept { return turns(length) != 0; }
    [[nodiscard]] bool m_above_1(std::size_t length) const noexcept {
        auto const found = turns(length);
        return (found & (found - 1)) != 0;
    }

    [[nodiscard]] bool has_vowel(std::size_t length) const noexcept {
        return (vowels_ & below(length)) != 0;
    }

    [[nodiscard]] bool ends_double() const noexcept {
        auto const n = word_.size();
        return n >= 2 && word_[n - 1] == word_[n - 2] && consonant(n - 1);
    }

    // consonant, vowel, consonant other than w, x, y: hop(e), but not snow, box, tray
    [[nodiscard]] bool ends_cvc(std::size_t length) const noexcept {
        if (length < 3 || !consonant(length - 1) || consonant(length - 2)
            || !consonant(length - 3)) {
            return false;
        }
        auto const last = word_[length - 1];
        return last != 'w' && last != 'x' && last != 'y';
    }

    // Sets stem_ to the length before the suffix if the word ends with it.
    [[nodiscard]] bool ends(std::string_view suffix) noexcept {
        // Most words differ in the last letter: a call of memcmp for each would show.
        if (word_.back() != suffix.back() || !std::string_view(word_).ends_with(suffix))
            return false;
        stem_ = word_.size() - suffix.size();
        return true;
    }

    // The first suffix that fits decides, whether its condition holds or not.
    [[nodiscard]] bool replaces(std::string_view suffix, std::string_view replacement) {
        if (!ends(suffix)) return false;
        if (m_above_0(stem_)) {
            word_.replace(stem_, std::string::npos, replacement);
            find_vowels(stem_);
        }
        return true;
    }

    [[nodiscard]] char last_but_one() const noexcept {
        return word_.size() < 2 ? '\0' : word_[word_.size() - 2];
    }

    void cut(std::size_t length) {
        word_.resize(length);
        vowels_ &= below(length);
    }

    void plurals_and_participles() {
        if (word_.back() == 's') {
            if (ends("sses") || ends("ies")) {
                cut(word_.size() - 2);
            } else if (last_but_one() != 's') {
                cut(word_.size() - 1);
            }
        }
        auto const last = word_.back();
        if (last != 'd' && last != 'g') return;
        if (ends("eed")) {
            if (m_above_0(stem_)) cut(word_.size() - 1);
        } else if ((ends("ed") || ends("ing")) && has_vowel(stem_)) {
            cut(stem_);
            if (ends("at") || ends("bl") || ends("iz")) {
                append_e();
            } else if (ends_double()) {
                auto const letter = word_.back();
                if (letter != 'l' && letter != 's' && letter != 'z') cut(word_.size() - 1);
            } else if (m_above_0(word_.size()) && !m_above_1(word_.size())
                       && ends_cvc(word_.size())) {
                append_e();
            }
        }
    }

    void append_e() {
        word_.push_back('e');
        find_vowels(word_.size() - 1);
    }

    // bli and logi are Porter's own later additions (the paper has abli and no logi). The steps
    // return at the first suffix that fits.
    void double_suffixes() {
        switch (last_but_one()) {
        case 'a':
            static_cast<void>(replaces("ational", "ate") || replaces("tional", "tion"));
            break;
        case 'c':
            static_cast<void>(replaces("enci", "ence") || replaces("anci", "ance"));
            break;
        case 'e':
            static_cast<void>(replaces("izer", "ize"));
            break;
        case 'g':
            static_cast<void>(replaces("logi", "log"));
            break;
        case 'l':
            static_cast<void>(replaces("bli", "ble") || replaces("alli", "al")
                              || replaces("entli", "ent") || replaces("eli", "e")
                              || replaces("ousli", "ous"));
            break;
        case 'o':
            static_cast<void>(
                replaces("ization", "ize") || replaces("ation", "ate") || replaces("ator", "ate"));
            break;
        case 's':
            static_cast<void>(replaces("alism", "al") || replaces("iveness", "ive")
                              || replaces("fulness", "ful") || replaces("ousness", "ous"));
            break;
        case 't':
            static_cast<void>(
                replaces("aliti", "al") || replaces("iviti", "ive") || replaces("biliti", "ble"));
            break;
        default:
            break;
        }
    }

    void adjective_suffixes() {
        switch (word_.back()) {
        case 'e':
            static_cast<void>(
                replaces("icate", "ic") || replaces("ative", "") || replaces("alize", "al"));
            break;
        case 'i':
            static_cast<void>(replaces("iciti", "ic"));
            break;
        case 'l':
            static_cast<void>(replaces("ical", "ic") || replaces("ful", ""));
            break;
        case 's':
            static_cast<void>(replaces("ness", ""));
            break;
        default:
            break;
        }
    }

    void bare_suffixes() {
        if (has_bare_suffix() && m_above_1(stem_)) cut(stem_);
    }

    [[nodiscard]] bool has_bare_suffix() noexcept {
        switch (last_but_one()) {
        case 'a':
            return ends("al");
        case 'c':
            return ends("ance") || ends("ence");
        case 'e':
            return ends("er");
        case 'i':
            return ends("ic");
        case 'l':
            return ends("able") || ends("ible");
        case 'n':
            return ends("ant") || ends("ement") || ends("ment") || ends("ent");
        case 'o':
            return ends("ou")
                   || (ends("ion") && stem_ > 0
                       && (word_[stem_ - 1] == 's' || word_[stem_ - 1] == 't'));
        case 's':
            return ends("ism");
        case 't':
            return ends("ate") || ends("iti");
        case 'u':
            return ends("ous");
        case 'v':
            return ends("ive");
        case 'z':
            return ends("ize");
        default:
            return false;
        }
    }

    void final_e_and_l() {
        if (ends("e") && (m_above_1(stem_) || (m_above_0(stem_) && !ends_cvc(stem_)))) cut(stem_);
        if (word_.back() == 'l' && ends_double() && m_above_1(word_.size())) cut(word_.size() - 1);
    }

    std::string& word_;
    std::uint64_t vowels_ = 0; // bit i: letter i is one
    std::size_t stem_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
