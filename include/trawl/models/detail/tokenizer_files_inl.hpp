// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of tokenizer_files.hpp.

#include <trawl/models/detail/tokenizer_files.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/json_reader.hpp>
#include <trawl/models/detail/text_steps_json.hpp>
#include <trawl/models/detail/token_template_json.hpp>
#include <trawl/models/detail/tokenizer_parts.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class tokenizer_json_reader {
public:
    tokenizer_json_reader(std::string_view json, std::string_view name) : in_(json, name) {}

    [[nodiscard]] tokenizer_parts read() {
        bool has_model = false;
        std::string key;
        for (in_.enter_object(); in_.next_key(key);) {
            if (key == "added_tokens" && !in_.null()) {
                read_added_tokens();
            } else if (key == "normalizer" && !in_.null()) {
                read_normaliser(in_, out_);
            } else if (key == "pre_tokenizer" && !in_.null()) {
                read_splitter(in_, out_);
            } else if (key == "post_processor" && !in_.null()) {
                read_template(in_, out_);
            } else if (key == "model") {
                if (has_model) in_.fail("'model' is there twice");
                has_model = true;
                read_model();
            } else if (key != "added_tokens" && key != "normalizer" && key != "pre_tokenizer"
                       && key != "post_processor") {
                in_.skip();
            }
        }
        in_.finish();
        if (!has_model) refuse("has no model");
        add_tokens();
        default_template();
        return std::move(out_);
    }

private:
    [[noreturn]] TRAWL_COLD void refuse(std::string_view reason) const {
        fail(errc::parse, join(in_.name(), ": ", reason));
    }
    void read_added_tokens() {
        for (in_.enter_array(); in_.next_item();) {
            added_token token;
            bool has_id = false;
            in_.members([&](std::string const& key) {
                if (key == "id") {
                    token.id = in_.id();
                    has_id = true;
                } else if (key == "content") {
                    token.text = in_.string();
                } else if (key == "single_word") {
                    if (in_.boolean()) in_.fail("single_word: true is not supported");
                } else if (key == "lstrip") {
                    token.strip_left = in_.boolean();
                } else if (key == "rstrip") {
                    token.strip_right = in_.boolean();
                } else if (key == "normalized") {
                    token.normalised = in_.boolean();
                } else {
                    in_.skip();
                }
            });
            if (!has_id) in_.fail("an added token lacks its id");
            if (!token.text.empty()) added_.push_back(std::move(token));
        }
    }

    // The vocabulary's id counts, if it has the token.
    void add_tokens() {
        auto const limit = 2 * (out_.vocabulary.count() + added_.size()) + 65536;
        for (auto& token : added_) {
            if (auto const known = out_.vocabulary.find(token.text); known != piece_trie::none)
                token.id = known;
            if (token.id >= limit) {
                refuse(join("the id ", token.id, " of the added token '",
                    std::string_view(token.text).substr(0, 100), "' is far beyond the ",
                    out_.vocabulary.count(), " of the vocabulary"));
            }
            if (token.normalised && !out_.normaliser.steps().empty()) {
                aligned_text text;
                aligned_text spare;
                text.assign(token.text, {0, static_cast<std::uint32_t>(token.text.size())});
                out_.normaliser.apply(text, spare);
                std::string normalised;
                for (auto const code : text.codes) append_utf8(code, normalised);
                if (normalised.empty()) continue;
                token.text = normalised;
            }
            out_.added.add(std::move(token));
        }
    }

    void default_template() {
        if (!out_.single.empty()) return;
        out_.single.push_back({});
        out_.pair.push_back({});
        out_.pair.push_back({.text = 1, .type = 1});
    }

    void read_model() {
        auto type = in_.type_of_next();
        if (!type.empty() && type != "WordPiece" && type != "Unigram")
            in_.unsupported("model", type, "WordPiece and Unigram");
        std::string unknown = "[UNK]";
        std::string prefix = "##";
        std::size_t longest = 100;
        std::uint32_t unknown_id = piece_trie::none;
        bool byte_fallback = false;
        bool has_vocabulary = false;
        buffer<double> scores;
        in_.members([&](std::string const& key) {
            if (key == "vocab") {
                if (has_vocabulary) in_.fail("'vocab' is there twice");
                has_vocabulary = true;
                auto const list = in_.kind() == json_kind::array;
                if (type.empty()) type = list ? "Unigram" : "WordPiece";
                if (list != (type == "Unigram"))
                    in_.fail(join("is no vocabulary of a ", type, " model"));
                if (list) {
                    read_scored_pieces(scores);
                } else {
                    read_pieces();
                }
            } else if (key == "unk_token" && !in_.null()) {
                unknown = in_.string();
            } else if (key == "continuing_subword_prefix" && !in_.null()) {
                prefix = in_.string();
            } else if (key == "max_input_chars_per_word") {
                longest = static_cast<std::size_t>(in_.natural(0xFFFFFFFF));
            } else if (key == "unk_id" && !in_.null()) {
                unknown_id = in_.id();
            } else if (key == "byte_fallback") {
                byte_fallback = !in_.null() && in_.boolean();
            } else if (key != "unk_token" && key != "continuing_subword_prefix"
                       && key != "unk_id") {
                in_.skip();
            }
        });
        if (!has_vocabulary) in_.fail("the model has no vocab");
        out_.vocabulary.index();
        if (type == "Unigram") {
            if (unknown_id >= out_.vocabulary.size())
                in_.fail("the model's unk_id is missing or beyond its vocabulary");
            out_.model = subword_model::unigram;
            out_.grams = unigram(out_.vocabulary, std::move(scores), unknown_id, byte_fallback);
        } else {
            unknown_id = out_.vocabulary.find(unknown);
            if (unknown_id == piece_trie::none)
                in_.fail(join("the model's unk_token '", std::string_view(unknown).substr(0, 100),
                    "' is not in its vocabulary"));
            out_.pieces = word_piece(out_.vocabulary, unknown_id, prefix, longest);
        }
    }

    void check_piece(std::string_view text) const {
        if (out_.vocabulary.count() >= largest_vocabulary)
            in_.fail(join("the vocabulary has more than ", largest_vocabulary, " pieces"));
        if (text.size() > longest_piece)
            in_.fail(join(
                "a piece has ", text.size(), " bytes, at most ", longest_piece, " are supported"));
    }

    void read_pieces() {
        in_.members([&](std::string const& text) {
            check_piece(text);
            out_.vocabulary.add(text, in_.id());
        });
        if (out_.vocabulary.size() > 2 * out_.vocabulary.count() + 65536) {
            in_.fail(join("the vocabulary's largest id is ", out_.vocabulary.size() - 1,
                ", far beyond its ", out_.vocabulary.count(), " pieces"));
        }
    }

    void read_scored_pieces(buffer<double>& scores) {
        std::string copy;
        for (in_.enter_array(); in_.next_item();) {
            in_.enter_array();
            if (!in_.next_item()) in_.fail("a piece and its score are missing");
            auto const text = in_.string(copy);
            check_piece(text);
            out_.vocabulary.add(text, static_cast<std::uint32_t>(scores.size()));
            if (!in_.next_item()) in_.fail("the piece's score is missing");
            scores.push_back(in_.number());
            if (in_.next_item()) in_.fail("more than a piece and its score");
        }
    }

    static constexpr std::size_t largest_vocabulary = std::size_t{1} << 24;
    static constexpr std::size_t longest_piece = 4096;

    json_reader in_;
    tokenizer_parts out_ = {};
    buffer<added_token> added_ = {};
};

TRAWL_INLINE tokenizer_parts read_tokenizer_json(std::string_view json, std::string_view name) {
    return tokenizer_json_reader(json, name).read();
}

TRAWL_INLINE tokenizer_parts read_vocabulary(
    std::string_view lines, std::string_view name, wordpiece_options options) {
    tokenizer_parts out;
    for (std::uint32_t number = 0; !lines.empty(); ++number) {
        auto const end = lines.find('\n');
        auto line = lines.substr(0, end);
        lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.size() > 4096) {
            fail(errc::parse, join(name, ":", number + 1, ": a token has ", line.size(),
                                  " bytes, at most 4096 are supported"));
        }
        for (std::size_t at = 0; at < line.size();) {
            auto const bytes = decode_utf8(line, at).bytes;
            if (bytes == 0) fail(errc::parse, join(name, ":", number + 1, ": is not UTF-8"));
            at += bytes;
        }
        out.vocabulary.add(line, number);
    }
    out.vocabulary.index();
    auto const require = [&](std::string_view token) {
        auto const id = out.vocabulary.find(token);
        if (id == piece_trie::none) fail(errc::parse, join(name, ": has no line ", token));
        out.added.add({.text = std::string(token), .id = id});
        return id;
    };
    require("[PAD]");
    auto const unknown = require("[UNK]");
    auto const begin = require("[CLS]");
    auto const end = require("[SEP]");
    if (out.vocabulary.find("[MASK]") != piece_trie::none) require("[MASK]");
    bert_rules const rules{.split_chinese = options.split_cjk,
        .drop_accents = options.strip_accents.value_or(options.lower_case),
        .lower = options.lower_case};
    add_bert_rules(rules, out);
    out.has_bert_rules = true;
    out.splitter.add({.kind = splitter_kind::white_space});
    out.splitter.add({.kind = splitter_kind::punctuation});
    out.bert_splits = true;
    out.pieces = word_piece(out.vocabulary, unknown, "##", 100);
    for (auto const& item : {template_item{.text = 255, .id = begin}, template_item{},
             template_item{.text = 255, .id = end}}) {
        out.single.push_back(item);
        out.pair.push_back(item);
    }
    out.pair.push_back({.text = 1, .type = 1});
    out.pair.push_back({.text = 255, .id = end, .type = 1});
    return out;
}

TRAWL_INLINE wordpiece_options read_wordpiece_options(
    std::string_view json, std::string_view name) {
    wordpiece_options out;
    json_reader in(json, name);
    std::string key;
    for (in.enter_object(); in.next_key(key);) {
        if (key == "do_lower_case") {
            out.lower_case = in.boolean();
        } else if (key == "strip_accents") {
            if (!in.null()) out.strip_accents = in.boolean();
        } else if (key == "tokenize_chinese_chars") {
            out.split_cjk = in.boolean();
        } else if (key == "tokenizer_class") {
            if (in.null()) continue;
            auto const type = in.string();
            if (type.find("BertTokenizer") == type.npos && type.find("PreTrained") == type.npos)
                in.fail(join("the tokenizer_class '", std::string_view(type).substr(0, 100),
                    "' needs a tokenizer.json"));
        } else {
            in.skip();
        }
    }
    in.finish();
    return out;
}

} // namespace detail
TRAWL_END_NAMESPACE
