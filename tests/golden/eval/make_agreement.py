#!/usr/bin/env python3
"""Kappas of scikit-learn (Cohen's, plain and weighted) and statsmodels (Fleiss').

Needs scikit-learn and statsmodels from PyPI. Writes agreement_cases.tsv (case, the grades of three judges) and
agreement.tsv (case, figure, value) beside itself.
"""
import pathlib
import random

import numpy
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

folder = pathlib.Path(__file__).parent
random.seed(4)


def judges(items, grades, care):
    """Three judges who see the same truth, each with its own mistakes."""
    truth = [random.choice(grades) for _ in range(items)]
    return [[t if random.random() < c else random.choice(grades) for t in truth] for c in care]


cases = {
    "binary": judges(60, [0, 1], [.9, .8, .6]),
    "graded": judges(80, [0, 1, 2, 3], [.9, .7, .5]),
    "chance": judges(50, [0, 1, 2], [0, 0, 0]),
    "skewed": judges(90, [0, 0, 0, 0, 0, 0, 1, 2], [.8, .8, .8]),
    "against": [[0, 1] * 12, [1, 0] * 12, [0, 1] * 12],
}
case_lines, lines = [], []
for name, (a, b, c) in cases.items():
    case_lines.append("\t".join([name] + [" ".join(map(str, x)) for x in (a, b, c)]) + "\n")
    labels = list(range(max(a + b) + 1))
    for figure, weights in (("cohen", None), ("linear", "linear"), ("quadratic", "quadratic")):
        lines.append(f"{name}\t{figure}\t{cohen_kappa_score(a, b, labels=labels, weights=weights)!r}\n")
    table, _ = aggregate_raters(numpy.array([a, b, c]).T)
    lines.append(f"{name}\tfleiss\t{fleiss_kappa(table)!r}\n")
(folder / "agreement_cases.tsv").write_text("".join(case_lines))
(folder / "agreement.tsv").write_text("".join(lines).replace("np.float64(", "").replace(")", ""))
