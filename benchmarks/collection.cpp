// SPDX-License-Identifier: MIT
// The collection: conditions on metadata; storing and searching.

#include "collection_filters.hpp"
#include "collection_store.hpp"

int main(int argc, char** argv) {
    bench::report report("collection", bench::parse(argc, argv));
    bench::filters(report);
    bench::store(report);
    return report.finish();
}
