# SPDX-License-Identifier: MIT
"""Scores of BM25 by other engines on a small corpus, as a C++ header: python scores.py > scores.hpp

Needs bm25s, rank_bm25, tantivy (0.3.16, 0.2.2 and 0.27.0 when the header was made), numpy and a sqlite3 with FTS5.
All are given the same terms: what stands between blanks. bm25s and rank_bm25 add the shift of BM25L and BM25+ to
documents without the term, too: here only those with it count, as in the papers."""

import random
import sqlite3
from importlib.metadata import version

import bm25s
import numpy
import tantivy
from rank_bm25 import BM25Okapi, BM25Plus

VOCABULARY = [f"t{i}" for i in range(30)]
LONG = [41, 75, 130]  # lengths that a byte rounds


def corpus(seed=4817, documents=40):
    generator = random.Random(seed)
    texts = []
    for _ in range(documents):
        length = generator.randint(1, 24)
        # The rank's inverse as weight: t0 is in most documents, so that okapi's floor and robertson's apply.
        texts.append(" ".join(generator.choices(VOCABULARY, [1 / (i + 1) for i in range(30)], k=length)))
    for length in LONG:
        texts.append(" ".join(generator.choices(VOCABULARY, [1 / (i + 1) for i in range(30)], k=length)))
    return texts


QUERIES = ["t0", "t1 t2", "t7", "t12 t5 t0", "t29 t3", "t3 t3 t9", "t4 t8 t15 t16 t23 t28", "unknown t6"]
PARAMETERS = [(1.5, 0.75), (0.9, 0.4), (1.2, 0.0), (2.0, 1.0)]


def by_bm25s(texts, query, method, k1, b):
    model = bm25s.BM25(method=method, k1=k1, b=b, dtype="float64")
    model.index([text.split() for text in texts], show_progress=False)
    known = [term for term in query.split() if any(term in text.split() for text in texts)]
    return model.get_scores(known)


def by_rank_bm25(texts, query, k1, b):
    return BM25Okapi([text.split() for text in texts], k1=k1, b=b, epsilon=0.25).get_scores(query.split())


def of_matches(texts, query, scores_of_term):
    """Sums the scores of one term at a time over the documents that hold it: Tantivy drops a repeated one."""
    total = numpy.zeros(len(texts))
    for term in query.split():
        holds = numpy.array([term in text.split() for text in texts])
        if holds.any():
            total += numpy.where(holds, scores_of_term(term), 0)
    return total


def shifted_bm25s(texts, query, method, k1, b, delta):
    model = bm25s.BM25(method=method, k1=k1, b=b, delta=delta, dtype="float64")
    model.index([text.split() for text in texts], show_progress=False)
    return of_matches(texts, query, lambda term: model.get_scores([term]))


def shifted_rank_bm25(texts, query, k1, b, delta):
    model = BM25Plus([text.split() for text in texts], k1=k1, b=b, delta=delta)
    return of_matches(texts, query, lambda term: model.get_scores([term]))


def by_fts5(texts, query):
    connection = sqlite3.connect(":memory:")
    connection.execute("create virtual table t using fts5(x)")
    connection.executemany("insert into t(rowid, x) values (?, ?)", enumerate(texts))
    found = connection.execute("select rowid, bm25(t) from t where t match ?", (" OR ".join(query.split()),))
    values = numpy.zeros(len(texts))
    for row, score in found:
        values[row] = -score
    return values


def by_tantivy(texts, query):
    schema = tantivy.SchemaBuilder().add_text_field("x", tokenizer_name="whitespace").add_unsigned_field(
        "id", stored=True).build()
    index = tantivy.Index(schema)
    writer = index.writer(num_threads=1)
    for i, text in enumerate(texts):
        writer.add_document(tantivy.Document(x=text, id=i))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    values = numpy.zeros(len(texts))
    for score, at in searcher.search(index.parse_query(query, ["x"]), len(texts)).hits:
        values[searcher.doc(at)["id"][0]] = score
    return values


def print_row(parameters, query, values):
    listed = ", ".join(numpy.format_float_positional(v, precision=9, trim="-") for v in values)
    print(f'    {{{{{parameters}}}, "{query}",')
    print(f"        {{{listed}}}}},")


def main():
    texts = corpus()
    print("// SPDX-License-Identifier: MIT")
    print("#pragma once")
    print()
    print(f"// Made by scores.py with bm25s {version('bm25s')}, rank_bm25 {version('rank_bm25')}, "
          f"tantivy {version('tantivy')} and SQLite {sqlite3.sqlite_version}.")
    print()
    print("#include <trawl/lexical/bm25.hpp>")
    print()
    print("#include <string_view>")
    print()
    print("namespace golden {")
    print()
    print("inline constexpr std::string_view documents[] = {")
    for text in texts:
        print(f'    "{text}",')
    print("};")
    print()
    print("struct scores {")
    print("    trawl::bm25 parameters;")
    print("    std::string_view query;")
    print(f"    double of_documents[{len(texts)}];")
    print("};")
    print()
    print("inline constexpr scores expected[] = {")
    for variant in ["lucene", "okapi", "robertson", "atire"]:
        for k1, b in PARAMETERS:
            for query in QUERIES:
                if variant == "okapi":
                    values = by_rank_bm25(texts, query, k1, b)
                else:
                    values = by_bm25s(texts, query, variant, k1, b)
                parameters = f".variant = trawl::bm25_variant::{variant}, .k1 = {k1}, .b = {b}"
                print_row(parameters, query, values)
    for query in QUERIES:
        # Not rank_bm25's BM25L, which multiplies by tf once more.
        for variant in ["l", "plus"]:
            for k1, b, delta in [(1.5, 0.75, 0.5), (0.9, 0.4, 0.25), (1.2, 1.0, 1)]:
                if variant == "l":
                    values = shifted_bm25s(texts, query, "bm25l", k1, b, delta)
                elif delta == 0.5:
                    values = shifted_bm25s(texts, query, "bm25+", k1, b, delta)
                else:
                    values = shifted_rank_bm25(texts, query, k1, b, delta)
                name = f".variant = trawl::bm25_variant::bm25{variant}"
                print_row(f"{name}, .k1 = {k1}, .b = {b}, .delta = {delta}", query, values)
        print_row(".variant = trawl::bm25_variant::fts5", query, by_fts5(texts, query))
        print_row(
            ".variant = trawl::bm25_variant::tantivy, .lengths = trawl::length_code::lucene_byte",
            query, of_matches(texts, query, lambda term: by_tantivy(texts, term)))
    print("};")
    print()
    print("} // namespace golden")


main()
