// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of tokenizer.hpp and detail/tokenizer_engine.hpp.

#include <trawl/models/tokenizer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/model_files.hpp>
#include <trawl/models/detail/tokenizer_engine.hpp>
#include <trawl/models/detail/tokenizer_files.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE tokenizer_engine::tokenizer_engine(tokenizer_parts parts) : parts_(std::move(parts)) {
    parts_.added.index();
    size_ = parts_.vocabulary.size();
    for (auto const& token : parts_.added.all()) {
        if (token.id >= size_) size_ = std::size_t{token.id} + 1;
    }
    fast_ = parts_.has_bert_rules && parts_.bert_splits && parts_.model == subword_model::word_piece
            && !parts_.added.any(true);
    if (fast_) bert_words_ = bert_words(parts_.bert, parts_.vocabulary, parts_.pieces);
    if (parts_.model == subword_model::unigram && !parts_.added.any(true))
        spaced_words_ = spaced_words(parts_.normaliser, parts_.splitter);
    name_special();
    make_fingerprint();
}

TRAWL_INLINE void tokenizer_engine::name_special() {
    auto const either = [&](std::string_view a, std::string_view b) {
        for (auto const name : {a, b}) {
            if (auto const id = find(name); id != token_vocabulary::none)
                return std::optional<std::uint32_t>(id);
        }
        return std::optional<std::uint32_t>();
    };
    special_.unknown = parts_.model == subword_model::word_piece ? parts_.pieces.unknown()
                                                                 : parts_.grams.unknown();
    special_.padding = either("[PAD]", "<pad>");
    special_.begin = either("[CLS]", "<s>");
    special_.separator = either("[SEP]", "</s>");
    special_.mask = either("[MASK]", "<mask>");
}

TRAWL_INLINE void tokenizer_engine::make_fingerprint() {
    std::string all;
    auto const add = [&](std::uint64_t value) {
        all.append(reinterpret_cast<char const*>(&value), sizeof value);
    };
    add(static_cast<std::uint64_t>(parts_.model));
    parts_.vocabulary.describe(all);
    parts_.normaliser.describe(all);
    parts_.splitter.describe(all);
    parts_.added.describe(all);
    if (parts_.model == subword_model::word_piece) {
        add(parts_.pieces.unknown());
        add(parts_.pieces.longest());
        all += parts_.pieces.prefix();
    } else {
        add(parts_.grams.unknown());
        parts_.grams.describe(all);
    }
    for (auto const* const order : {&parts_.single, &parts_.pair}) {
        add(order->size());
        for (auto const& item : *order) {
            add(item.text);
            add(item.id);
            add(item.type);
        }
    }
    fingerprint_ = checksum(std::as_bytes(std::span(all)));
}

TRAWL_INLINE std::size_t tokenizer_engine::added_count(bool pair) const noexcept {
    std::size_t count = 0;
    for (auto const& item : pair ? parts_.pair : parts_.single) count += item.text == 255;
    return count;
}

TRAWL_INLINE std::string_view tokenizer_engine::token(std::uint32_t id) const noexcept {
    for (auto const& token : parts_.added.all()) {
        if (token.id == id) return token.text;
    }
    return parts_.vocabulary.text(id);
}

TRAWL_INLINE std::uint32_t tokenizer_engine::find(std::string_view token) const noexcept {
    for (auto const& one : parts_.added.all()) {
        if (one.text == token) return one.id;
    }
    return parts_.vocabulary.find(token);
}

TRAWL_INLINE void tokenizer_engine::split(
    std::string_view text, std::size_t most, token_list& out) const {
    if (text.size() > std::uint32_t{0xFFFFFFFF}) {
        fail(errc::invalid_argument, join("tokenizer: the text has ", text.size(),
                                         " bytes, at most 4294967295 are allowed"));
    }
    workspace work;
    auto const size = static_cast<std::uint32_t>(text.size());
    std::uint32_t at = 0;
    for (added_tokens::place found; out.size() <= most && parts_.added.next(text, at, false, found);
         at = found.span.last) {
        split_between(text, {at, found.span.first}, most, work, out);
        out.push_back({found.id, found.span});
    }
    if (out.size() <= most) split_between(text, {at, size}, most, work, out);
}

TRAWL_INLINE void tokenizer_engine::split_between(std::string_view text, byte_span span,
    std::size_t most, workspace& work, token_list& out) const {
    if (span.first == span.last) return;
    if (fast_) {
        bert_words_.split(text, span, parts_.vocabulary, parts_.pieces, most, out);
        return;
    }
    if (spaced_words_) return split_spaced(text, span, most, work, out);
    normalise_and_split(text, span, most, work, out);
}

TRAWL_INLINE void tokenizer_engine::split_spaced(std::string_view text, byte_span span,
    std::size_t most, workspace& work, token_list& out) const {
    auto& word = work.spaced;
    auto const blank = static_cast<std::uint32_t>(spaced_words_.blank().size());
    bool plain = false;
    for (byte_span part; out.size() <= most && spaced_words_.next(text, span, part, plain);) {
        if (!plain) {
            normalise_and_split(text, part, most, work, out);
            continue;
        }
        word = spaced_words_.blank();
        word += text.substr(part.first, part.last - part.first);
        auto const begin = out.size();
        parts_.grams.split(parts_.vocabulary, word, work.grams, out);
        // The blank has the origin of the character behind it.
        for (auto i = begin; i < out.size(); ++i) {
            auto& origin = out[i].origin;
            origin.first = part.first + (origin.first < blank ? 0 : origin.first - blank);
            origin.last = part.first + (origin.last <= blank ? 1 : origin.last - blank);
        }
    }
}

TRAWL_INLINE void tokenizer_engine::normalise_and_split(std::string_view text, byte_span span,
    std::size_t most, workspace& work, token_list& out) const {
    work.text.assign(text, span);
    parts_.normaliser.apply(work.text, work.spare);
    if (parts_.added.any(true)) {
        find_normalised(span.first, most, work, out);
    } else {
        split_words(work.text, span.first, most, work, out);
    }
}

// Looks for added tokens in the normalised text.
TRAWL_INLINE void tokenizer_engine::find_normalised(
    std::uint32_t begin, std::size_t most, workspace& work, token_list& out) const {
    aligned_text all;
    all.swap(work.text);
    auto const size = static_cast<std::uint32_t>(all.size());
    if (size == 0) return;
    word_bytes bytes;
    bytes.assign(all, {0, size});
    auto const text = bytes.text();
    auto const between = [&](std::size_t first, std::size_t last) {
        if (first == last) return;
        aligned_text part;
        auto const place = bytes.character(first);
        auto const end = last == text.size() ? size : bytes.character(last);
        part.codes.append(all.codes.data() + place, end - place);
        part.origins.append(all.origins.data() + place, end - place);
        split_words(part, first == 0 ? begin : part.origins[0].first, most, work, out);
    };
    std::uint32_t at = 0;
    for (added_tokens::place found; out.size() <= most && parts_.added.next(text, at, true, found);
         at = found.span.last) {
        between(at, found.span.first);
        out.push_back({found.id, bytes.origin(found.span.first, found.span.last)});
    }
    if (out.size() <= most) between(at, text.size());
}

TRAWL_INLINE void tokenizer_engine::split_words(aligned_text& text, std::uint32_t begin,
    std::size_t most, workspace& work, token_list& out) const {
    parts_.splitter.apply(text, begin, work.words, work.spare);
    for (auto const word : work.words) {
        if (out.size() > most) return;
        work.word.assign(text, word);
        if (parts_.model == subword_model::unigram) {
            auto const before = out.size();
            parts_.grams.split(parts_.vocabulary, work.word.text(), work.grams, out);
            for (auto i = before; i < out.size(); ++i)
                out[i].origin = work.word.origin(out[i].origin.first, out[i].origin.last);
        } else {
            parts_.pieces.split(parts_.vocabulary, work.word.text(), word.last - word.first, out,
                [&](std::size_t first, std::size_t last) { return work.word.origin(first, last); });
        }
    }
}

TRAWL_INLINE void tokenizer_engine::assemble(buffer<template_item> const& order, bool add_special,
    token_list const* texts, std::size_t const* sizes, token_encoding& out) const {
    std::size_t total = 0;
    for (auto const& item : order) {
        if (item.text == 255) {
            total += add_special ? 1 : 0;
        } else {
            total += sizes[item.text];
        }
    }
    out.ids.resize(total);
    out.types.resize(total);
    out.begins.resize(total);
    out.ends.resize(total);
    out.texts.resize(total);
    std::size_t at = 0;
    for (auto const& item : order) {
        auto const special = item.text == 255;
        if (special && !add_special) continue;
        auto const count = special ? 1 : sizes[item.text];
        for (std::size_t i = 0; i < count; ++i, ++at) {
            auto const token = special ? found_token{item.id, {}} : texts[item.text][i];
            out.ids[at] = token.id;
            out.types[at] = item.type;
            out.begins[at] = token.origin.first;
            out.ends[at] = token.origin.last;
            out.texts[at] = item.text;
        }
    }
}

[[nodiscard]] inline std::size_t room_for_tokens(encode_options const& options, std::size_t added) {
    auto const needed = options.add_special ? added : 0;
    if (options.max_tokens < needed) {
        fail(errc::invalid_argument, join("max_tokens is ", options.max_tokens, ", must be ",
                                         needed, " or more: so many tokens are added"));
    }
    return options.max_tokens - needed;
}

TRAWL_INLINE void tokenizer_engine::encode(
    std::string_view text, encode_options options, token_encoding& out) const {
    auto const room = room_for_tokens(options, added_count(false));
    token_list tokens;
    tokens.reserve(text.size() / 4 < room ? text.size() / 4 + 8 : room);
    split(text, room, tokens);
    out.truncated = tokens.size() > room;
    auto const size = out.truncated ? room : tokens.size();
    assemble(parts_.single, options.add_special, &tokens, &size, out);
}

TRAWL_INLINE void tokenizer_engine::encode_pair(std::string_view first, std::string_view second,
    encode_options options, token_encoding& out) const {
    auto const room = room_for_tokens(options, added_count(true));
    constexpr auto all = static_cast<std::size_t>(-1);
    token_list tokens[2];
    split(first, all, tokens[0]);
    split(second, all, tokens[1]);
    std::size_t sizes[2] = {tokens[0].size(), tokens[1].size()};
    auto const total = sizes[0] + sizes[1];
    out.truncated = total > room;
    if (room == 0) {
        sizes[0] = 0;
        sizes[1] = 0;
    } else if (out.truncated && options.cut == truncation::longest_first) {
        auto const shorter = sizes[0] > sizes[1] ? 1 : 0;
        auto& fewer = sizes[shorter];
        auto& more = sizes[1 - shorter];
        if (fewer > room / 2) fewer = room / 2;
        more = room - fewer;
    } else if (out.truncated) {
        auto& target = sizes[options.cut == truncation::only_first ? 0 : 1];
        auto const surplus = total - room;
        if (target <= surplus) {
            fail(errc::invalid_argument, join("encode_pair: the text that is cut has ", target,
                                             " tokens, ", surplus, " are too many"));
        }
        target -= surplus;
    }
    assemble(parts_.pair, options.add_special, tokens, sizes, out);
}

} // namespace detail

TRAWL_INLINE tokenizer::tokenizer(std::shared_ptr<detail::tokenizer_engine const> engine) noexcept
    : engine_(std::move(engine)) {}

TRAWL_INLINE tokenizer tokenizer::open(std::string const& folder) {
    auto const whole = detail::file_in(folder, "tokenizer.json");
    if (detail::file_exists(whole)) return from_json(read_file(whole), whole);
    auto const lines = detail::file_in(folder, "vocab.txt");
    if (!detail::file_exists(lines)) {
        detail::fail(errc::io, detail::join(folder, ": has neither tokenizer.json nor vocab.txt"));
    }
    wordpiece_options options;
    auto const config = detail::file_in(folder, "tokenizer_config.json");
    if (detail::file_exists(config))
        options = detail::read_wordpiece_options(read_file(config), config);
    return from_vocabulary(read_file(lines), lines, options);
}

TRAWL_INLINE tokenizer tokenizer::from_json(std::string_view json, std::string_view name) {
    return tokenizer(
        std::make_shared<detail::tokenizer_engine const>(detail::read_tokenizer_json(json, name)));
}

TRAWL_INLINE tokenizer tokenizer::from_vocabulary(
    std::string_view lines, std::string_view name, wordpiece_options options) {
    return tokenizer(std::make_shared<detail::tokenizer_engine const>(
        detail::read_vocabulary(lines, name, options)));
}

TRAWL_INLINE token_encoding tokenizer::encode(std::string_view text, encode_options options) const {
    token_encoding out;
    engine_->encode(text, options, out);
    return out;
}

TRAWL_INLINE void tokenizer::encode(
    std::string_view text, encode_options options, token_encoding& out) const {
    engine_->encode(text, options, out);
}

TRAWL_INLINE token_encoding tokenizer::encode_pair(
    std::string_view first, std::string_view second, encode_options options) const {
    token_encoding out;
    engine_->encode_pair(first, second, options, out);
    return out;
}

TRAWL_INLINE void tokenizer::encode_pair(std::string_view first, std::string_view second,
    encode_options options, token_encoding& out) const {
    engine_->encode_pair(first, second, options, out);
}

TRAWL_INLINE std::size_t tokenizer::added_tokens(bool pair) const noexcept {
    return engine_->added_count(pair);
}

TRAWL_INLINE std::size_t tokenizer::size() const noexcept { return engine_->size(); }

TRAWL_INLINE std::string_view tokenizer::token(std::uint32_t id) const noexcept {
    return engine_->token(id);
}

TRAWL_INLINE std::optional<std::uint32_t> tokenizer::find(std::string_view token) const noexcept {
    auto const id = engine_->find(token);
    return id == detail::token_vocabulary::none ? std::nullopt : std::optional(id);
}

TRAWL_INLINE special_tokens const& tokenizer::special() const noexcept {
    return engine_->special();
}

TRAWL_INLINE std::uint64_t tokenizer::fingerprint() const noexcept {
    return engine_->fingerprint();
}

TRAWL_END_NAMESPACE
