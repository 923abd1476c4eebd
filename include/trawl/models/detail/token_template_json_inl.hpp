// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of token_template_json.hpp.

#include <trawl/models/detail/token_template_json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/json_reader.hpp>
#include <trawl/models/detail/tokenizer_parts.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class token_template_reader {
public:
    token_template_reader(json_reader& in, tokenizer_parts& out) noexcept : in_(in), out_(out) {}

    void read() {
        auto const type = in_.type_of_next();
        if (type == "Sequence") {
            in_.members([&](std::string const& key) {
                if (key != "processors") return in_.skip();
                for (in_.enter_array(); in_.next_item();) read();
            });
            return;
        }
        if (type == "ByteLevel") return in_.skip(); // it changes offsets only
        if (!out_.single.empty()) in_.fail("two post-processors that add tokens are not supported");
        if (type == "TemplateProcessing") return read_template_processing();
        if (type == "BertProcessing" || type == "RobertaProcessing")
            return read_fixed_template(type == "RobertaProcessing");
        in_.unsupported("post_processor", type,
            "BertProcessing, ByteLevel, RobertaProcessing, Sequence and TemplateProcessing");
    }

private:
    // [CLS] A [SEP] B [SEP], or <s> A </s> </s> B </s>
    void read_fixed_template(bool roberta) {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        unsigned found = 0;
        in_.members([&](std::string const& key) {
            if (key != "cls" && key != "sep") return in_.skip();
            in_.enter_array();
            if (!in_.next_item()) in_.fail("a token and its id are missing");
            in_.skip();
            if (!in_.next_item()) in_.fail("the token's id is missing");
            (key == "cls" ? begin : end) = in_.id();
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
        in_.members([&](std::string const& key) {
            if (key == "single") {
                read_items(single);
            } else if (key == "pair") {
                read_items(pair);
            } else if (key == "special_tokens") {
                in_.members([&](std::string const& name) {
                    std::pair<std::string, buffer<std::uint32_t>> token{name, {}};
                    in_.members([&](std::string const& part) {
                        if (part != "ids") return in_.skip();
                        for (in_.enter_array(); in_.next_item();) token.second.push_back(in_.id());
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
            in_.members([&](std::string const& kind) {
                if (kind != "SpecialToken" && kind != "Sequence")
                    in_.fail("is no part of a template");
                auto const special = kind == "SpecialToken";
                in_.members([&](std::string const& key) {
                    if (key == "type_id") {
                        one.item.type = in_.id();
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

    json_reader& in_;
    tokenizer_parts& out_;
};

TRAWL_INLINE void read_template(json_reader& in, tokenizer_parts& out) {
    token_template_reader(in, out).read();
}

} // namespace detail
TRAWL_END_NAMESPACE
