// SPDX-License-Identifier: MIT
#include "support/assert.hpp"

#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

#include <cstdio>
#include <cstdlib>

void trawl_assertion_failed(char const* condition, char const* file, int line) {
    std::fprintf(stderr, "%s:%d: TRAWL_ASSERT(%s) does not hold\n", file, line, condition);
    std::abort();
}

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
