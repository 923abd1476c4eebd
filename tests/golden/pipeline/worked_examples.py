# SPDX-License-Identifier: MIT
"""Copies the worked figures that tests/pipeline uses: worked_examples.py < worked_examples.json > out.json

The input is the project's collection of worked examples, ../shared/golden/worked_examples.
"""
import json
import sys

WANTED = ("lists.token", "rerank.", "filter.rank", "twostage.")

cases = json.load(sys.stdin)["cases"]
wanted = [case for case in cases if case["id"].startswith(WANTED)]
json.dump({case["id"]: {key: case[key] for key in ("input", "expected")} for case in wanted}, sys.stdout, indent=1)
print()
