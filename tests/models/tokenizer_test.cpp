// SPDX-License-Identifier: MIT
#include <trawl/models/tokenizer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

using trawl::tokenizer;
using numbers = std::vector<std::uint32_t>;

namespace {

std::string const golden = "tests/golden/models/";

tokenizer from_file(std::string const& path) {
    return tokenizer::from_json(trawl::read_file(path), path);
}

nlohmann::json json_of(std::string const& path) {
    return nlohmann::json::parse(trawl::read_file(path));
}

// The tokens of a small WordPiece model.
tokenizer small(trawl::wordpiece_options options = {}) {
    return tokenizer::from_vocabulary(
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n"
        "un\n##aff\n##able\nhello\nw\n##o\n##rld\n,\n東\n京\ncafe\ncafé\nHello\n",
        "vocab.txt", options);
}

std::string tokens(tokenizer const& from, std::string_view text) {
    std::string out;
    for (auto const id : from.encode(text, {.add_special = false}).ids) {
        if (!out.empty()) out += ' ';
        out += from.token(id);
    }
    return out;
}

std::string refused(std::string const& json) {
    auto const e = support::error_of([&] { return tokenizer::from_json(json, "tokenizer.json"); });
    CHECK(e.code == trawl::errc::parse);
    CHECK(e.text.starts_with("tokenizer.json: "));
    return e.text;
}

// Expected are ids, types, begins and ends; offsets are null where tokenizers' are wrong.
void check(trawl::token_encoding const& got, nlohmann::json const& expected) {
    CHECK(got.ids == expected[0].get<numbers>());
    CHECK(got.types == expected[1].get<numbers>());
    if (expected[2].is_null()) return;
    CHECK(got.begins == expected[2].get<numbers>());
    CHECK(got.ends == expected[3].get<numbers>());
}

std::string const vocabulary =
    R"({"type":"WordPiece","unk_token":"u","continuing_subword_prefix":"##","max_input_chars_per_word":9,)"
    R"("vocab":{"u":0,"a":1,"##b":2}})";

std::string with(std::string const& members) {
    return "{" + members + R"(,"model":)" + vocabulary + "}";
}

} // namespace

// The example of Google's BERT repository, tokenization.py.
TEST_CASE("words are split into the longest pieces", "[models][tokenizer]") {
    CHECK(tokens(small(), "unaffable") == "un ##aff ##able");
    CHECK(tokens(small(), "Hello, world!") == "hello , w ##o ##rld [UNK]");
    CHECK(tokens(small(), "unhello") == "[UNK]"); // hello does not continue a word
    CHECK(tokens(small(), "東京hello") == "東 京 hello");
    CHECK(tokens(small(), "CAFÉ cafe\u0301") == "cafe cafe");
    CHECK(tokens(small({.strip_accents = false}), "CAFÉ") == "café");
    CHECK(
        tokens(small({.lower_case = false}), "Hello hello HELLO café") == "Hello hello [UNK] café");
    CHECK(tokens(small({.split_cjk = false}), "東京") == "[UNK]");
    CHECK(tokens(small(), "hello[MASK]hello [mask]") == "hello [MASK] hello [UNK] [UNK] [UNK]");
    CHECK(tokens(small(), "") == "");
    CHECK(tokens(small(), " \t\n\u00a0\u3000\u200b") == "");
}

TEST_CASE("special tokens, types and offsets of a text and of a pair", "[models][tokenizer]") {
    auto const model = small();
    auto const one = model.encode("Café,  hello");
    CHECK(one.ids == numbers{2, 15, 12, 8, 3});
    CHECK(one.types == numbers{0, 0, 0, 0, 0});
    CHECK(one.begins == numbers{0, 0, 5, 8, 0});
    CHECK(one.ends == numbers{0, 5, 6, 13, 0});
    CHECK(one.texts == std::vector<std::uint8_t>{255, 0, 0, 0, 255});
    CHECK_FALSE(one.truncated);
    CHECK(one.size() == 5);
    auto const pair = model.encode_pair("hello", "un, hello");
    CHECK(pair.ids == numbers{2, 8, 3, 5, 12, 8, 3});
    CHECK(pair.types == numbers{0, 0, 0, 1, 1, 1, 1});
    CHECK(pair.begins == numbers{0, 0, 0, 0, 2, 4, 0});
    CHECK(pair.texts == std::vector<std::uint8_t>{255, 0, 255, 1, 1, 1, 255});
    CHECK(model.added_tokens() == 2);
    CHECK(model.added_tokens(true) == 3);
    CHECK(model.size() == 18);
    CHECK(model.token(8) == "hello");
    CHECK(model.token(18).empty());
    CHECK(model.find("hello") == 8u);
    CHECK_FALSE(model.find("hell"));
    CHECK_FALSE(model.find(""));
    CHECK(model.special().unknown == 1u);
    CHECK(model.special().padding == 0u);
    CHECK(model.special().begin == 2u);
    CHECK(model.special().separator == 3u);
    CHECK(model.special().mask == 4u);

    // The memory of an encoding is used again.
    trawl::token_encoding again = one;
    model.encode("hello", {}, again);
    CHECK(again.ids == numbers{2, 8, 3});
    CHECK(again.texts.size() == 3);
}

TEST_CASE("a text that is too long loses its end", "[models][tokenizer]") {
    auto const model = small();
    auto const cut = model.encode("hello un hello", {.max_tokens = 4});
    CHECK(cut.ids == numbers{2, 8, 5, 3});
    CHECK(cut.truncated);
    CHECK(model.encode("hello un", {.max_tokens = 4}).truncated == false);
    // a word of several pieces, cut within
    CHECK(model.encode("unaffable", {.max_tokens = 4}).ids == numbers{2, 5, 6, 3});
    CHECK(model.encode("hello", {.max_tokens = 2}).ids == numbers{2, 3});
    CHECK(model.encode("hello", {.max_tokens = 0, .add_special = false}).ids.empty());
    CHECK_THROWS_WITH(model.encode("hello", {.max_tokens = 1}),
        "max_tokens is 1, must be 2 or more: so many tokens are added");
    CHECK_THROWS_WITH(model.encode_pair("hello", "un hello",
                          {.max_tokens = 4, .cut = trawl::truncation::only_first}),
        "encode_pair: the text that is cut has 1 tokens, 2 are too many");
    CHECK(model
              .encode_pair(
                  "hello", "un hello", {.max_tokens = 5, .cut = trawl::truncation::only_second})
              .ids
          == numbers{2, 8, 3, 5, 3});
}

// Expected values by Hugging Face's tokenizers: tests/golden/models/make_token_cases.py.
TEST_CASE("tokens of texts of all of Unicode are Hugging Face's", "[models][tokenizer][golden]") {
    auto const name = GENERATE(as<std::string>{}, "bert_uncased", "bert_cased", "bert_german",
        "steps", "xlm_roberta", "metaspace", "whole", "trained_wordpiece", "trained_unigram");
    CAPTURE(name);
    auto const model = from_file(golden + "tokens/" + name + ".json");
    auto const cases = json_of(golden + "tokens/" + name + ".cases.json");
    REQUIRE(cases.size() >= 100);
    for (auto const& one : cases) {
        trawl::token_encoding got;
        if (one[0].is_string()) {
            CAPTURE(one[0].dump());
            got = model.encode(one[0].get<std::string>());
            check(got, one[1]);
            continue;
        }
        auto const texts = one[0].get<std::vector<std::string>>();
        auto const strategy = one[3].get<std::string>();
        trawl::encode_options const options{.max_tokens = one[2].get<std::size_t>(),
            .add_special = one[4].get<bool>(),
            .cut = strategy == "only_first"    ? trawl::truncation::only_first
                   : strategy == "only_second" ? trawl::truncation::only_second
                                               : trawl::truncation::longest_first};
        CAPTURE(texts[0], texts[1], options.max_tokens, strategy);
        if (one[1].is_null()) {
            CHECK_THROWS_AS(model.encode_pair(texts[0], texts[1], options), trawl::error);
            continue;
        }
        got = model.encode_pair(texts[0], texts[1], options);
        check(got, one[1]);
        auto const whole =
            model.encode_pair(texts[0], texts[1], {.add_special = options.add_special});
        CHECK(got.truncated == (whole.size() > options.max_tokens));
    }
}

// The ids that transformers gave to its models: tests/golden/models/make_models.py.
TEST_CASE("the tokens of models' folders are transformers'", "[models][tokenizer][golden]") {
    for (auto const* const name : {"bert", "xlm_roberta", "distilbert", "sentence_bert", "static",
             "late_interaction", "bert_classifier", "roberta_classifier"}) {
        CAPTURE(name);
        auto const model = tokenizer::open(golden + name);
        auto const cases = json_of(golden + name + "/golden/cases.json");
        std::string_view const kind(name);
        auto const most = kind == "static"                        ? 512u
                          : kind.find('s') == 0 || kind[0] == 'l' ? 16u
                                                                  : 48u;
        auto const pairs = cases.contains("pairs");
        auto const& texts = cases[pairs ? "pairs" : "texts"];
        for (std::size_t i = 0; i < texts.size(); ++i) {
            CAPTURE(i);
            auto const got = pairs ? model.encode_pair(texts[i][0].get<std::string>(),
                                 texts[i][1].get<std::string>(), {.max_tokens = most})
                                   : model.encode(texts[i].get<std::string>(),
                                       {.max_tokens = most, .add_special = kind != "static"});
            CHECK(got.ids == cases["ids"][i].get<numbers>());
            if (cases.contains("types")) CHECK(got.types == cases["types"][i].get<numbers>());
        }
    }
}

TEST_CASE("tokenizer.json and vocab.txt give the same tokens", "[models][tokenizer]") {
    auto const folder = golden + "bert/";
    auto const whole = tokenizer::open(folder);
    auto const lines =
        tokenizer::from_vocabulary(trawl::read_file(folder + "vocab.txt"), "vocab.txt");
    auto const cased = tokenizer::from_vocabulary(
        trawl::read_file(folder + "vocab.txt"), "vocab.txt", {.lower_case = false});
    CHECK(whole.fingerprint() == lines.fingerprint());
    CHECK(whole.fingerprint() != cased.fingerprint());
    CHECK(whole.fingerprint() != tokenizer::open(golden + "xlm_roberta").fingerprint());
    // A number that must not change by accident: indexes are told by it which tokenizer they were made with.
    CHECK(small().fingerprint() == small().fingerprint());
}

TEST_CASE("bytes that are not UTF-8 are one unknown character each", "[models][tokenizer]") {
    auto const model = small();
    // BERT's cleaning drops U+FFFD.
    auto const got = model.encode("hel\xfflo \xe6\x9d hello", {.add_special = false});
    CHECK(got.ids == numbers{8, 8});
    CHECK(got.begins == numbers{0, 10});
    CHECK(got.ends == numbers{6, 15});
    auto const roberta = from_file(golden + "tokens/whole.json"); // drops nothing
    auto const bytes = roberta.encode("a\xff\xff", {.add_special = false});
    auto const replaced = roberta.encode("a\xEF\xBF\xBD\xEF\xBF\xBD", {.add_special = false});
    CHECK(bytes.ids == replaced.ids);
    CHECK(bytes.ends.back() == 3);
}

TEST_CASE(
    "offsets behind what SentencePiece's map drops are those of the text", "[models][tokenizer]") {
    // tokenizers 0.23.3 shifts them by a character.
    auto const model = from_file(golden + "tokens/xlm_roberta.json");
    for (std::string const text : {"\x06q P", "\x06é P"}) {
        auto const got = model.encode(text, {.add_special = false});
        CHECK(text.substr(got.begins.back(), got.ends.back() - got.begins.back()) == "P");
        CHECK(text.substr(got.begins[0], got.ends[0] - got.begins[0])
              == text.substr(1, text.size() - 3));
    }
}

TEST_CASE("any bytes give tokens whose offsets lie in the text", "[models][tokenizer]") {
    auto const name = GENERATE(as<std::string>{}, "bert_uncased", "bert_german", "steps",
        "xlm_roberta", "metaspace", "whole", "trained_wordpiece", "trained_unigram");
    CAPTURE(name);
    auto const model = from_file(golden + "tokens/" + name + ".json");
    trawl::detail::random random(9);
    for (int i = 0; i < 300; ++i) {
        std::string text;
        for (auto n = random.below(40); n > 0; --n)
            text += static_cast<char>(
                random.below(3) == 0 ? random.below(256) : 'a' + random.below(26));
        auto const all = model.encode(text);
        std::size_t wrong = 0;
        for (std::size_t t = 0; t < all.size(); ++t) {
            wrong += all.begins[t] > all.ends[t] || all.ends[t] > text.size()
                     || all.ids[t] >= model.size();
        }
        CHECK(wrong == 0);
        // Stopping early changes nothing.
        auto const few = 2 + random.below(12);
        auto const cut = model.encode(text, {.max_tokens = few});
        CHECK(cut.truncated == (all.size() > few));
        auto const room = cut.size() - model.added_tokens();
        auto const body = model.encode(text, {.add_special = false});
        auto const cut_body = model.encode(text, {.max_tokens = room, .add_special = false});
        CHECK(cut_body.ids
              == numbers(body.ids.begin(), body.ids.begin() + static_cast<std::ptrdiff_t>(room)));
    }
}

TEST_CASE("what is not supported is named, with its place", "[models][tokenizer][bad]") {
    CHECK(refused("") == "tokenizer.json: byte 0: the text ends, expected is an object");
    CHECK(refused("{}") == "tokenizer.json: has no model");
    CHECK(refused(R"({"model":{"type":"BPE","vocab":{}}})")
          == "tokenizer.json: byte 9: model 'BPE' is not supported, only WordPiece and Unigram");
    CHECK(refused(R"({"model":{"type":"WordPiece"}})")
          == "tokenizer.json: byte 28: the model has no vocab");
    CHECK(refused(R"({"model":{"type":"WordPiece","vocab":{"a":0}}})")
          == "tokenizer.json: byte 44: the model's unk_token '[UNK]' is not in its vocabulary");
    CHECK(refused(R"({"model":{"type":"WordPiece","vocab":[["a",0]]}})")
          == "tokenizer.json: byte 37: is no vocabulary of a WordPiece model");
    CHECK(refused(R"({"model":{"type":"Unigram","vocab":{"a":0}}})")
          == "tokenizer.json: byte 35: is no vocabulary of a Unigram model");
    CHECK(refused(R"({"model":{"type":"Unigram","vocab":[["a",0]],"unk_id":1}})")
          == "tokenizer.json: byte 55: the model's unk_id is missing or beyond its vocabulary");
    CHECK(refused(R"({"model":{"type":"Unigram","vocab":[["a"]],"unk_id":0}})")
          == "tokenizer.json: byte 40: the piece's score is missing");
    CHECK(refused(R"({"model":{"type":"Unigram","vocab":[["a",1e999]],"unk_id":0}})")
          == "tokenizer.json: byte 41: a number is too large");
    // An id that would take gigabytes.
    CHECK(refused(R"({"model":{"type":"WordPiece","vocab":{"[UNK]":2000000000}}})")
          == "tokenizer.json: byte 56: the vocabulary's largest id is 2000000000, far beyond its 1 "
             "pieces");
    CHECK(refused(with(R"("added_tokens":[{"id":2000000000,"content":"x"}])"))
          == "tokenizer.json: the id 2000000000 of the added token 'x' is far beyond the 3 of the "
             "vocabulary");
    CHECK(refused(with(R"("added_tokens":[{"content":"x"}])"))
          == "tokenizer.json: byte 31: an added token lacks its id");
    CHECK(refused(with(R"("normalizer":{"type":"NFKC"})"))
          == "tokenizer.json: byte 14: normalizer 'NFKC' is not supported, only BertNormalizer, "
             "Lowercase, NFD, "
             "Precompiled, Prepend, Replace, Sequence, Strip and StripAccents");
    CHECK(refused(with(R"("normalizer":{"type":"Replace","pattern":{"Regex":"a+"},"content":""})"))
          == "tokenizer.json: byte 51: the pattern 'a+' is not supported, only a String, or the "
             "Regex ' {2,}'");
    CHECK(refused(with(R"("normalizer":{"type":"Replace","pattern":{"String":""},"content":""})"))
          == "tokenizer.json: byte 68: a normalizer of type Replace has an empty pattern");
    CHECK(refused(with(R"("normalizer":{"type":"Precompiled","precompiled_charsmap":"!"})"))
          == "tokenizer.json: byte 62: precompiled_charsmap is not base64");
    CHECK(refused(with(R"("normalizer":{"type":"Precompiled","precompiled_charsmap":"/////w=="})"))
          == "tokenizer.json: byte 69: precompiled_charsmap is shorter than its double array");
    CHECK(refused(with(R"("pre_tokenizer":{"type":"Whitespace"})"))
          == "tokenizer.json: byte 17: pre_tokenizer 'Whitespace' is not supported, only "
             "BertPreTokenizer, "
             "Metaspace, Punctuation, Sequence and WhitespaceSplit");
    CHECK(refused(with(R"("pre_tokenizer":{"type":"Metaspace","replacement":"ab"})"))
          == "tokenizer.json: byte 51: replacement must be one character");
    CHECK(
        refused(with(
            R"("post_processor":{"type":"TemplateProcessing","single":[],"pair":[],"special_tokens":{}})"))
        == "tokenizer.json: byte 88: the template 'single' must have the sequence A once");
    CHECK(
        refused(
            with(
                R"("post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x","type_id":0}}],)"
                R"("pair":[],"special_tokens":{}})"))
            .find("the template's token 'x' is not in special_tokens")
        != std::string::npos);
    CHECK(refused(with(R"("post_processor":{"type":"Other"})"))
          == "tokenizer.json: byte 18: post_processor 'Other' is not supported, only "
             "BertProcessing, ByteLevel, "
             "RobertaProcessing, Sequence and TemplateProcessing");
    CHECK(refused(R"({"model":)" + std::string(100000, '[')).find("values nest")
          == std::string::npos);
    CHECK(support::error_of([] {
        return tokenizer::from_vocabulary("[PAD]\n[UNK]\n[CLS]\n", "vocab.txt");
    }).text
          == "vocab.txt: has no line [SEP]");
    CHECK(support::error_of([] {
        return tokenizer::from_vocabulary("[PAD]\n\xff\n", "vocab.txt");
    }).text
          == "vocab.txt:2: is not UTF-8");
    CHECK(support::error_of([] { return tokenizer::open("no such folder"); }).text
          == "no such folder: has neither tokenizer.json nor vocab.txt");
}

TEST_CASE(
    "a normalizer that makes texts grow without bound is refused", "[models][tokenizer][bad]") {
    std::string steps;
    for (int i = 0; i < 60; ++i) {
        steps += steps.empty() ? "" : ",";
        steps += R"({"type":"Replace","pattern":{"String":"a"},"content":"aa"})";
    }
    auto const doubling = tokenizer::from_json(
        with(R"("normalizer":{"type":"Sequence","normalizers":[)" + steps + "]}"), "t");
    auto const e = support::error_of([&] { return doubling.encode("a"); });
    CHECK(e.code == trawl::errc::model);
    CHECK(e.names("more than 65568 characters"));
    CHECK(doubling.encode("b").size() == 1);
}

// Each of the marks belongs before those of the other kind: moved one by one, they would take hours.
TEST_CASE("a long run of marks takes no longer than other text", "[models][tokenizer]") {
    std::string text = "a";
    for (int i = 0; i < 400000; ++i) text += i % 2 == 0 ? "\u302E" : "\U0001D165"; // 224, 216
    auto const kept =
        from_file(golden + "tokens/bert_uncased.json").encode(text, {.add_special = false});
    CHECK(kept.size() == 1);
    CHECK(kept.ends[0] == text.size());
    auto const dropped =
        from_file(golden + "tokens/steps.json").encode(text, {.add_special = false});
    CHECK(dropped.size() == 1);
    CHECK(dropped.ends[0] == 1);
}

TEST_CASE("a tokenizer.json that is cut off or changed anywhere is refused or works",
    "[models][tokenizer][bad]") {
    for (auto const* const name : {"bert/tokenizer.json", "xlm_roberta/tokenizer.json"}) {
        auto const whole = trawl::read_file(golden + name);
        trawl::detail::random random(11);
        for (int i = 0; i < 300; ++i) {
            auto damaged = whole;
            auto const place =
                random.below(2) == 0 ? random.below(1500) : random.below(whole.size());
            if (i % 3 == 0) {
                damaged.resize(place);
            } else {
                damaged[place] = "0123456789\"{}[],:tfn-"[random.below(20)];
            }
            try {
                auto const model = tokenizer::from_json(damaged, "t");
                CHECK(model.encode("Hello wörld <mask> [MASK] 東京 ﬁ").ids.size() < 100);
            } catch (trawl::error const& e) {
                CHECK(std::string(e.what()).starts_with("t: "));
            }
        }
    }
}
