#!/usr/bin/env python3
"""Figures of ranx, BEIR and sentence-transformers where conventions differ: ties, questions that the run lacks
or that have no answer, negative grades, a document whose key is the question's own.

Needs ranx, pytrec_eval-terrier, and the sources of beir and sentence-transformers (pip install --no-deps): their
evaluating functions are taken from there alone, for the packages themselves want a deep learning framework.
Writes convention.run, convention.qrels and convention.tsv (convention, measure, query or all, value).

usage: make_convention_figures.py [FOLDER OF beir AND sentence_transformers]
"""
import ast
import copy
import importlib.util
import logging
import math
import pathlib
import random
import sys
import types

import numpy as np
import pytrec_eval
import ranx

folder = pathlib.Path(__file__).parent
random.seed(17)


def package(name):
    if len(sys.argv) > 1:
        return pathlib.Path(sys.argv[1]) / name
    return pathlib.Path(importlib.util.find_spec(name).origin).parent


# Few hits: then numba's sort is stable, and ranx orders ties as the file, here by key.
run, qrels = {}, {}
for q in range(20):
    query = f"q{q:02}"
    pool = [f"d{i:02}" for i in range(20)] + [query]
    found = sorted(random.sample(pool, random.choice([1, 6, 14])))
    run[query] = {d: random.randrange(1, 7) / 2 for d in found}
    judged = sorted(random.sample(pool, random.choice([2, 5, 15])))
    qrels[query] = {d: random.choice([-1, 0, 0, 1, 2, 3]) for d in judged}
qrels["q03"] = {d: min(g, 0) for d, g in qrels["q03"].items()}  # nothing relevant
qrels["q03"]["d00"] = -1
del run["q05"], run["q11"]  # missing
run["x01"] = {"d01": 1.0}  # not judged

(folder / "convention.run").write_text(
    "".join(f"{q} Q0 {d} 0 {s} x\n" for q, docs in run.items() for d, s in docs.items()))
(folder / "convention.qrels").write_text(
    "".join(f"{q} 0 {d} {g}\n" for q, docs in qrels.items() for d, g in docs.items()))
lines = []


def add(convention, name, query, value):
    lines.append(f"{convention}\t{name}\t{query}\t{float(value)!r}\n")


# --- ranx. Ours by its name.
names = {"hits": "num_rel_ret", "hit_rate@3": "success_3", "precision@5": "P_5", "recall@5": "recall_5",
         "r-precision": "Rprec", "mrr": "recip_rank", "mrr@3": "recip_rank_cut_3", "map": "map", "map@5": "map_cut_5",
         "ndcg": "ndcg", "ndcg@5": "ndcg_cut_5", "ndcg_burges@5": "ndcg_exp_cut_5", "rbp.95": "rbp_p=.95",
         "f1": "set_F"}
a, b = ranx.Qrels(qrels), ranx.Run(run)
means = ranx.evaluate(a, b, list(names), make_comparable=True)
for theirs, ours in names.items():
    for query, value in b.scores[theirs].items():
        add("ranx", ours, query, value)
    if theirs != "hits":  # a mean there, a sum here
        add("ranx", ours, "all", means[theirs])


# --- BEIR
def functions(path, *wanted):
    tree = ast.parse(path.read_text())
    found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name in wanted]
    for n in found:
        n.decorator_list, n.returns = [], None
        for argument in n.args.args:
            argument.annotation = None
    scope = {"np": np, "logging": logging, "logger": logging.getLogger(), "pytrec_eval": pytrec_eval,
             "round": lambda value, digits: value}  # without its rounding
    exec(compile(ast.Module(found, []), str(path), "exec"), scope)
    return [scope[name] for name in wanted]


retrieval = package("beir") / "retrieval"
[evaluate] = functions(retrieval / "evaluation.py", "evaluate")
mrr, accuracy = functions(retrieval / "custom_metrics.py", "mrr", "top_k_accuracy")
ks = [1, 3, 5]
judged_run = {q: docs for q, docs in copy.deepcopy(run).items() if q in qrels}
for theirs, figures in zip(["ndcg_cut", "map_cut", "recall", "P"], evaluate(qrels, judged_run, ks)):
    for k, value in zip(ks, figures.values()):
        add("beir", f"{theirs}_{k}", "all", value)
# evaluate took the questions' own documents out of judged_run.
for ours, function in [("recip_rank_cut", mrr), ("success", accuracy)]:
    for k, value in zip(ks, function(qrels, judged_run, ks).values()):
        add("beir", f"{ours}_{k}", "all", value)

# --- sentence-transformers
path = package("sentence_transformers") / "sentence_transformer" / "evaluation" / "information_retrieval.py"
compute, dcg = functions(path, "compute_metrics", "compute_dcg_at_k")
relevant = {q: {d for d, g in docs.items() if g > 0} for q, docs in qrels.items()}
queries = [q for q in qrels if relevant[q]]
evaluator = types.SimpleNamespace(accuracy_at_k=ks, precision_recall_at_k=ks, mrr_at_k=ks, ndcg_at_k=ks, map_at_k=ks,
                                  queries_ids=queries, queries=queries, relevant_docs=relevant, compute_dcg_at_k=dcg)
results = [[{"corpus_id": d, "score": s} for d, s in run.get(q, {}).items()] for q in queries]
ours = {"accuracy@k": "success", "precision@k": "P", "recall@k": "recall", "ndcg@k": "ndcg_cut",
        "mrr@k": "recip_rank_cut", "map@k": "map_cut"}
for theirs, figures in compute(evaluator, results).items():
    for k, value in figures.items():
        add("sbert", f"{ours[theirs]}_{k}", "all", value)

assert not any(math.isnan(float(line.split("\t")[3])) for line in lines)
(folder / "convention.tsv").write_text("".join(lines))
