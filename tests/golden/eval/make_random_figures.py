#!/usr/bin/env python3
"""Figures of other tools on a small random run: ties, gaps, graded, negative and missing judgements.

Needs pytrec_eval-terrier and ir-measures from PyPI. Writes random.run, random.qrels and random.tsv
(measure, query, value) beside itself.
"""
import pathlib
import random

import ir_measures
import pytrec_eval

folder = pathlib.Path(__file__).parent
random.seed(8)

run, qrels = {}, {}
for q in range(12):
    query = str(q + 1)
    pool = [f"d{i}" for i in range(60)]
    found = random.sample(pool, random.choice([1, 7, 20, 40]))
    run[query] = {d: random.randrange(1, 13) / 4 for d in found}  # many ties
    judged = random.sample(pool, random.choice([1, 5, 25]))
    grades = [0, 1, 2, 3] if q % 2 else [-1, 0, 0, 1]
    qrels[query] = {d: random.choice(grades) for d in judged}
qrels["4"] = {d: 0 for d in qrels["4"]}  # nothing relevant

(folder / "random.run").write_text(
    "".join(f"{q} Q0 {d} 0 {s} random\n" for q, docs in run.items() for d, s in docs.items()))
(folder / "random.qrels").write_text(
    "".join(f"{q} 0 {d} {g}\n" for q, docs in qrels.items() for d, g in docs.items()))

measures = {"map", "recip_rank", "bpref", "infAP", "Rprec", "ndcg", "set_P", "set_recall", "set_F", "set_map",
            "num_ret", "num_rel", "num_rel_ret", "binG", "G", "Rndcg", "ndcg_rel",
            "P.5,10", "recall.5,10", "ndcg_cut.5,10", "map_cut.5,10", "success.1,5", "relative_P.5,10"}
lines = []
for query, values in sorted(pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run).items()):
    for name, value in sorted(values.items()):
        lines.append(f"{name}\t{query}\t{value!r}\n")

# The providers that ir-measures brings for what trec_eval lacks.
extra = {"err_20": ir_measures.parse_measure("ERR@20")}
for name, measure in extra.items():
    for value in ir_measures.iter_calc([measure], qrels, run):
        lines.append(f"{name}\t{value.query_id}\t{value.value!r}\n")
(folder / "random.tsv").write_text("".join(lines))
