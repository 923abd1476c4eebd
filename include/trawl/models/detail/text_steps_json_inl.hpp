// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of text_steps_json.hpp.

#include <trawl/models/detail/text_steps_json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/charsmap.hpp>
#include <trawl/models/detail/json_reader.hpp>
#include <trawl/models/detail/tokenizer_parts.hpp>

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

class text_steps_reader {
public:
    text_steps_reader(json_reader& in, tokenizer_parts& out) noexcept : in_(in), out_(out) {}

    void read_normaliser() {
        auto const type = in_.type_of_next();
        if (type == "BertNormalizer") {
            auto const first = out_.normaliser.steps().empty();
            read_bert_normaliser();
            out_.has_bert_rules = first;
            return;
        }
        if (type == "Sequence") {
            in_.members([&](std::string const& key) {
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
            in_.members([&](std::string const& key) {
                if (key != "prepend") return in_.skip();
                step.content = characters_of(in_.string());
            });
            out_.normaliser.add(std::move(step));
            return;
        }
        in_.unsupported("normalizer", type,
            "BertNormalizer, Lowercase, NFD, Precompiled, Prepend, Replace, Sequence, Strip and "
            "StripAccents");
    }

    void read_splitter() {
        auto const type = in_.type_of_next();
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
            in_.members([&](std::string const& key) {
                if (key != "pretokenizers") return in_.skip();
                for (in_.enter_array(); in_.next_item();) read_splitter();
            });
            return;
        }
        if (type == "Punctuation") {
            in_.members([&](std::string const& key) {
                if (key != "behavior") return in_.skip();
                if (in_.string() != "Isolated") in_.fail("only the behavior Isolated is supported");
            });
            out_.splitter.add({.kind = splitter_kind::punctuation});
            return;
        }
        if (type == "Metaspace") return read_metaspace();
        in_.unsupported("pre_tokenizer", type,
            "BertPreTokenizer, Metaspace, Punctuation, Sequence and WhitespaceSplit");
    }

private:
    void read_bert_normaliser() {
        bert_rules rules;
        bool has_accents = false;
        in_.members([&](std::string const& key) {
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
        in_.members([&](std::string const& key) {
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
        bool repeated_blanks = false;
        in_.members([&](std::string const& key) {
            if (key == "content") {
                step.content = characters_of(in_.string());
            } else if (key == "pattern") {
                in_.members([&](std::string const& kind) {
                    auto const pattern = in_.string();
                    if (kind == "Regex" && pattern == " {2,}") {
                        repeated_blanks = true;
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
        if (repeated_blanks) {
            step.kind = normaliser_kind::replace_blanks;
        } else if (step.pattern.empty()) {
            in_.fail("a normalizer of type Replace has an empty pattern");
        }
        out_.normaliser.add(std::move(step));
    }

    void read_strip() {
        bool left = true;
        bool right = true;
        in_.members([&](std::string const& key) {
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

    void read_metaspace() {
        splitter_step step{.kind = splitter_kind::metaspace};
        in_.members([&](std::string const& key) {
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

    json_reader& in_;
    tokenizer_parts& out_;
};

TRAWL_INLINE void add_bert_rules(bert_rules rules, tokenizer_parts& out) {
    out.bert = rules;
    if (rules.clean) out.normaliser.add(normaliser_kind::clean);
    if (rules.split_chinese) out.normaliser.add(normaliser_kind::split_chinese);
    if (rules.drop_accents) {
        out.normaliser.add(normaliser_kind::nfd);
        out.normaliser.add(normaliser_kind::drop_accents);
    }
    if (rules.lower) out.normaliser.add(normaliser_kind::lower);
}

TRAWL_INLINE void read_normaliser(json_reader& in, tokenizer_parts& out) {
    text_steps_reader(in, out).read_normaliser();
}

TRAWL_INLINE void read_splitter(json_reader& in, tokenizer_parts& out) {
    text_steps_reader(in, out).read_splitter();
}

} // namespace detail
TRAWL_END_NAMESPACE
