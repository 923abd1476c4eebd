// SPDX-License-Identifier: MIT
// Instantiates every public template and calls every public function once, as a consumer would: the strict
// warnings, -fno-exceptions, -fno-rtti and libc++ see all of the library's code.
#include <trawl/fwd.hpp>

#include <trawl/core/thread_executor.hpp>
#include <trawl/trawl.hpp>

#include <cstdio>

namespace {

int failures = 0;

void expect(bool holds, char const* what) {
    if (holds) return;
    std::printf("does not hold: %s\n", what);
    ++failures;
}

void use_core() {
    auto odd = trawl::doc_set(10, {1, 3, 5, 7, 9});
    auto const all = trawl::doc_set::all(10);
    expect((all - odd).count() == 5 && (odd | ~odd) == all && (odd & ~odd).empty(), "set algebra");
    expect(!trawl::filter(odd).admits(2), "a filter admits members only");

    trawl::thread_executor const threads(2);
    std::vector<std::size_t> squares(5);
    trawl::run_tasks(&threads, squares.size(), [&](std::size_t i) { squares[i] = i * i; });
    expect(squares.back() == 16, "every task runs");

    trawl::explanation const tree{
        .op = trawl::operation::sum, .value = 3, .parts = {{.value = 1}, {.value = 2}}};
    expect(trawl::adds_up(tree) && !trawl::to_text(tree).empty(), "an explanation adds up");
}

} // namespace

int main() {
    use_core();
    return failures == 0 ? 0 : 1;
}
