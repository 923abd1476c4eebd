# SPDX-License-Identifier: MIT
"""Scores of Xapian's BM25Weight on the corpus of scores.py, as a C++ header: python xapian.py > xapian.hpp

Needs Xapian's Python bindings (1.4.22 when the header was made); run from this folder's parent so that they are found."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
import xapian  # noqa: E402, not this file

QUERIES = ["t0", "t1 t2", "t7", "t12 t5 t0", "t29 t3", "t3 t3 t9", "t4 t8 t15 t16 t23 t28", "unknown t6"]
PARAMETERS = [(1, 1, 0.5, 0.5), (2, 0, 0.75, 0), (1.2, 7, 1, 1)]  # k1, k3, b, min_normlen


def main():
    header = (HERE / "scores.hpp").read_text()
    texts = re.findall(r'^    "([^"]*)",$', header, re.M)
    database = xapian.WritableDatabase("", xapian.DB_BACKEND_INMEMORY)
    for text in texts:
        document = xapian.Document()
        for term in text.split():
            document.add_term(term)
        database.add_document(document)
    print("// SPDX-License-Identifier: MIT")
    print("#pragma once")
    print()
    print(f"// Made by xapian.py with Xapian {xapian.version_string()}, for the documents of scores.hpp.")
    print()
    print('#include "golden/lexical/scores.hpp"')
    print()
    print("namespace golden {")
    print()
    print("inline constexpr scores xapian[] = {")
    for k1, k3, b, least in PARAMETERS:
        for query in QUERIES:
            enquire = xapian.Enquire(database)
            enquire.set_weighting_scheme(xapian.BM25Weight(k1, 0, k3, b, least))
            counted = {term: query.split().count(term) for term in query.split()}
            enquire.set_query(xapian.Query(xapian.Query.OP_OR, [xapian.Query(t, n) for t, n in counted.items()]))
            values = [0.0] * len(texts)
            for match in enquire.get_mset(0, len(texts)):
                values[match.docid - 1] = match.weight
            listed = ", ".join(f"{value:.9g}" for value in values)
            print(f"    {{{{.variant = trawl::bm25_variant::xapian, .k1 = {k1}, .b = {b}, .k3 = {k3}, "
                  f'.least_length = {least}}}, "{query}",')
            print(f"        {{{listed}}}}},")
    print("};")
    print()
    print("} // namespace golden")


main()
