// SPDX-License-Identifier: MIT
#include <trawl/models/detail/json_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

using trawl::detail::json_kind;
using trawl::detail::json_reader;

namespace {

// What a reader makes of the next value, as nlohmann's tree.
nlohmann::json tree(json_reader& in) {
    nlohmann::json out;
    std::string key;
    switch (in.kind()) {
    case json_kind::object:
        out = nlohmann::json::object();
        for (in.enter_object(); in.next_key(key);) {
            auto const name = key;
            out[name] = tree(in);
        }
        break;
    case json_kind::array:
        out = nlohmann::json::array();
        for (in.enter_array(); in.next_item();) out.push_back(tree(in));
        break;
    case json_kind::string:
        out = in.string();
        break;
    case json_kind::number:
        out = in.number();
        break;
    case json_kind::boolean:
        out = in.boolean();
        break;
    case json_kind::null:
    case json_kind::none:
        if (!in.null()) in.skip(); // which throws
    }
    return out;
}

std::string read(std::string const& text) {
    json_reader in(text, "f");
    auto const out = tree(in);
    in.finish();
    json_reader again(text, "f");
    CHECK_FALSE(again.raw().empty());
    again.finish();
    return out.dump();
}

std::string refused(std::string const& text) {
    json_reader skipping(text, "f");
    auto const skipped = support::error_of([&] {
        skipping.skip();
        skipping.finish();
    });
    json_reader in(text, "f");
    auto const e = support::error_of([&] {
        static_cast<void>(tree(in));
        in.finish();
    });
    CHECK(e.code == trawl::errc::parse);
    CHECK(e.text.starts_with("f: byte "));
    CHECK(skipped.text.starts_with("f: byte "));
    return e.text;
}

} // namespace

TEST_CASE("values are read as RFC 8259 has them", "[models][json]") {
    CHECK(read(R"( {"a" : [1, -2.5e2, true, false, null, "x", {}, [ ]] , "b":{"c":0}} )")
          == R"({"a":[1.0,-250.0,true,false,null,"x",{},[]],"b":{"c":0.0}})");
    CHECK(read(R"("\"\\\/\b\f\n\r\té€\uD83D\ude00")")
          == nlohmann::json("\"\\/\b\f\n\r\té€😀").dump());
    CHECK(read(R"("a\u0000b")") == R"("a\u0000b")");
    CHECK(read("\"é€😀\"") == "\"é€😀\"");
    CHECK(read("\"\"") == "\"\"");
    CHECK(read("0") == "0.0");
    CHECK(read("-0.5E-1") == "-0.05");
}

TEST_CASE("a text that is not JSON is refused with the place", "[models][json][bad]") {
    CHECK(refused("") == "f: byte 0: the text ends, expected is a value");
    CHECK(refused("{\"a\":1,}") == "f: byte 7: expected is a string");
    CHECK(refused("[1,]") == "f: byte 3: expected is a value");
    CHECK(refused("[1}") == "f: byte 2: expected is ',' or ']'");
    CHECK(refused("{\"a\" 1}") == "f: byte 5: expected is ':'");
    CHECK(refused("[1 2]") == "f: byte 3: expected is ',' or ']'");
    CHECK(refused("1 2") == "f: byte 2: something follows the value");
    CHECK(refused("truth") == "f: byte 0: expected is a value");
    CHECK(refused("[nul]") == "f: byte 1: expected is a value");
    CHECK(refused("01") == "f: byte 0: a number begins with 0");
    CHECK(refused("[-]") == "f: byte 1: expected is a number");
    CHECK(refused("[1.]") == "f: byte 1: expected is a number");
    CHECK(refused("[1e+]") == "f: byte 1: expected is a number");
    CHECK(refused("[+1]") == "f: byte 1: expected is a value");
    CHECK(refused("\"a") == "f: byte 0: a string does not end");
    CHECK(refused("\"a\\") == "f: byte 0: a string has an unknown escape");
    CHECK(refused("\"\\x\"") == "f: byte 0: a string has an unknown escape");
    CHECK(refused("\"\\u12g4\"") == "f: byte 0: a string has \\u without four hexadecimal digits");
    CHECK(refused("\"\\ud800\"") == "f: byte 0: a string has half of a surrogate pair");
    CHECK(refused("\"\\ud800\\u0041\"") == "f: byte 0: a string has half of a surrogate pair");
    CHECK(refused("\"\\udc00\"") == "f: byte 0: a string has half of a surrogate pair");
    CHECK(refused("\"\n\"") == "f: byte 0: a string has a control character");
    CHECK(refused("\"\xff\"") == "f: byte 0: a string is not UTF-8");
    CHECK(refused("\"\xed\xa0\x80\"") == "f: byte 0: a string is not UTF-8");
    CHECK(refused(std::string(65, '[') + std::string(65, ']'))
          == "f: byte 64: values nest more than 64 deep");
    CHECK(read(std::string(64, '[') + std::string(64, ']')).size() == 128);
    json_reader large("1e999", "f");
    CHECK_THROWS_WITH(large.number(), "f: byte 0: a number is too large");
    json_reader natural("[7, 8, 1.5, -1]", "f");
    natural.enter_array();
    CHECK(natural.next_item());
    CHECK(natural.natural(7) == 7);
    CHECK(natural.next_item());
    CHECK_THROWS_WITH(natural.natural(7), "f: byte 4: is 8, must be a whole number from 0 to 7");
    CHECK_THROWS_AS(json_reader("1.5", "f").natural(7), trawl::error);
    CHECK_THROWS_AS(json_reader("-1", "f").natural(7), trawl::error);
    CHECK_THROWS_AS(json_reader("\"1\"", "f").natural(7), trawl::error);
    CHECK_THROWS_AS(json_reader("1", "f").boolean(), trawl::error);
    CHECK_THROWS_AS(json_reader("1", "f").string(), trawl::error);
}

TEST_CASE("random texts are read and refused as by nlohmann's parser", "[models][json]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    std::string_view const parts[] = {"{", "}", "[", "]", ",", ":", "\"a\"", "\"b\\n\"", "1",
        "-2.5", "0", "true", "null", " ", "\n", "\"", "\\", "\"\\u00e9\"", "1.", "\xc3\xa9",
        "\"\xc3\"", "e-"};
    std::size_t good = 0;
    for (int i = 0; i < 20000; ++i) {
        // From a valid text, some part changed; or parts at random.
        std::string text = R"({"a":[1,{"b":[]},"x\ty",true],"c":{"d":null,"e":-1.5e-3}})";
        if (i % 2 == 0) {
            text.replace(
                random.below(text.size()), random.below(4), parts[random.below(std::size(parts))]);
        } else {
            text.clear();
            for (auto n = 1 + random.below(6); n > 0; --n)
                text += parts[random.below(std::size(parts))];
        }
        CAPTURE(text);
        auto const theirs = nlohmann::json::parse(text, nullptr, false);
        if (theirs.is_discarded()) {
            refused(text);
        } else {
            ++good;
            auto const ours = nlohmann::json::parse(read(text));
            CHECK(ours == theirs); // 1 == 1.0
        }
    }
    CHECK(good > 1000);
}
