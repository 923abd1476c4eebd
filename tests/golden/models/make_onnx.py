#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports models that make_models.py wrote as ONNX, into FOLDER/onnx/model.onnx, where Hugging Face keeps it.

    python3 tests/golden/models/make_onnx.py

Inputs are input_ids, attention_mask and token_type_ids, int64 [texts x tokens], as Optimum exports them; outputs are
last_hidden_state or logits. That of `static` takes input_ids and offsets, as model2vec's export does. The weights are
those of model.safetensors, kept as float16 where that loses nothing, and cast when the session begins.
Made with torch 2.15, transformers 5.24, onnx 1.23; checked with onnxruntime 1.32 against golden/.
"""
import json
import os
import warnings

import numpy
import onnx
import onnxruntime
import torch
import transformers
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

here = os.path.dirname(os.path.abspath(__file__))
torch.set_num_threads(1)
warnings.simplefilter("ignore")
OPSET = 14


class Called(torch.nn.Module):
    def __init__(self, model, output):
        super().__init__()
        self.model, self.output = model, output

    def forward(self, input_ids, attention_mask, token_type_ids):
        out = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        return getattr(out, self.output)


def halve(graph):
    """Large weights as float16, with a cast."""
    casts, kept = [], []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        half = values.astype(numpy.float16)
        if values.dtype != numpy.float32 or values.size < 256 or (half.astype(numpy.float32) != values).any():
            kept.append(tensor)
            continue
        kept.append(numpy_helper.from_array(half, tensor.name + ".half"))
        casts.append(helper.make_node("Cast", [tensor.name + ".half"], [tensor.name], to=TensorProto.FLOAT))
    nodes = casts + list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)


def shorten(graph):
    """Exporters name values after the modules that they come from, which takes as many bytes as the weights."""
    public = {value.name for value in [*graph.input, *graph.output]}
    short = {"": "", **{name: name for name in public}}

    def rename(names):
        names[:] = [short.setdefault(name, f"v{len(short)}") for name in names]

    for tensor in graph.initializer:
        tensor.name = short.setdefault(tensor.name, f"v{len(short)}")
    for node in graph.node:
        node.name = node.doc_string = ""
        rename(node.input)
        rename(node.output)
    del graph.value_info[:]


def save(name, model):
    halve(model.graph)
    shorten(model.graph)
    onnx.checker.check_model(model)
    os.makedirs(os.path.join(here, name, "onnx"), exist_ok=True)
    path = os.path.join(here, name, "onnx/model.onnx")
    onnx.save(model, path)
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def read(name, file):
    path = os.path.join(here, name, "golden", file)
    if file.endswith(".npy"):
        return numpy.load(path)
    with open(path, encoding="utf-8") as opened:
        return json.load(opened)


def check(name, found, expected):
    worst = numpy.abs(found - expected).max()
    print(f"{name}: at most {worst:.1e} from golden/")
    assert worst < 1e-4


def export(name, kind, output):
    model = kind.from_pretrained(os.path.join(here, name), dtype=torch.float32, attn_implementation="eager").eval()
    ones = torch.ones(2, 7, dtype=torch.long)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {n: {0: "texts", 1: "tokens"} for n in [*names, output]}
    if output == "logits":
        axes[output] = {0: "texts"}
    path = os.path.join(here, "exported.onnx")
    torch.onnx.export(Called(model, output), (ones, ones, torch.zeros_like(ones)), path, input_names=names,
                      output_names=[output], dynamic_axes=axes, opset_version=OPSET, dynamo=False)
    session = save(name, onnx.load(path))
    os.remove(path)
    cases = read(name, "cases.json")
    longest = max(map(len, cases["ids"]))

    def padded(rows):
        return numpy.array([row + [0] * (longest - len(row)) for row in rows], dtype=numpy.int64)

    mask = padded([[1] * len(row) for row in cases["ids"]])
    found = session.run(None, {"input_ids": padded(cases["ids"]), "attention_mask": mask,
                               "token_type_ids": padded(cases["types"])})[0]
    if output == "logits":
        check(name, found, read(name, "logits.npy"))
    else:
        check(name, found[mask == 1], read(name, "hidden_2.npy"))


export("sentence_bert", transformers.BertModel, "last_hidden_state")
export("late_interaction", transformers.BertModel, "last_hidden_state")
export("bert_classifier", transformers.BertForSequenceClassification, "logits")

# A mean over ids[offsets[i], offsets[i + 1]), then divided by its length. Mean and length by products with a matrix that
# says which token belongs to which text; a text without tokens is zero.
rows = load_file(os.path.join(here, "static/model.safetensors"))["embeddings"].astype(numpy.float32)
value = helper.make_tensor_value_info
nodes = [
    helper.make_node("Gather", ["rows", "input_ids"], ["tokens"]),
    helper.make_node("Shape", ["input_ids"], ["count"]),
    helper.make_node("Squeeze", ["count", "axis0"], ["all"]),
    helper.make_node("Range", ["zero", "all", "one"], ["places"]),
    helper.make_node("Unsqueeze", ["offsets", "axis1"], ["begins"]),
    helper.make_node("Slice", ["offsets", "from1", "to", "axis0"], ["later"]),
    helper.make_node("Concat", ["later", "count"], ["ends0"], axis=0),
    helper.make_node("Unsqueeze", ["ends0", "axis1"], ["ends"]),
    helper.make_node("GreaterOrEqual", ["places", "begins"], ["behind"]),
    helper.make_node("Less", ["places", "ends"], ["before"]),
    helper.make_node("And", ["behind", "before"], ["inside"]),
    helper.make_node("Cast", ["inside"], ["member"], to=TensorProto.FLOAT),
    helper.make_node("MatMul", ["member", "tokens"], ["sums"]),
    helper.make_node("ReduceL2", ["sums"], ["lengths"], axes=[1], keepdims=1),
    helper.make_node("Max", ["lengths", "least"], ["divisors"]),
    helper.make_node("Div", ["sums", "divisors"], ["embeddings"]),
]
constants = {"rows": rows, "axis0": numpy.array([0]), "axis1": numpy.array([1]), "zero": numpy.array(0), "one": numpy.array(1),
             "from1": numpy.array([1]), "to": numpy.array([2**31 - 1]), "least": numpy.array([1e-30], dtype=numpy.float32)}
graph = helper.make_graph(
    nodes, "static", [value("input_ids", TensorProto.INT64, ["tokens"]), value("offsets", TensorProto.INT64, ["texts"])],
    [value("embeddings", TensorProto.FLOAT, ["texts", 24])],
    [numpy_helper.from_array(array, name) for name, array in constants.items()])
session = save("static", helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8))
# model2vec leaves out [UNK], whose id is 1.
ids = [[i for i in row if i != 1] for row in read("static", "cases.json")["ids"]]
offsets = numpy.cumsum([0] + [len(row) for row in ids])[:-1]
check("static", session.run(None, {"input_ids": numpy.array(sum(ids, [])), "offsets": offsets})[0],
      read("static", "sentences.npy"))
