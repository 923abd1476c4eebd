// SPDX-License-Identifier: MIT
#include <trawl/text/analyzers/standard_analyzer.hpp>

#include <algorithm>
#include <set>

#include "support/catch.hpp"
#include "text/tokens.hpp"

namespace {

trawl::standard_analyzer const standard;

std::set<std::string> term_set(std::string_view text) {
    std::set<std::string> out;
    standard.analyze(text, [&](trawl::token const& t) { out.emplace(t.term); });
    return out;
}

std::size_t shared_terms(std::string_view a, std::string_view b) {
    auto const of_a = term_set(a);
    auto const of_b = term_set(b);
    return static_cast<std::size_t>(std::count_if(
        of_a.begin(), of_a.end(), [&](std::string const& t) { return of_b.contains(t); }));
}

} // namespace

TEST_CASE("standard yields the worked tokens: wholes and parts", "[text][standard]") {
    auto const rows = golden("worked_tokens.tsv");
    REQUIRE(rows.size() == 20);
    for (auto const& row : rows) {
        CAPTURE(row[0]);
        auto const found = term_set(row[0]);
        for (auto const& whole : split_at(row[1], ' ')) CHECK(found.contains(whole));
        if (row[2].empty()) continue; // this one gives the wholes only
        std::string parts;
        standard.analyze(row[0], [&](trawl::token const& t) {
            if (t.term.find_first_of("._/-:#") == std::string_view::npos) {
                parts += (parts.empty() ? "" : " ") + std::string(t.term);
            }
        });
        CHECK(parts == row[2]);
    }
}

TEST_CASE("an identifier stands at one position: itself, its path, its runs", "[text][standard]") {
    CHECK(terms(standard, "GET /api/v3/cursors") == "get | api/v3/cursors api/v3 api v3 cursors");
    CHECK(terms(standard, "op-guide/v3.5/x.md")
          == "op-guide/v3.5/x.md op-guide v3.5 op-guide/v3.5 x.md op guide v3 5 x md");
    CHECK(terms(standard, "https://x.io/api/v3?limit=10")
          == "https | x.io/api/v3 x.io x.io/api x io api v3 | limit | 10");
    CHECK(terms(standard, "max_retry_count 10:30 page#top")
          == "max_retry_count max retry count | 10:30 10 30 | page#top page top");
    CHECK(terms(standard, "john.doe@example.com") == "john.doe john doe | example.com example com");
    CHECK(terms(standard, "well-known and/or") == "well-known well known | and/or and or");
}

TEST_CASE("joiners at the edges and in pairs join nothing", "[text][standard]") {
    CHECK(
        terms(standard, "#8821, v3.0. .NET C# C++ -x-") == "8821 | v3.0 v3 0 | net | c# | c++ | x");
    CHECK(terms(standard, "std::vector a.-b wait...what __init__")
          == "std | vector | a | b | wait | what | init");
    CHECK(terms(standard, "a. b -c d/ /e") == "a | b | c | d | e");
    CHECK(terms(standard, "a/b/") == "a/b a b");
}

TEST_CASE("a question for a part finds the whole, and exact names share most", "[text][standard]") {
    CHECK(term_set("/api/v3/cursors").contains("api/v3"));
    CHECK(term_set("OAuth-Token").contains("oauth"));
    CHECK(shared_terms("PROD-4817", "PROD-4817") == 3);
    CHECK(shared_terms("PROD-4817", "PROD-4871") == 1);
    CHECK(shared_terms("GPT-4o", "GPT-4") == 1);
    CHECK(shared_terms("api/v3", "api/v2") == 1);
    CHECK(shared_terms("signé", "signature") == 0);
}

TEST_CASE("words end where Unicode ends them", "[text][standard]") {
    CHECK(terms(standard, "geht\u00B4s dogs\u00B4 sql`select`") == "geht's | dogs | sql | select");
    CHECK(terms(standard, "don't don\u2019t 'quoted' dogs'") == "don't | don't | quoted | dogs");
    CHECK(terms(standard, "1,000 3.14 1, 2 7'000 1,a a,b a'1")
          == "1,000 | 3.14 3 14 | 1 | 2 | 7'000 | 1 | a | a | b | a | 1");
    CHECK(terms(standard, "U.S.A.") == "u.s.a u s a");
    CHECK(terms(standard, "O'Reilly-Media") == "o'reilly-media o'reilly media");
    CHECK(terms(standard, "col·lega a\u2014b x\u200By") == "col·lega | a | b | x | y");
    CHECK(terms(standard, "AT&T a+b (c) [d] {e} \"f\" g=h")
          == "at | t | a | b | c | d | e | f | g | h");
}

TEST_CASE("German and French words stay whole", "[text][standard]") {
    CHECK(terms(standard, "Über die Gültigkeit der Größenangabe")
          == "uber | die | gultigkeit | der | grossenangabe");
    CHECK(terms(standard, "Où l\u2019été s\u2019achève, signé: François")
          == "ou | l'ete | s'acheve | signe | francois");
    CHECK(terms(standard, "Mu\u0308nchen") == "munchen");
}

TEST_CASE("other scripts pass sensibly", "[text][standard]") {
    CHECK(terms(standard, "हिन्दी Москва ΑΘΗΝΑ 한국어 カタカナ ｶﾀｶﾅ")
          == "हिन्दी | москва | αθηνα | 한국어 | カタカナ | カタカナ");
    CHECK(terms(standard, "йод Росси\u0301я ёж") == "йод | россия | еж");
    CHECK(terms(standard, "צה\"ל \"שלום\" ג\u05F3") == "צה\"ל | שלום | ג");
    CHECK(terms(standard, "ok 👍 fine™ 5㎏") == "ok | fine | tm | 5 | kg");
    CHECK(terms(standard, "１２３．４５ ½") == "123.45 123 45 | 1/2 1 2");
    CHECK(terms(standard, "ﷺ") == "صلي | الله | عليه | وسلم");
}

TEST_CASE("scripts without blanks come in pairs and single characters", "[text][standard]") {
    CHECK(terms(standard, "東京都") == "東京 東 | 京都 京 | 都");
    CHECK(terms(standard, "漢") == "漢");
    CHECK(terms(standard, "漢字かな、カメラ") == "漢字 漢 | 字か 字 | かな か | な | カメラ");
    CHECK(terms(standard, "C言語2版v3カ") == "c | 言語 言 | 語 | 2 | 版 | v3 | カ");
    CHECK(terms(standard, "漢-字_か.な") == "漢 | 字 | か | な");
    // a vowel above stays with its letter
    CHECK(terms(standard, "ลังเล") == "ลัง ลั | งเ ง | เล เ | ล");
    CHECK(covered(standard, "か\u3099漢x") == "か\u3099漢 か\u3099 | 漢 | x");
    CHECK(term_set("私は猫が好き").contains("猫"));
}

TEST_CASE("offsets cover the original bytes where folding changes lengths", "[text][standard]") {
    CHECK(covered(standard, "\uFEFFStraße, e\u0301te\u0301! (Œuvre/ﬁn)")
          == "Straße | e\u0301te\u0301 | Œuvre/ﬁn Œuvre ﬁn");
    CHECK(
        covered(standard, "GET /api/v3/cursors?") == "GET | api/v3/cursors api/v3 api v3 cursors");
}

TEST_CASE("a word of more than 255 bytes goes on as the next one", "[text][standard]") {
    std::string const letters(600, 'a');
    CHECK(terms(standard, letters)
          == std::string(255, 'a') + " | " + std::string(255, 'a') + " | " + std::string(90, 'a'));

    std::string const wide = std::string(254, 'a') + "жж"; // two bytes each: never cut inside one
    CHECK(terms(standard, wide) == std::string(254, 'a') + " | жж");

    std::string path = "a";
    for (int i = 0; i < 20000; ++i) path += "/a";
    std::size_t bytes = 0;
    standard.analyze(path, [&](trawl::token const& t) { bytes += t.term.size(); });
    CHECK(bytes < path.size() * 128); // not quadratic
}

TEST_CASE("capitals inside a name tell its words apart", "[text][standard]") {
    CHECK(terms(standard, "getUserName()") == "getusername get user name");
    CHECK(terms(standard, "HTTPServer parseJSON XMLHttpRequest HTML5Parser")
          == "httpserver http server | parsejson parse json | xmlhttprequest xml http request"
             " | html5parser html5 parser");
    CHECK(terms(standard, "max_retryCount") == "max_retrycount max retrycount retry count");
    CHECK(terms(standard, "getÄnderung größeAktuell ПолучитьИмя βTrCP")
          == "getanderung get anderung | grosseaktuell grosse aktuell | получитьимя получить имя"
             " | βtrcp βtr cp");
    CHECK(covered(standard, "(getÜberName)") == "getÜberName get Über Name");
    // no part begins after a single character, and these are one word
    CHECK(terms(standard, "iPhone OAuth mRNA eBay") == "iphone | oauth | mrna | ebay");
    CHECK(terms(standard, "IPv4 URLs DNA PROD4817A Word WORD")
          == "ipv4 | urls | dna | prod4817a | word | word");
    // longer than a machine word
    CHECK(terms(standard, "abcdefghIjklmnopQrstuvwx")
          == "abcdefghijklmnopqrstuvwx abcdefgh ijklmnop qrstuvwx");
}

TEST_CASE("C++ and C# are not C", "[text][standard]") {
    CHECK(terms(standard, "C C++ C# F#, c++/C# (g++) Notepad++ C++20")
          == "c | c++ | c# | f# | c++ | c# | g++ | notepad++ | c++ | 20");
    CHECK(terms(standard, "Ｃ＋＋ Ｃ＃") == "c++ | c#");
    CHECK(covered(standard, "use C++.") == "use | C++");
    CHECK(shared_terms("C++", "C") == 0);
    CHECK(shared_terms("C#", "C") == 0);
    CHECK(shared_terms("C++", "C#") == 0);
    // signs that belong to no name
    CHECK(terms(standard, "a+b a+ + ++ 1++ page# # ## a#b") == "a | b | a | 1 | page | a#b a b");
}

TEST_CASE("Japanese iteration marks and small ke stand among ideographs", "[text][standard]") {
    CHECK(terms(standard, "佐々木") == "佐々 佐 | 々木 々 | 木");
    CHECK(terms(standard, "関ヶ原 三ヵ月 3ヶ月")
          == "関ヶ 関 | ヶ原 ヶ | 原 | 三ヵ 三 | ヵ月 ヵ | 月 | 3 | ヶ月 ヶ | 月");
    CHECK(terms(standard, "らーめん ラーメン 〆切")
          == "らー ら | ーめ ー | めん め | ん | ラーメン | 〆切 〆 | 切");
}

TEST_CASE("nothing in, nothing out", "[text][standard]") {
    CHECK(terms(standard, "").empty());
    CHECK(terms(standard, " \n\t.,;:!?-_/#").empty());
    CHECK(terms(standard, "\xFF\xC3\u0301\u00AD").empty());
}
