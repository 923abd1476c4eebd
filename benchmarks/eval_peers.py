# SPDX-License-Identifier: MIT
"""Peers of evaluation on the files that benchmarks/eval.cpp writes: eval_peers.py FOLDER RUNS

Reads the name of a peer from each line and answers with the CPU seconds of evaluating all runs, or with
"- reason". What is read and compiled beforehand does not count."""

import sys
import time
from pathlib import Path


def table(path, document, value, number):
    out = {}
    for line in path.read_text().splitlines():
        columns = line.split()
        out.setdefault(columns[0], {})[columns[document]] = number(columns[value])
    return out


class Ranx:
    measures = ["map", "mrr", "precision@5", "precision@10", "recall@10", "recall@100", "ndcg@5", "ndcg@10", "ndcg",
                "r-precision", "hit_rate@10", "map@100"]

    def __init__(self, judged, runs):
        import ranx

        self.ranx = ranx
        self.judged = ranx.Qrels(judged)
        self.runs = [ranx.Run(run) for run in runs]
        self.run()

    def run(self):
        started = time.process_time()
        for run in self.runs:
            self.ranx.evaluate(self.judged, run, self.measures, threads=1)
        return time.process_time() - started


class PytrecEval:
    measures = {"map", "recip_rank", "P.5,10", "recall.10,100", "ndcg_cut.5,10", "ndcg", "Rprec", "success.10",
                "map_cut.100"}

    def __init__(self, judged, runs):
        import pytrec_eval

        self.evaluator = pytrec_eval.RelevanceEvaluator(judged, self.measures)
        self.runs = runs

    def run(self):
        started = time.process_time()
        for run in self.runs:
            self.evaluator.evaluate(run)
        return time.process_time() - started


def main():
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    judged = table(folder / "qrels", 2, 3, int)
    runs = [table(folder / f"run{i}", 2, 4, float) for i in range(count)]
    kinds, made = {"ranx": Ranx, "pytrec_eval": PytrecEval}, {}
    for line in sys.stdin:
        name = line.strip()
        try:
            if name not in made:
                made[name] = kinds[name](judged, runs)
            print(made[name].run(), flush=True)
        except Exception as error:  # a peer that is not there, or broken
            print("-", type(error).__name__, str(error).replace("\n", " "), flush=True)


main()
