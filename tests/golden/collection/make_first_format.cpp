// SPDX-License-Identifier: MIT
// Wrote first_format/ and first_format.txt, by the library as it was when the format was the first:
//     cd tests/golden/collection && g++ -std=c++20 -I ../../../include make_first_format.cpp -o make && ./make
// Never run it again: the files show that collections which exist stay readable.
#include <cstdio>
#include <filesystem>

#include "first_format.hpp"

int main() {
    std::filesystem::remove_all("first_format");
    auto made = trawl::collection::open("first_format", first_format::options());
    first_format::fill(made);
    made.verify();
    std::filesystem::remove("first_format/lock");
    auto* const out = std::fopen("first_format.txt", "w");
    if (out == nullptr) return 1;
    std::fputs(first_format::answers(made.all()).c_str(), out);
    return std::fclose(out);
}
