#!/bin/sh
# SPDX-License-Identifier: MIT
# What a machine can check of CONTRIBUTING.md's hard rules. lint.sh [--quick]: without clang-tidy.
set -eu
cd "$(dirname "$0")/.."

complaints=$(mktemp)
trap 'rm -f "$complaints"' EXIT
complain() { # complain RULE: reads the offending lines
    lines=$(cut -c1-200)
    [ -z "$lines" ] || printf '%s:\n%s\n' "$1" "$lines" | tee -a "$complaints"
}
all() { git ls-files -co --exclude-standard -- "$@" | while read -r file; do [ ! -e "$file" ] || echo "$file"; done; }
code() { sed 's|//.*||' "$1"; } # without comments

# grep over the code of the library's headers: headers RULE REGEX [EXCEPT]
headers() {
    for file in $(all 'include/*.hpp' | grep -vE "${3:-^$}"); do
        code "$file" | grep -nE -- "$2" | sed "s|^|$file:|" || :
    done | complain "$1"
}

headers 'banned in headers' '# *include *<(iostream|ostream|istream|regex|ranges|format)>'
headers 'include as <trawl/...>' '# *include *"'
headers 'no thread_local' '\bthread_local\b'
headers 'no output' '\b(printf|puts|putchar|std::c(out|err|log))\b'
headers 'no global with effect' '^(static|extern|inline) [^(]*= *[a-z_:]+\('
headers 'only TRAWL_ macros' '# *define +([^T]|T[^R]|TR[^A]|TRA[^W])'
headers 'macros only in config.hpp and version.hpp' '# *define' 'trawl/(config|version).hpp'
headers 'min and max are macros on Windows: (std::max)(a, b)' '(std::(min|max)|numeric_limits<[^>]*>::(min|max|lowest)) *\((.|$)'
headers 'not under -ffast-math: see detail/floating_point.hpp' '\bstd::(isnan|isinf|isfinite|isnormal)\b'
headers 'only the headers named for it' '# *include *<(Eigen)/' '(embed/lsa|dense/eigen).hpp'
headers 'nlohmann only where json is read' '# *include *<nlohmann/' 'formats/(json|beir|ranx).hpp'

# Each header includes what it uses of the standard library.
all 'include/*.hpp' | xargs awk -f cmake/std_includes.awk | complain 'used, but its header is not included'

for file in $(all 'include/*.hpp' 'tests/*.hpp' 'tests/*.cpp' 'examples/*.cpp' 'examples/*.hpp' 'benchmarks/*.cpp' \
    'benchmarks/*.hpp'); do
    [ "$(head -n 1 "$file")" = '// SPDX-License-Identifier: MIT' ] || echo "$file"
done | complain 'first line is the licence'
for file in $(all 'include/*.hpp'); do
    [ "$(sed -n 2p "$file")" = '#pragma once' ] || echo "$file"
done | complain 'second line is #pragma once'
for file in $(all 'include/*.hpp'); do
    lines=$(wc -l <"$file")
    [ "$lines" -le 600 ] || grep -q -E '(Written|Made) by ' "$file" || echo "$file: $lines lines"
done | complain 'one idea a file, 600 lines at most, better 250 (save what a script wrote)'

# Arrows point down: what each folder may include besides itself.
for file in $(all 'include/trawl/*/*'); do
    folder=${file#include/trawl/}
    folder=${folder%%/*}
    case $folder in
    detail) may='' ;;
    core) may='detail' ;;
    text) may='core|detail' ;;
    storage) may='core|detail' ;;
    dense) may='storage|core|detail' ;;
    lexical) may='text|storage|core|detail' ;;
    fusion) may='core|detail' ;;
    rerank) may='fusion|text|core|detail' ;;
    embed) may='text|storage|core|detail' ;;
    eval) may='fusion|text|core|detail' ;;
    models) may='rerank|embed|text|storage|core|detail' ;;
    collection) may='pipeline|eval|rerank|fusion|lexical|dense|embed|text|formats|storage|core|detail' ;;
    pipeline) may='rerank|fusion|text|formats|storage|core|detail' ;;
    report) may='eval|fusion|formats|storage|core|detail' ;;
    formats) may='eval|storage|core|detail' ;; # the readers of runs and judgements fill eval's types
    *) continue ;;
    esac
    grep -nE '# *include *<trawl/[a-z_]+/' "$file" | grep -vE "<trawl/($folder|$may)/" | sed "s|^|$file:|" || :
    grep -nE '# *include *<trawl/[a-z_]+/detail/' "$file" | grep -vE "<trawl/$folder/" | sed "s|^|$file:|" || :
done | complain 'arrows point down, and no folder includes the detail/ of another (docs/architecture.md)'
all 'examples/*.?pp' 'tools/*.?pp' | xargs grep -nE 'trawl::detail|trawl/([a-z]+/)?detail/' | complain 'examples and tools use what is public'

# docs/architecture.md names files that exist: from the root, in include/trawl/ or anywhere below it.
# shellcheck disable=SC2016
grep -oE '[a-z_0-9]+(/[a-z_0-9]+)*\.(hpp|cpp|md|sh)|`[a-z_0-9]+(/[a-z_0-9]+)*/`' docs/architecture.md | tr -d '`' \
    | grep -vE '^(_inl|nlohmann/json)\.hpp$' | sort -u | while read -r path; do
    for root in . include/trawl; do [ ! -e "$root/$path" ] || continue 2; done
    all "include/*/$path" | grep -q . || echo "docs/architecture.md: $path"
done | complain 'docs/architecture.md names files that exist'

# A name in trawl::detail has one definition.
for file in $(all 'include/*.hpp'); do
    awk '/^namespace detail/ { inside = 1 } /^} *\/\/ namespace detail/ { inside = 0 }
        inside && /^(class|struct|enum class) [a-z_0-9]+ *(final)? *[:{]/ {
            sub(/^enum /, ""); print $2, FILENAME }' "$file"
done | sort | awk '$1 == last { print $1 ": " $2 " and " file } { last = $1; file = $2 }' \
    | grep -v simd | complain 'one name, one thing'

all . | grep -vE '^(tests/golden|examples/corpus)/|^cmake/lint.sh$' | xargs grep -nE '(^|[^a-z.])/(work|tmp|root|home)/' \
    | complain 'a path of some machine'

# One version: version.hpp names it, the inline namespace and the change log follow.
version=$(sed -n 's/.*TRAWL_VERSION_STRING "\(.*\)"/\1/p' include/trawl/version.hpp)
parts=$(sed -n 's/.*TRAWL_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/trawl/version.hpp | paste -sd.)
[ "$parts" = "$version" ] || echo "version.hpp: $parts and $version" | complain 'one version'
grep -qF "[$version]" CHANGELOG.md || echo "CHANGELOG.md has no [$version]" | complain 'one version'
inline=v$(echo "$version" | cut -d. -f1-2 | tr . _)
grep -qF "inline namespace $inline {" include/trawl/config.hpp || echo config.hpp | complain "the inline namespace is $inline"
headers 'TRAWL_BEGIN_NAMESPACE' '^namespace trawl' 'trawl/config.hpp'

if command -v cmake >/dev/null; then
    cmake -DCHECK=ON -P cmake/umbrellas.cmake 2>&1 | sed -n '/not current/p' | complain 'umbrella headers'
fi
if command -v clang-format-16 >/dev/null; then
    all '*.hpp' '*.cpp' | xargs clang-format-16 --dry-run 2>&1 \
        | sed -n 's/:[0-9]*:[0-9]*: warning:.*//p' | sort -u | complain 'run ./dev format'
else
    echo "clang-format-16 is not here: the format is not checked"
fi
if command -v shellcheck >/dev/null; then
    all '*.sh' dev .ci/run | xargs shellcheck -x | complain 'shellcheck'
else
    echo "shellcheck is not here"
fi

if [ "${1:-}" != --quick ] && command -v clang-tidy-14 >/dev/null; then
    eigen=
    [ ! -d /usr/include/eigen3 ] || eigen='-isystem /usr/include/eigen3'
    # One source sees all headers, and all templates used.
    # shellcheck disable=SC2086
    clang-tidy-14 --quiet tests/house/use_everything.cpp -- -std=c++20 -Iinclude $eigen 2>/dev/null \
        | sed -nE '/(warning|error):/p' | sort -u | complain 'clang-tidy'
fi

[ ! -s "$complaints" ] || exit 1
echo "lint: nothing found"
