// SPDX-License-Identifier: MIT
#pragma once

/// What a tokenizer does to a text before it is split into words.

#include <cstddef>
#include <cstdint>
#include <string>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/charsmap.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The normalisers of Hugging Face's tokenizers that are supported.
enum class normaliser_kind : unsigned char {
    clean,          ///< control characters are dropped, white space becomes a blank
    split_chinese,  ///< a blank on either side of each Chinese character
    nfd,            ///< canonical decomposition
    drop_accents,   ///< marks of category Mn are dropped
    drop_marks,     ///< marks of all categories are dropped
    lower,          ///< lower case, character by character
    map,            ///< SentencePiece's map
    replace,        ///< a text by another
    replace_blanks, ///< two blanks or more by a text
    strip_left,     ///< white space at the beginning is dropped
    strip_right,    ///< white space at the end is dropped
    prepend,        ///< a text is put before a text that is not empty
};

struct normaliser_step {
    normaliser_kind kind = normaliser_kind::clean;
    std::size_t map = 0;           ///< which one
    buffer<char32_t> pattern = {}; ///< what is replaced; not empty
    buffer<char32_t> content = {}; ///< what is put there
};

class text_normaliser {
public:
    void add(normaliser_step step) { steps_.push_back(static_cast<normaliser_step&&>(step)); }
    void add(normaliser_kind kind) { add(normaliser_step{.kind = kind}); }
    void add(charsmap map) {
        add(normaliser_step{.kind = normaliser_kind::map, .map = maps_.size()});
        maps_.push_back(static_cast<charsmap&&>(map));
    }

    /// Its only step, if that is a map; else null.
    [[nodiscard]] charsmap const* only_map() const noexcept {
        return steps_.size() == 1 && maps_.size() == 1 ? &maps_[0] : nullptr;
    }

    [[nodiscard]] buffer<normaliser_step> const& steps() const noexcept { return steps_; }

    /// @param spare  Memory to work in.
    /// @throws trawl::error (model) for a text of n characters that would become more than 32 n + 65536.
    void apply(aligned_text& text, aligned_text& spare) const;

    /// Appends everything that decides the result.
    void describe(std::string& out) const;

private:
    buffer<normaliser_step> steps_ = {};
    buffer<charsmap> maps_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/text_normaliser_inl.hpp>
#endif
