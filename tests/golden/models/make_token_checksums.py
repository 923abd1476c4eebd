#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/golden/models/token_checksums.tsv: the ids that Hugging Face's tokenizers 0.23.3 gives for real texts.

    python3 tests/golden/models/make_token_checksums.py DATA MINILM

DATA has scifact, xquad_de, piaf_fr and tldr; MINILM is the folder of all-MiniLM-L6-v2. A line: model, data, texts, ids,
checksum. The checksum is FNV-1a over ids in place of bytes, 64 bits; a text's ids are followed by how many they are.
"""
import json
import os
import sys

from tokenizers import Tokenizer

here = os.path.dirname(os.path.abspath(__file__))


def texts(folder):
    if os.path.basename(folder) == "tldr":
        for path in sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names):
            if not path.endswith(".md"):
                continue
            with open(path, encoding="utf-8", newline="") as file:
                yield file.read()
        return
    for name in ("corpus", "queries"):
        with open(f"{folder}/{name}.jsonl", encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                yield from [record["title"], record["text"]] if "title" in record else [record["text"]]


def main(data, minilm):
    models = {"all-MiniLM-L6-v2": minilm + "/tokenizer.json"}
    for name in ("bert_uncased", "xlm_roberta"):
        models[name] = f"{here}/tokens/{name}.json"
    with open(here + "/token_checksums.tsv", "w", encoding="utf-8") as out:
        for model, path in models.items():
            made = Tokenizer.from_file(path)
            made.no_truncation()
            made.no_padding()
            for name in ("scifact", "xquad_de", "piaf_fr", "tldr"):
                count, ids, value = 0, 0, 0xCBF29CE484222325
                for text in texts(os.path.join(data, name)):
                    found = made.encode(text).ids
                    for number in found + [len(found)]:
                        value = (value ^ number) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
                    count, ids = count + 1, ids + len(found)
                out.write(f"{model}\t{name}\t{count}\t{ids}\t{value:016x}\n")


main(*sys.argv[1:])
