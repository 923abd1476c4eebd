// SPDX-License-Identifier: MIT
#include <trawl/dense/eigen.hpp>

#include <trawl/dense/flat_index.hpp>

#include "support/catch.hpp"

TEST_CASE("an index reads Eigen's rows where they lie", "[dense][eigen]") {
    trawl::row_major_matrix<float> m(3, 2);
    m << 1, 0, 0, 1, 3, 4;
    auto const view = trawl::view_of(m);
    CHECK((view.data == m.data() && view.rows == 3 && view.cols == 2));
    auto const index = trawl::flat_index::over(view);
    CHECK(index.search(std::vector<float>{0, 2}, 2) == trawl::ranking{{1, 1}, {2, 0.8f}});
    CHECK((trawl::as_eigen(view) == m));
}
