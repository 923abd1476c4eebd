#!/usr/bin/env python3
"""Runs the comparison with other tools again, on new random runs: compare.py TRAWL [FIRST_SEED [COUNT]]

Each seed makes two runs and judgements with ties, gaps (questions and documents that one of the two lacks), graded
and negative judgements. `trawl eval` must give the values of pytrec_eval (every measure that it has), ir-measures
(ERR, RBP, judged) and ranx (runs without ties, whose order ranx leaves to an unstable sort); `trawl compare` the p values
of scipy. A document twice is an error here and there. Needs pytrec_eval-terrier, ir-measures, cwl-eval (for its
RBP), ranx and scipy from PyPI.
"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import ir_measures
import pytrec_eval
import ranx
import scipy.stats

trawl, first, count = sys.argv[1], int((sys.argv + ["1"])[2]), int((sys.argv + ["1", "20"])[3])
work = pathlib.Path(tempfile.mkdtemp())
compared, different = 0, []
# trec_eval 9, which pytrec_eval has inside, rounds levels of recall up (+ .9); trec_eval 10, and so we, to the nearest.
# Ours of these are compared with trec_eval 10's own output in tests/eval/trec_eval_test.cpp.
changed = ("iprec_at_recall", "11pt_avg")


def write(name, lines):
    (work / name).write_text("".join(lines))
    return str(work / name)


def make(seed, ties):
    rng = random.Random(seed)
    runs, qrels = [{}, {}], {}
    for q in range(30):
        query, pool = str(q + 1), [f"d{i}" for i in range(80)]
        for run in runs:
            if q and rng.random() < .1:
                continue  # a question that the run lacks
            found = rng.sample(pool, rng.choice([1, 5, 20, 60]))
            run[query] = {d: rng.randrange(1, 13) / 4 if ties else rng.random() for d in found}
        if q and rng.random() < .1:
            continue  # one that nobody judged
        grades = rng.choice([[0, 1], [0, 1, 2, 3], [-1, 0, 0, 1]] if ties else [[0, 1], [0, 1, 2, 3]])
        qrels[query] = {d: rng.choice(grades) for d in rng.sample(pool, rng.choice([1, 5, 25]))}
    if not ties:  # ranx compares the questions that all have, and has NaN where none is relevant
        for query in list(qrels):
            if any(query not in run for run in runs) or max(qrels[query].values()) < 1:
                del qrels[query]
        runs = [{q: run[q] for q in qrels} for run in runs]
    return runs, qrels


def save(seed, runs, qrels):
    paths = [write(f"run{i}", [f"{q} Q0 {d} 0 {s!r} r\n" for q, docs in run.items() for d, s in docs.items()])
             for i, run in enumerate(runs)]
    return paths, write("qrels", [f"{q} 0 {d} {g}\n" for q, docs in qrels.items() for d, g in docs.items()])


def evaluated(qrels, run, metrics, convention="trec_eval"):
    out = subprocess.run([trawl, "eval", "--qrels", qrels, "--run", run, "--metrics", metrics, "--convention",
                          convention, "--per-query", "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def same(what, ours, theirs, tolerance=0):
    global compared
    compared += 1
    if not math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=max(tolerance, 1e-12)):
        different.append(f"{what}: {ours!r} here, {theirs!r} there")


for seed in range(first, first + count):
    runs, qrels = make(seed, ties=True)
    paths, judged = save(seed, runs, qrels)
    for run, path in zip(runs, paths):
        ours = evaluated(judged, path, "all")["queries"]
        theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
        for query, values in theirs.items():
            for name, value in values.items():
                if name in ours[query] and not name.startswith(("gm_", "runid", "num_q") + changed):
                    same(f"seed {seed}, pytrec_eval's {name} of {query}", ours[query][name], value)

    runs, qrels = make(seed, ties=False)
    paths, judged = save(seed, runs, qrels)
    names = {"map": "map", "mrr": "recip_rank", "ndcg": "ndcg", "ndcg@10": "ndcg_cut_10", "precision@5": "P_5",
             "recall@10": "recall_10", "r-precision": "Rprec", "hit_rate@5": "success_5"}
    for run, path in zip(runs, paths):
        ours = evaluated(judged, path, "map,mrr,ndcg,ndcg@10,P.5,recall.10,Rprec,hit.5", "ranx")["queries"]
        scored = ranx.Run(run)
        ranx.evaluate(ranx.Qrels(qrels), scored, list(names), return_mean=False)
        for name, values in scored.scores.items():
            for query, value in values.items():
                same(f"seed {seed}, ranx's {name} of {query}", ours[query][names[name]], value)
    for measure, name in (("ERR@20", "err_20"), ("Judged@10", "judged_10"), ("RBP(p=0.9,rel=1)", "rbp_p=.9")):
        ours = evaluated(judged, paths[0], name.replace("_2", ".2").replace("_1", ".1"))["queries"]
        for value in ir_measures.iter_calc([ir_measures.parse_measure(measure)], qrels, runs[0]):
            if measure.startswith("Judged") and len(runs[0][value.query_id]) < 10:
                continue  # divided by the hits that there are
            if measure.startswith("RBP") and max(qrels[value.query_id].values()) > 1:
                continue  # binary there; trec_eval's, and so ours, is graded
            here = ours[value.query_id][name]
            if measure.startswith("ERR"):
                here = round(here, 5)  # gdeval prints so many digits
            same(f"seed {seed}, ir-measures' {measure} of {value.query_id}", here, value.value,
                 1.01e-5 if measure.startswith("ERR") else 0)

    rows = json.loads(subprocess.run([trawl, "compare", "--qrels", judged, "--runs", *paths, "--metrics", "map",
                                      "--format", "json"], check=True, capture_output=True, text=True).stdout)["rows"]
    a, b = ([evaluated(judged, p, "map")["queries"][q]["map"] for q in qrels] for p in paths)
    same(f"seed {seed}, scipy's t test", rows[0]["p t"], scipy.stats.ttest_rel(b, a).pvalue)
    changes = [y - x for x, y in zip(a, b) if x != y]
    if len(set(map(abs, changes))) == len(changes):  # ours is exact with ties too, scipy's is not
        same(f"seed {seed}, scipy's wilcoxon", rows[0]["p Wilcoxon"], scipy.stats.wilcoxon(changes, method="exact").pvalue)

twice = write("twice", ["q1 Q0 d1 1 2 r\n", "q1 Q0 d1 2 1 r\n"])
refused = subprocess.run([trawl, "eval", "--qrels", judged, "--run", twice], capture_output=True, text=True)
assert refused.returncode == 1 and refused.stderr.startswith(f"{twice}:2: document 'd1' is there twice"), refused
if different:
    sys.exit("\n".join(different[:40]) + f"\n{len(different)} of {compared} values differ")
print(f"{compared} values of {count} seeds are the same")
