# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The peers of benchmarks/lexical.cpp, those that can be had: bm25s in a virtual environment (BENCH_PYTHON names another
# Python that has it), Tantivy where cargo is, Lucene where Maven and a JDK are, Xapian and SQLite from the distribution.
# And the texts of Debian's packages, where apt is.
peers=build/bench-lexical
mkdir -p $peers
if [ -z "${BENCH_PYTHON:-}" ]; then
    BENCH_PYTHON=build/bench-python/bin/python
    [ -x "$BENCH_PYTHON" ] || {
        need python3-venv
        python3 -m venv build/bench-python
    }
    "$BENCH_PYTHON" -m pip install -q bm25s numba >&2 || say "could not install bm25s" >&2
fi
export BENCH_PYTHON

if command -v cargo >/dev/null; then
    cargo build -q --release --manifest-path benchmarks/peers/tantivy/Cargo.toml --target-dir $peers/tantivy >&2 \
        && export BENCH_TANTIVY=$peers/tantivy/release/tantivy_peer
else
    say "no cargo, so no Tantivy" >&2
fi

# Lucene 10 needs Java 21; the newest Java of the machine is taken.
newest=0
for javac in /usr/lib/jvm/*/bin/javac "$(command -v javac || true)"; do
    [ -x "$javac" ] || continue
    version=$("$javac" -version 2>&1 | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    [ "$version" -gt "$newest" ] || continue
    newest=$version
    java_home=$(dirname "$(dirname "$javac")")
done
if command -v mvn >/dev/null && [ "$newest" -ge 11 ]; then
    lucene=10.6.0
    [ "$newest" -ge 21 ] || lucene=9.12.3
    if JAVA_HOME=$java_home mvn -q -f benchmarks/peers/lucene/pom.xml -Dlucene=$lucene dependency:copy-dependencies \
        -DoutputDirectory="$PWD/$peers/lucene-$lucene" >&2 &&
        "$java_home/bin/javac" -cp "$peers/lucene-$lucene/*" -d $peers/lucene benchmarks/peers/lucene/LucenePeer.java >&2; then
        BENCH_LUCENE="$java_home/bin/java -Xms3g -Xmx3g -XX:+UseSerialGC --add-modules jdk.incubator.vector"
        [ "$newest" -lt 21 ] || BENCH_LUCENE="$BENCH_LUCENE --enable-native-access=ALL-UNNAMED"
        export BENCH_LUCENE="$BENCH_LUCENE -cp $peers/lucene-$lucene/*:$peers/lucene LucenePeer"
    fi
else
    say "no Maven or no JDK, so no Lucene" >&2
fi

need libxapian-dev libsqlite3-dev || say "could not install Xapian or SQLite" >&2
${CXX:-g++} -std=c++20 -O3 -march=native benchmarks/peers/xapian_peer.cpp -o $peers/xapian_peer -lxapian >&2 \
    && export BENCH_XAPIAN=$peers/xapian_peer
${CXX:-g++} -std=c++20 -O3 -march=native benchmarks/peers/fts5_peer.cpp -o $peers/fts5_peer -lsqlite3 >&2 \
    && export BENCH_FTS5=$peers/fts5_peer

[ -s $peers/packages.tsv ] || sh examples/demo/packages.sh $peers/packages.tsv ||
    say "no texts of packages: no apt here" >&2
export BENCH_PACKAGES=$peers/packages.tsv
