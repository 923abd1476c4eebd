#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cosines between the texts of lsa_texts.txt after latent semantic analysis by numpy's full SVD (LAPACK).

Weights as in embed/lsa.hpp, written from the formula: (1 + ln tf) * ln((1 + N) / df), terms in fewer than 2
texts left out, rows of unit length, projected on the first DIM right singular vectors.
Made with Python 3.11, numpy 2: python3 lsa_cosines.py > lsa_cosines.txt
"""
import collections
import math
import os
import numpy

DIM = 5
here = os.path.dirname(os.path.abspath(__file__))
texts = [line.split() for line in open(os.path.join(here, "lsa_texts.txt"))]
df = collections.Counter(term for text in texts for term in set(text))
terms = sorted(term for term in df if df[term] >= 2)
matrix = numpy.zeros((len(texts), len(terms)))
for i, text in enumerate(texts):
    tf = collections.Counter(text)
    for j, term in enumerate(terms):
        if tf[term]:
            matrix[i, j] = (1 + math.log(tf[term])) * math.log((1 + len(texts)) / df[term])
matrix /= numpy.linalg.norm(matrix, axis=1, keepdims=True)
_, values, right = numpy.linalg.svd(matrix, full_matrices=False)
assert values[DIM - 1] - values[DIM] > 0.01, "the cut must fall between distinct singular values"
rows = matrix @ right[:DIM].T
rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
for row in rows @ rows.T:
    print(" ".join(f"{value:.9f}" for value in row))
