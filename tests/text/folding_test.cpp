// SPDX-License-Identifier: MIT
#include <trawl/text/folding.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>

#include <trawl/text/utf8.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

using trawl::folded;

namespace {

std::string utf8(unsigned long code) {
    std::array<char, 4> bytes{};
    auto const* const end = trawl::encode_utf8(static_cast<char32_t>(code), bytes.data());
    return {static_cast<char const*>(bytes.data()), end};
}

} // namespace

TEST_CASE("folding takes case and accents and writes ligatures out", "[text][folding]") {
    CHECK(folded("Signé RÉFÉRENCE Gültigkeit") == "signe reference gultigkeit");
    CHECK(folded("Straße STRAẞE cœur Œuvre") == "strasse strasse coeur oeuvre");
    CHECK(folded("Ærø Łódź Đà ĐURO Þór eiður") == "aero lodz da duro thor eidur");
    CHECK(folded("İSTANBUL ısı ħobża ŧ ŋ ſ") == "istanbul isi hobza t n s");
    CHECK(folded("ﬁne ﬂow ŉ ĳ coŀlegi") == "fine flow 'n ij col·legi");
    CHECK(folded("ＦＵＬＬ　ｗ１２ m² xⅧ") == "full w12 m2 xviii");
}

TEST_CASE("folding keeps other scripts and takes their case", "[text][folding]") {
    CHECK(folded("ΆΓΓΕΛΟΣ Άγγελος") == "αγγελοσ αγγελοσ");
    CHECK(folded("МОСКВА Москва") == "москва москва");
    CHECK(folded("漢字 हिन्दी עברית") == "漢字 हिन्दी עברית");
    CHECK(folded("ﬃ ﻢ ｶﾞ 한 ① ㎏") == "ffi م ガ 한  1   kg ");
}

TEST_CASE("a mark that makes a letter stays with it, an accent goes", "[text][folding]") {
    CHECK(folded("ЙОД и\u0306од") == "йод йод");
    CHECK(folded("Їжак ѓон Росси\u0301я") == "їжак ѓон россия");
    CHECK(folded("ёлка Е\u0308лка") == "елка елка"); // written both ways in Russian
    CHECK(folded("がカ\u3099 क\u093Cि আ\u09BE") == "がガ क\u093Cि আ\u09BE");
    CHECK(folded("ؤ و\u0654 ئ ي\u0654") == "ؤ ؤ ئ ئ"); // a hamza that makes a letter
    CHECK(folded("e\u0301\u0327\u20DD \u0301x") == "e x");
}

// What ArabicNormalizer and PersianNormalizer of Lucene do, and the variants of alef besides.
TEST_CASE("Arabic: harakat, tatweel and variants of letters fold", "[text][folding]") {
    CHECK(folded("كِتَابٌ") == "كتاب");
    CHECK(folded("مـــكتب") == "مكتب");
    CHECK(folded("أحمد إحمد آحمد ٱحمد ا\u0654حمد") == "احمد احمد احمد احمد احمد");
    CHECK(folded("کتاب ڪتاب") == "كتاب كتاب");
    CHECK(folded("على علی مدرسة") == "علي علي مدرسه");
    CHECK(folded("ﻛﺘﺎﺏ ﺃ") == "كتاب ا"); // presentation forms
}

TEST_CASE("Hebrew: points go, geresh and gershayim are ' and \"", "[text][folding]") {
    CHECK(folded("שָׁלוֹם שׁ \uFB2A") == "שלום ש ש");
    CHECK(folded("צה״ל ג׳ירפה") == "צה\"ל ג'ירפה");
}

TEST_CASE("digits of every script are ASCII digits", "[text][folding]") {
    CHECK(folded("٠١٢٣٤٥٦٧٨٩ ۴۵ १२ ๓ ৭ ߉ 𞥐 ３") == "0123456789 45 12 3 7 9 0 3");
    CHECK(folded("٣٫١٤ ١٬٠٠٠") == "3.14 1,000");
}

TEST_CASE("a symbol that stands for letters or digits keeps apart from its neighbours",
    "[text][folding]") {
    CHECK(folded("Java™ 2½ 20℃ №5") == "java tm  2 1/2  20 °c   no 5");
    CHECK(folded("CO₂ x²") == "co2 x2");
}

TEST_CASE("foldings are those of Python's own tables", "[text][folding]") {
    auto const rows = golden("foldings.tsv");
    REQUIRE(rows.size() == 1196);
    for (auto const& row : rows) {
        CAPTURE(row[0]);
        CHECK(folded(row[0]) == row[1]);
    }
}

// The five columns of a row are one text in its normal forms; each must fold to the same.
TEST_CASE("all normal forms of a text fold alike: Unicode's whole test file", "[text][folding]") {
    auto const path = std::string("/usr/share/unicode/NormalizationTest.txt.bz2");
    if (!std::ifstream(path)) {
        WARN("skipped: Debian's package unicode-data is not there");
        return;
    }
    auto const closed = [](std::FILE* f) { pclose(f); };
    std::unique_ptr<std::FILE, decltype(closed)> const file(
        popen(("bzip2 -dc " + path).c_str(), "r"), closed);
    REQUIRE(file);
    std::size_t rows = 0;
    std::size_t unlike = 0;
    std::array<char, 4096> line{};
    while (std::fgets(line.data(), static_cast<int>(line.size()), file.get()) != nullptr) {
        auto const fields = split_at(line.data(), ';');
        if (fields.size() < 5 || line[0] == '#' || line[0] == '@') continue;
        ++rows;
        std::string first;
        // An acute accent alone stands for an apostrophe, not for a blank with an accent.
        auto const acute = fields[0] == "00B4" || fields[0] == "1FFD";
        for (std::size_t i = 0; i < (acute ? 3u : 5u); ++i) {
            std::string text;
            for (auto const& code : split_at(fields[i], ' '))
                text += utf8(std::stoul(code, nullptr, 16));
            auto form = folded(text);
            if (folded(form) != form) ++unlike;
            std::erase(form, ' '); // what keeps symbols apart is not in every form
            if (i == 0) first = form;
            if (form != first) {
                CAPTURE(line.data(), i, form, first);
                CHECK(++unlike == 0);
            }
        }
    }
    if (rows == 0) WARN("skipped: bzip2 is not there");
    CHECK((rows == 0 || rows > 19000));
    CHECK(unlike == 0);
}

TEST_CASE("typographic apostrophes and hyphens fold to ASCII, soft hyphens and joiners vanish",
    "[text][folding]") {
    CHECK(folded("Hawai\u02BBi \u02BFAli Qur\u02BEan don\u201Bt") == "hawai'i 'ali qur'an don't");
    CHECK(folded("don\u2019t don\u02BCt e\u2010mail e\u2011mail") == "don't don't e-mail e-mail");
    // UTS #39 lists the acute accent as confusable with the apostrophe; the grave accent quotes code.
    CHECK(folded("don\u00B4t geht\u1FFDs sql`select`") == "don't geht's sql`select`");
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
    // must not meet to one character
    CHECK(folded("\xC2\u00AD\x81") == "\uFFFD\uFFFD");
    CHECK(folded(std::string_view("A\0B", 3)) == std::string_view("a\0b", 3));
    CHECK(folded("").empty());
}

TEST_CASE("decoding agrees with encoding for every code point", "[text][folding]") {
    for (char32_t code = 0; code < 0x110000; ++code) {
        auto const bytes = utf8(code);
        auto const decoded = trawl::decode_utf8(bytes, 0);
        auto const surrogate = code >= 0xD800 && code < 0xE000;
        if (surrogate ? decoded.bytes != 0
                      : decoded.code != code || decoded.bytes != bytes.size()) {
            FAIL("U+" << static_cast<std::uint32_t>(code) << " decodes to "
                      << static_cast<std::uint32_t>(decoded.code) << " in " << decoded.bytes
                      << " bytes");
        }
    }
}
