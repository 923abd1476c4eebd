// SPDX-License-Identifier: MIT
#include <trawl/text/folding.hpp>

#include <cstdint>

#include "support/catch.hpp"
#include "text/tokens.hpp"

using trawl::folded;

TEST_CASE("folding takes case and accents and writes ligatures out", "[text][folding]") {
    CHECK(folded("Signé RÉFÉRENCE Gültigkeit") == "signe reference gultigkeit");
    CHECK(folded("Straße STRAẞE cœur Œuvre") == "strasse strasse coeur oeuvre");
    CHECK(folded("Ærø Łódź Đà ĐURO Þór eiður") == "aero lodz da duro thor eidur");
    CHECK(folded("İSTANBUL ısı ħobża ŧ ŋ ſ") == "istanbul isi hobza t n s");
    CHECK(folded("ﬁne ﬂow ŉ ĳ ŀ") == "fine flow n ij l");
    CHECK(
        folded("ＦＵＬＬ　ｗ１２ m² xⅧ") == "full　w12 m2 xviii"); // an ideographic space separates; it stays
}

TEST_CASE("folding keeps other scripts and takes their case", "[text][folding]") {
    CHECK(folded("ΆΓΓΕΛΟΣ Άγγελος") == "αγγελοσ αγγελοσ");
    CHECK(folded("МОСКВА Москва") == "москва москва");
    CHECK(folded("漢字 हिन्दी עברית") == "漢字 हिन्दी עברית");
}

TEST_CASE(
    "typographic apostrophes and hyphens fold to ASCII, soft hyphens and joiners vanish", "[text][folding]") {
    CHECK(folded("don\u2019t don\u02BCt e\u2010mail e\u2011mail") == "don't don't e-mail e-mail");
    CHECK(folded("Donau\u00ADdampf \uFEFFab a\u200Db") == "donaudampf ab ab");
    CHECK(folded("a\u2013b a\u2014b") == "a\u2013b a\u2014b");
}

TEST_CASE("composed and decomposed letters fold alike", "[text][folding]") {
    auto const rows = golden("decompositions.tsv");
    REQUIRE(rows.size() == 790);
    for (auto const& row : rows) {
        CAPTURE(row[0], row[1]);
        CHECK(folded(row[0]) == folded(row[1]));
    }
}

TEST_CASE("folding twice changes nothing more", "[text][folding]") {
    for (auto const& row : golden("decompositions.tsv")) {
        auto const once = folded(row[0]);
        CAPTURE(row[0], once);
        CHECK(folded(once) == once);
    }
}

TEST_CASE("each byte that is not UTF-8 becomes U+FFFD and swallows nothing", "[text][folding]") {
    CHECK(folded("A\xFFZ") == "a\uFFFDz");
    CHECK(folded("A\xC3") == "a\uFFFD");                               // cut short
    CHECK(folded("A\xE2\x82Z") == "a\uFFFD\uFFFDz");                   // cut short inside
    CHECK(folded("\xC1\x81Z") == "\uFFFD\uFFFDz");                     // overlong A
    CHECK(folded("\xE0\x81\x81Z") == "\uFFFD\uFFFD\uFFFDz");           // overlong A in three bytes
    CHECK(folded("\xED\xA0\x80Z") == "\uFFFD\uFFFD\uFFFDz");           // surrogate
    CHECK(folded("\xF4\x90\x80\x80Z") == "\uFFFD\uFFFD\uFFFD\uFFFDz"); // above U+10FFFF
    CHECK(folded("\xC2\u00AD\x81") == "\uFFFD\uFFFD");                 // must not meet to one character
    CHECK(folded(std::string_view("A\0B", 3)) == std::string_view("a\0b", 3));
    CHECK(folded("").empty());
}

TEST_CASE("decoding agrees with encoding for every code point", "[text][folding]") {
    for (char32_t code = 0; code < 0x110000; ++code) {
        std::string bytes;
        auto const put = [&](char32_t byte) { bytes += static_cast<char>(static_cast<unsigned char>(byte)); };
        if (code < 0x80) {
            put(code);
        } else if (code < 0x800) {
            put(0xC0 | code >> 6);
        } else if (code < 0x10000) {
            put(0xE0 | code >> 12);
        } else {
            put(0xF0 | code >> 18);
        }
        if (code >= 0x10000) put(0x80 | (code >> 12 & 0x3F));
        if (code >= 0x800) put(0x80 | (code >> 6 & 0x3F));
        if (code >= 0x80) put(0x80 | (code & 0x3F));

        auto const decoded = trawl::detail::decode_utf8(bytes, 0);
        auto const surrogate = code >= 0xD800 && code < 0xE000;
        if (surrogate ? decoded.bytes != 0 : decoded.code != code || decoded.bytes != bytes.size()) {
            FAIL("U+" << static_cast<std::uint32_t>(code) << " decodes to "
                      << static_cast<std::uint32_t>(decoded.code) << " in " << decoded.bytes << " bytes");
        }
    }
}
