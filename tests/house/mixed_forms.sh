#!/bin/sh
# SPDX-License-Identifier: MIT
# Both forms in one program: they live side by side where no type of ours passes from one to the other, and do not link
# where one does. mixed_forms.sh CXX
. tests/house/support.sh

unit=tests/house/mixed_forms.cpp
compile "$1" src/trawl.cpp "$build/library.o" -O0
for passes in '' -DPASSES_TYPES; do
    # shellcheck disable=SC2086
    compile "$1" $unit "$build/gives.o" -O0 -DGIVES -DTRAWL_COMPILED $passes
    # shellcheck disable=SC2086
    compile "$1" $unit "$build/takes.o" -O0 $passes
    if "$1" "$build/takes.o" "$build/gives.o" "$build/library.o" -o "$build/program" 2>"$build/messages"; then
        linked=yes
        "$build/program"
    else
        linked=no
    fi
    case $passes,$linked in
    ,yes) ;;
    -DPASSES_TYPES,no) grep -q 'undefined reference.*give' "$build/messages" ;;
    *)
        cat "$build/messages"
        echo "mixed forms, ${passes:-nothing passed}: linked $linked"
        exit 1
        ;;
    esac
done
