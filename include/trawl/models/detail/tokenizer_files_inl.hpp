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
#include <trawl/models/detail/tokenizer_engine.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline buffer<char32_t> characters_of(std::string_view text) {
    aligned_text all;
    all.assign(text, {0, static_cast<std::uint32_t>(text.size())});
    return std::move(all.codes);
}

// Text of base64 as bytes. False if it is none.
[[nodiscard]] inline bool decode_base64(std::string_view text, std::string& out) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char values[256] = {};
    for (auto& value : values) value = 255;
    for (std::size_t i = 0; i < digits.size(); ++i)
        values[static_cast<unsigned char>(digits[i])] = static_cast<unsigned char>(i);
    if (text.size() % 4 != 0) return false;
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    out.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (auto const c : text) {
        auto const value = values[static_cast<unsigned char>(c)];
        if (value == 255) return false;
        bits = bits << 6 | value;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out += static_cast<char>(static_cast<unsigned char>(bits >> count & 0xFF));
    }
    return true;
}

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
                read_normaliser();
            } else if (key == "pre_tokenizer" && !in_.null()) {
                read_splitter();
            } else if (key == "post_processor" && !in_.null()) {
                read_template();
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
    struct read_added {
        added_token token = {};
        std::uint64_t place = 0;
    };

    [[noreturn]] TRAWL_COLD void refuse(std::string_view reason) const {
        fail(errc::parse, join(in_.name(), ": ", reason));
    }
    [[nodiscard]] std::uint32_t id() { return static_cast<std::uint32_t>(in_.natural(0x7FFFFFFF)); }

    // The "type" of the object that follows, which remains to be read; empty if it has none.
    [[nodiscard]] std::string type_of_next() const {
        auto ahead = in_;
        std::string key;
        for (ahead.enter_object(); ahead.next_key(key);) {
            if (key == "type") return ahead.string();
            ahead.skip();
        }
        return {};
    }

    // The members of the object that follows: member(key) reads the value.
    template <class Member>
    void members(Member member) {
        std::string key;
        for (in_.enter_object(); in_.next_key(key);) member(key);
    }
    void skip_object() { in_.skip(); }

    [[noreturn]] TRAWL_COLD void unsupported(
        std::string_view what, std::string_view type, std::string_view only) {
        static_cast<void>(in_.kind()); // its place
        in_.fail(join(what, " '", type.substr(0, 100), "' is not supported, only ", only));
    }

    void read_added_tokens() {
        for (in_.enter_array(); in_.next_item();) {
            added_token token;
            bool has_id = false;
            members([&](std::string const& key) {
                if (key == "id") {
                    token.id = id();
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

    // --- normalisers

    void read_normaliser() {
        auto const type = type_of_next();
        if (type == "BertNormalizer") {
            auto const first = out_.normaliser.steps().empty();
            read_bert_normaliser();
            out_.has_bert_rules = first;
            return;
        }
        if (type == "Sequence") {
            members([&](std::string const& key) {
                if (key != "normalizers") return in_.skip();
                for (in_.enter_array(); in_.next_item();) read_normaliser();
            });
            return;
        }
        out_.has_bert_rules = false; // or not only
        using enum normaliser_kind;
        static constexpr std::pair<std::string_view, normaliser_kind> plain[] = {
            {"NFD", nfd}, {"Lowercase", lower}, {"StripAccents", drop_marks}};
        for (auto const& [name, kind] : plain) {
            if (name != type) continue;
            out_.normaliser.add(kind);
            return in_.skip();
        }
        if (type == "Precompiled") return read_map();
        if (type == "Replace") return read_replace();
        if (type == "Strip") return read_strip();
        if (type == "Prepend") {
            normaliser_step step{.kind = prepend};
            members([&](std::string const& key) {
                if (key != "prepend") return in_.skip();
                step.content = characters_of(in_.string());
            });
            out_.normaliser.add(std::move(step));
            return;
        }
        unsupported("normalizer", type,
            "BertNormalizer, Lowercase, NFD, Precompiled, Prepend, Replace, Sequence, Strip and "
            "StripAccents");
    }

    void read_bert_normaliser() {
        bert_rules rules;
        bool has_accents = false;
        members([&](std::string const& key) {
            if (key == "clean_text") {
                rules.clean = in_.boolean();
            } else if (key == "handle_chinese_chars") {
                rules.split_chinese = in_.boolean();
            } else if (key == "lowercase") {
                rules.lower = in_.boolean();
            } else if (key == "strip_accents") {
                has_accents = !in_.null();
                if (has_accents) rules.drop_accents = in_.boolean();
            } else {
                in_.skip();
            }
        });
        if (!has_accents) rules.drop_accents = rules.lower;
        add_bert_rules(rules, out_);
    }

    void read_map() {
        std::string encoded;
        members([&](std::string const& key) {
            if (key == "precompiled_charsmap") {
                if (!in_.null()) encoded = in_.string();
            } else {
                in_.skip();
            }
        });
        std::string bytes;
        if (!decode_base64(encoded, bytes)) in_.fail("precompiled_charsmap is not base64");
        charsmap map;
        if (auto const wrong = map.read(bytes); !wrong.empty())
            in_.fail(join("precompiled_charsmap ", wrong));
        out_.normaliser.add(std::move(map));
    }

    void read_replace() {
        normaliser_step step{.kind = normaliser_kind::replace};
        bool blanks = false;
        members([&](std::string const& key) {
            if (key == "content") {
                step.content = characters_of(in_.string());
            } else if (key == "pattern") {
                members([&](std::string const& kind) {
                    auto const pattern = in_.string();
                    if (kind == "Regex" && pattern == " {2,}") {
                        blanks = true;
                    } else if (kind == "String") {
                        step.pattern = characters_of(pattern);
                    } else {
                        in_.fail(join("the pattern '", std::string_view(pattern).substr(0, 100),
                            "' is not supported, only a String, or the Regex ' {2,}'"));
                    }
                });
            } else {
                in_.skip();
            }
        });
        if (blanks) {
            step.kind = normaliser_kind::replace_blanks;
        } else if (step.pattern.empty()) {
            in_.fail("a normalizer of type Replace has an empty pattern");
        }
        out_.normaliser.add(std::move(step));
    }

    void read_strip() {
        bool left = true;
        bool right = true;
        members([&](std::string const& key) {
            if (key == "strip_left") {
                left = in_.boolean();
            } else if (key == "strip_right") {
                right = in_.boolean();
            } else {
                in_.skip();
            }
        });
        if (left) out_.normaliser.add(normaliser_kind::strip_left);
        if (right) out_.normaliser.add(normaliser_kind::strip_right);
    }

    // --- pre-tokenizers

    void read_splitter() {
        auto const type = type_of_next();
        auto const first = out_.splitter.steps().empty();
        out_.bert_splits = false;
        if (type == "BertPreTokenizer") {
            out_.splitter.add({.kind = splitter_kind::white_space});
            out_.splitter.add({.kind = splitter_kind::punctuation});
            out_.bert_splits = first;
            return in_.skip();
        }
        if (type == "WhitespaceSplit") {
            out_.splitter.add({.kind = splitter_kind::white_space});
            return in_.skip();
        }
        if (type == "Sequence") {
            members([&](std::string const& key) {
                if (key != "pretokenizers") return in_.skip();
                for (in_.enter_array(); in_.next_item();) read_splitter();
            });
            return;
        }
        if (type == "Punctuation") {
            members([&](std::string const& key) {
                if (key != "behavior") return in_.skip();
                if (in_.string() != "Isolated") in_.fail("only the behavior Isolated is supported");
            });
            out_.splitter.add({.kind = splitter_kind::punctuation});
            return;
        }
        if (type == "Metaspace") return read_metaspace();
        unsupported("pre_tokenizer", type,
            "BertPreTokenizer, Metaspace, Punctuation, Sequence and WhitespaceSplit");
    }

    void read_metaspace() {
        splitter_step step{.kind = splitter_kind::metaspace};
        members([&](std::string const& key) {
            if (key == "replacement") {
                auto const codes = characters_of(in_.string());
                if (codes.size() != 1) in_.fail("replacement must be one character");
                step.blank = codes[0];
            } else if (key == "add_prefix_space") {
                if (!in_.boolean()) step.before = prepended::never;
            } else if (key == "prepend_scheme") {
                auto const scheme = in_.string();
                if (scheme != "always" && scheme != "first" && scheme != "never")
                    in_.fail("prepend_scheme must be always, first or never");
                if (scheme != "always") {
                    step.before = scheme == "first" ? prepended::first : prepended::never;
                }
            } else if (key == "split") {
                step.splits = in_.boolean();
            } else {
                in_.skip();
            }
        });
        out_.splitter.add(step);
    }

    // --- post-processors

    void read_template() {
        auto const type = type_of_next();
        if (type == "Sequence") {
            members([&](std::string const& key) {
                if (key != "processors") return in_.skip();
                for (in_.enter_array(); in_.next_item();) read_template();
            });
            return;
        }
        if (type == "ByteLevel") return in_.skip(); // it changes offsets only
        if (!out_.single.empty()) in_.fail("two post-processors that add tokens are not supported");
        if (type == "TemplateProcessing") return read_template_processing();
        if (type == "BertProcessing" || type == "RobertaProcessing")
            return read_fixed_template(type == "RobertaProcessing");
        unsupported("post_processor", type,
            "BertProcessing, ByteLevel, RobertaProcessing, Sequence and TemplateProcessing");
    }

    // [CLS] A [SEP] B [SEP], or <s> A </s> </s> B </s>
    void read_fixed_template(bool roberta) {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        unsigned found = 0;
        members([&](std::string const& key) {
            if (key != "cls" && key != "sep") return in_.skip();
            in_.enter_array();
            if (!in_.next_item()) in_.fail("a token and its id are missing");
            in_.skip();
            if (!in_.next_item()) in_.fail("the token's id is missing");
            (key == "cls" ? begin : end) = id();
            if (in_.next_item()) in_.fail("more than a token and its id");
            ++found;
        });
        if (found != 2) in_.fail("cls or sep is missing");
        auto const special = [](std::uint32_t token, std::uint32_t type) {
            return template_item{.text = 255, .id = token, .type = type};
        };
        std::uint32_t const second = roberta ? 0 : 1;
        for (auto const& item : {special(begin, 0), template_item{}, special(end, 0)}) {
            out_.single.push_back(item);
            out_.pair.push_back(item);
        }
        if (roberta) out_.pair.push_back(special(end, 0));
        out_.pair.push_back({.text = 1, .type = second});
        out_.pair.push_back(special(end, second));
    }

    struct named_item {
        template_item item = {};
        std::string name = {}; ///< of a special token
    };

    void read_template_processing() {
        buffer<named_item> single;
        buffer<named_item> pair;
        buffer<std::pair<std::string, buffer<std::uint32_t>>> tokens;
        members([&](std::string const& key) {
            if (key == "single") {
                read_items(single);
            } else if (key == "pair") {
                read_items(pair);
            } else if (key == "special_tokens") {
                members([&](std::string const& name) {
                    std::pair<std::string, buffer<std::uint32_t>> token{name, {}};
                    members([&](std::string const& part) {
                        if (part != "ids") return in_.skip();
                        for (in_.enter_array(); in_.next_item();) token.second.push_back(id());
                    });
                    tokens.push_back(std::move(token));
                });
            } else {
                in_.skip();
            }
        });
        auto const resolve = [&](buffer<named_item> const& from, buffer<template_item>& to) {
            for (auto const& one : from) {
                if (one.item.text != 255) {
                    to.push_back(one.item);
                    continue;
                }
                bool found = false;
                for (auto const& token : tokens) {
                    if (token.first != one.name) continue;
                    found = true;
                    for (auto const number : token.second)
                        to.push_back({.text = 255, .id = number, .type = one.item.type});
                }
                if (!found)
                    in_.fail(
                        join("the template's token '", one.name, "' is not in special_tokens"));
            }
        };
        resolve(single, out_.single);
        resolve(pair, out_.pair);
        auto const count = [](buffer<template_item> const& items, std::uint8_t text) {
            std::size_t out = 0;
            for (auto const& item : items) out += item.text == text;
            return out;
        };
        if (count(out_.single, 0) != 1 || count(out_.single, 1) != 0)
            in_.fail("the template 'single' must have the sequence A once");
        if (count(out_.pair, 0) != 1 || count(out_.pair, 1) != 1)
            in_.fail("the template 'pair' must have the sequences A and B once each");
    }

    void read_items(buffer<named_item>& out) {
        for (in_.enter_array(); in_.next_item();) {
            named_item one;
            members([&](std::string const& kind) {
                if (kind != "SpecialToken" && kind != "Sequence")
                    in_.fail("is no part of a template");
                auto const special = kind == "SpecialToken";
                members([&](std::string const& key) {
                    if (key == "type_id") {
                        one.item.type = id();
                    } else if (key == "id") {
                        one.name = in_.string();
                    } else {
                        in_.skip();
                    }
                });
                if (!special && one.name != "A" && one.name != "B")
                    in_.fail("a sequence of a template must be A or B");
                one.item.text = static_cast<std::uint8_t>(special ? 255 : one.name == "A" ? 0 : 1);
            });
            out.push_back(std::move(one));
        }
    }

    void default_template() {
        if (!out_.single.empty()) return;
        out_.single.push_back({});
        out_.pair.push_back({});
        out_.pair.push_back({.text = 1, .type = 1});
    }

    // --- models

    void read_model() {
        auto type = type_of_next();
        if (!type.empty() && type != "WordPiece" && type != "Unigram")
            unsupported("model", type, "WordPiece and Unigram");
        std::string unknown = "[UNK]";
        std::string prefix = "##";
        std::size_t longest = 100;
        std::uint32_t unknown_id = piece_trie::none;
        bool byte_fallback = false;
        bool has_vocabulary = false;
        buffer<double> scores;
        members([&](std::string const& key) {
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
                unknown_id = id();
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
        members([&](std::string const& text) {
            check_piece(text);
            out_.vocabulary.add(text, id());
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

public:
    static void add_bert_rules(bert_rules rules, tokenizer_parts& to) {
        to.bert = rules;
        if (rules.clean) to.normaliser.add(normaliser_kind::clean);
        if (rules.split_chinese) to.normaliser.add(normaliser_kind::split_chinese);
        if (rules.drop_accents) {
            to.normaliser.add(normaliser_kind::nfd);
            to.normaliser.add(normaliser_kind::drop_accents);
        }
        if (rules.lower) to.normaliser.add(normaliser_kind::lower);
    }
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
    tokenizer_json_reader::add_bert_rules(rules, out);
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
