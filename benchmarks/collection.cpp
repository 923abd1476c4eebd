// SPDX-License-Identifier: MIT
// The collection: conditions on metadata.

#include "collection_filters.hpp"

int main(int argc, char** argv) {
    bench::report report("collection", bench::parse(argc, argv));
    bench::filters(report);
    return report.finish();
}
