#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: trawl_test.sh TRAWL, at the project's root: the program on small files, on broken ones, and on SciFact.
set -u
trawl=$1
golden=tests/golden/cli
scifact=../shared/data/scifact
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# refuses STATUS PATTERN ARGUMENT...: the exit status, and a line of stderr that matches.
refuses() {
    want=$1 pattern=$2
    shift 2
    "$trawl" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" = "$want" ] || fail "trawl $*: status $status, not $want"
    grep -Eq -- "$pattern" "$work/err" || fail "trawl $*: stderr is not /$pattern/ but $(cat "$work/err")"
}

# equal WHAT A B
equal() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }

# within WHAT VALUE EXPECTED TOLERANCE
within() {
    echo "$1: $2"
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { d = a - b; exit !(d <= t && -d <= t && a != "") }' ||
        fail "$1: $2, not within $4 of $3"
}

corpus=$work/corpus.jsonl queries=$work/queries.tsv
cat >"$corpus" <<'END'
{"_id": "a", "title": "Refunds", "text": "A refund takes three days."}
{"_id": "b", "title": "", "text": "PROD-4817 prints nothing."}
{"_id": "c", "text": "PROD-4871 prints refund slips."}
END
printf 'q1\trefund\nq2\tPROD-4817\nq3\tzebra\n' >"$queries"
npy() { # npy FILE ROWS COLS: zeros but for a leading 1 in each row
    python3 - "$@" 2>/dev/null <<'END'
import struct, sys
name, rows, cols = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, cols)
head += " " * (63 - (10 + len(head)) % 64) + "\n"
row = struct.pack("<%df" % cols, 1, *[0] * (cols - 1))
open(name, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + row * rows)
END
}

# --- search
"$trawl" search --corpus "$corpus" --queries "$queries" --out "$work/run" 2>"$work/err" || fail "search: status $?"
equal "search says nothing when piped" "$(cat "$work/err")" ""
equal "search finds" "$(cut -d' ' -f1,3,4 "$work/run" | tr '\n' ';')" "q1 c 1;q1 a 2;q2 b 1;q2 c 2;"
equal "search to stdout" "$("$trawl" search --corpus "$corpus" --queries "$queries")" "$(cat "$work/run")"
equal "k cuts" "$("$trawl" search --corpus "$corpus" --queries "$queries" --k 1 | wc -l | tr -d ' ')" 2
equal "k 0 gives nothing" "$("$trawl" search --corpus "$corpus" --queries "$queries" --k 0)" ""
: >"$work/empty"
equal "an empty corpus gives an empty run" "$("$trawl" search --corpus "$work/empty" --queries "$queries")" ""

refuses 2 'required' search --queries "$queries"
refuses 2 'Run with --help' search --corpus "$corpus" --queries "$queries" --nonsense
refuses 2 'requires an argument|1 required' search --corpus "$corpus" --queries
refuses 2 'retriever' search --corpus "$corpus" --queries "$queries" --retriever psychic
refuses 2 '--k' search --corpus "$corpus" --queries "$queries" --k -1
refuses 2 'not a number' search --corpus "$corpus" --queries "$queries" --weights .5,x
refuses 2 'subcommand' --version-of-nothing
refuses 1 "^$work/none: cannot be opened" search --corpus "$work/none" --queries "$queries"
refuses 1 'k1 .*is -1' search --corpus "$corpus" --queries "$queries" --k1 -1
refuses 1 'b .*is 2' search --corpus "$corpus" --queries "$queries" --b 2
refuses 1 '3 weights|weights' search --corpus "$corpus" --queries "$queries" --retriever hybrid --weights 1,1,1
refuses 1 'window' search --corpus "$corpus" --queries "$queries" --retriever hybrid --window 0
refuses 1 'complete' search --corpus "$corpus" --queries "$queries" --retriever hybrid --complete
refuses 1 '--norm goes with' search --corpus "$corpus" --queries "$queries" --retriever hybrid --norm none
refuses 1 '--rrf-k goes with' search --corpus "$corpus" --queries "$queries" --retriever hybrid \
    --fusion weighted --rrf-k 5

{ cat "$corpus" && echo '{"_id": "d", "text": '; } >"$work/broken.jsonl"
refuses 1 "^$work/broken.jsonl:4: " search --corpus "$work/broken.jsonl" --queries "$queries"
{ cat "$corpus" && echo '{"_id": "a", "text": "again"}'; } >"$work/twice.jsonl"
refuses 1 "^$work/twice.jsonl:4: _id 'a'" search --corpus "$work/twice.jsonl" --queries "$queries"
printf 'q1\tone\nq2\n' >"$work/broken.tsv"
refuses 1 "^$work/broken.tsv:2: " search --corpus "$corpus" --queries "$work/broken.tsv"
if npy "$work/three.npy" 3 4; then
    npy "$work/two.npy" 2 4 && npy "$work/other.npy" 3 5
    dense="search --corpus $corpus --queries $queries --retriever dense"
    # shellcheck disable=SC2086
    {
        equal "dense finds every document" \
            "$("$trawl" $dense --vectors "$work/three.npy" --query-vectors "$work/three.npy" | wc -l | tr -d ' ')" 9
        refuses 1 "^$work/two.npy: has 2 rows, there are 3 documents" \
            $dense --vectors "$work/two.npy" --query-vectors "$work/three.npy"
        refuses 1 "^$work/other.npy: vectors have 5 values" \
            $dense --vectors "$work/three.npy" --query-vectors "$work/other.npy"
        refuses 1 "^$corpus: " $dense --vectors "$corpus" --query-vectors "$work/three.npy"
        refuses 2 'requires --query-vectors' $dense --vectors "$work/three.npy"
    }
fi

# --- query
"$trawl" query --corpus "$corpus" --explain "refund" >"$work/out" 2>"$work/err" || fail "query: status $?"
grep -q '^no --vectors: .*latent semantic' "$work/err" || fail "query does not say where its vectors are from"
grep -q '^  1  .* c  PROD-4871 prints' "$work/out" || fail "query's first line: $(head -n 1 "$work/out")"
grep -q ' round: rrf' "$work/out" || fail "query --explain explains nothing"
grep -q '1 / (60 + rank 1)' "$work/out" || fail "query --explain hides the rank"
equal "a question a line" \
    "$(printf 'zebra\nrefund\n' | "$trawl" query --corpus "$corpus" --retriever bm25 --k 1 | cut -c1-5)" \
    "$(printf 'nothi\n  1  ')"

# --- fuse
for pair in rrf:rrf weighted:min_max; do
    "$trawl" fuse --runs $golden/a.trec $golden/b.trec --fusion "${pair%:*}" --out "$work/fused" || fail "fuse: $pair"
    tr '\t' ' ' <"$golden/${pair#*:}.tsv" | paste -d' ' - "$work/fused" | awk '
        { d = $3 - $8; if ($1 != $4 || $2 != $6 || d > 1e-6 || -d > 1e-6) { print; bad = 1 } }
        END { exit bad || NR != 89 }' || fail "fuse ${pair%:*} differs from ranx"
done
refuses 1 '3 weights' fuse --runs $golden/a.trec $golden/b.trec --weights 1,1,1
refuses 1 'k is 0' fuse --runs $golden/a.trec $golden/b.trec --rrf-k 0
refuses 1 'weight.*-1' fuse --runs $golden/a.trec $golden/b.trec --weights 1,-1
echo 'q1 Q0 d1 1 high tag' >"$work/broken.trec"
refuses 1 "^$work/broken.trec:1: score 'high'" fuse --runs $golden/a.trec "$work/broken.trec"

# --- eval
printf 'query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t1\nq4\ta\t1\n' >"$work/qrels.tsv"
equal "eval prints three columns" \
    "$("$trawl" eval --qrels "$work/qrels.tsv" --run "$work/run" --metrics hit@1 2>/dev/null | tr -d ' ')" \
    "$(printf 'success_1\tall\t0.3333')"
equal "eval a question" \
    "$("$trawl" eval --qrels "$work/qrels.tsv" --run "$work/run" --metrics mrr --per-query 2>/dev/null | cut -f2,3 | tr '\t\n' ' ;')" \
    "q1 0.5000;q2 1.0000;q4 0.0000;all 0.5000;"
"$trawl" eval --qrels "$work/qrels.tsv" --run "$work/run" --json 2>/dev/null | grep -q '"success_1": 0.33' || fail "eval --json"
equal "eval's measures" \
    "$("$trawl" eval --qrels "$work/qrels.tsv" --run "$work/run" 2>/dev/null | awk '{ printf "%s ", $1 }')" \
    "ndcg_cut_10 map recip_rank recall_100 success_1 success_10 "
refuses 1 "no measure 'luck'" eval --qrels "$work/qrels.tsv" --run "$work/run" --metrics luck
refuses 1 "^$work/none: " eval --qrels "$work/none" --run "$work/run"
refuses 2 'run is required' eval --qrels "$work/qrels.tsv"
equal "help is no failure" "$("$trawl" --help >/dev/null 2>&1 && echo yes)" yes

# --- conventions, compare, tune
tune() { "$trawl" tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" --metric mrr "$@" 2>/dev/null; }
printf 'q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n' >"$work/judged"
printf 'q1 Q0 a 1 2 t\nq2 Q0 b 1 2 t\n' >"$work/found"
equal "sbert counts a missing question" \
    "$("$trawl" eval --qrels "$work/judged" --run "$work/found" --convention sbert --metrics mrr@10 2>/dev/null | cut -f3)" 0.6667
equal "beir does not, but by map" \
    "$("$trawl" eval --qrels "$work/judged" --run "$work/found" --convention beir --metrics map 2>/dev/null | cut -f3)" 1.0000
equal "a run against itself" "$("$trawl" compare --qrels "$work/judged" --runs "$work/run" "$work/run" --format csv |
    sed -n 2p | cut -d, -f5-7,9-12)" 0,0,0,0,3,0,1
equal "tune tries every value" "$(tune --try alpha=0,.5 --try window=5,50 --folds 2 --format csv | wc -l | tr -d ' ')" 5
refuses 2 'beta' tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" --try beta=1
refuses 1 'window.*1.5' tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" --try window=1.5
refuses 2 'runs' compare --qrels "$work/judged" --runs "$work/run"

# --- SciFact
if [ ! -e "$scifact" ]; then
    echo "SciFact is not here ($scifact): its figures are not checked"
else
    base="search --corpus $scifact/corpus.jsonl --queries $scifact/queries.jsonl --analyzer english --k1 .9 --b .4"
    base="$base --vectors $scifact/minilm_corpus.npy --query-vectors $scifact/minilm_queries.npy --out $work/sf"
    # shellcheck disable=SC2086
    ndcg() { "$trawl" $base "$@" && "$trawl" eval --qrels $scifact/qrels.tsv --run "$work/sf" --metrics ndcg@10 | cut -f3; }
    within "BM25 (Anserini: .6789)" "$(ndcg --retriever bm25)" .6789 .005
    cp "$work/sf" "$work/bm25"
    within "MiniLM" "$(ndcg --retriever dense)" .6451 .0005
    cp "$work/sf" "$work/dense"
    completed=$(ndcg --retriever hybrid --window 100 --fusion weighted --weights .5,.5 --complete)
    echo "completed min-max: $completed"
    awk -v a="$completed" 'BEGIN { exit !(a >= .730) }' || fail "completed min-max: $completed, below .730"
    for pair in rrf:.7179 weighted:.7262; do # ranx's fusions of the same runs, ties in our order
        figure=$(ndcg --retriever hybrid --window 100 --k 1000 --fusion "${pair%:*}")
        within "${pair%:*} in one search" "$figure" "${pair#*:}" .001
        "$trawl" fuse --runs "$work/bm25" "$work/dense" --fusion "${pair%:*}" --out "$work/fused"
        figure=$("$trawl" eval --qrels $scifact/qrels.tsv --run "$work/fused" --metrics ndcg@10 \
            --convention library | cut -f3)
        within "${pair%:*} of two runs" "$figure" "${pair#*:}" .00015
    done
fi

[ "$failures" = 0 ] && echo "all passed"
exit "$((failures > 0))"
