// SPDX-License-Identifier: MIT
// The collection: conditions on metadata; storing and searching, as docs/scaling.md has it; peers.

#include "collection_filters.hpp"
#include "collection_others.hpp"
#include "collection_store.hpp"

int main(int argc, char** argv) {
    bench::report report("collection", bench::parse(argc, argv));
    bench::collection_data const data("../shared/data/scifact");
    report.note("vectors: " + data.made());
    if (!report.quick()) bench::store(report, data, 10'000, "10k");
    bench::store(report, data, 100'000, "100k");
    bench::others(report, data);
    bench::filters(report);
    if (!report.quick()) bench::store(report, data, 1'000'000, "1M");
    return report.finish();
}
