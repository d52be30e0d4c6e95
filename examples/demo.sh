#!/bin/sh
# Checks two properties of Peterson's mutual exclusion: one that holds, one that does not. Usage: demo.sh [BUCHI]
set -eu
buchi=${1:-buchi}
model=$(dirname "$0")/peterson.dve

# Shows a command, runs it, and makes sure that it ends with the exit code that is expected.
show() {
    expected=$1
    formula=$2
    echo
    echo "\$ buchi check examples/peterson.dve --ltl '$formula'"
    code=0
    "$buchi" check "$model" --ltl "$formula" || code=$?
    [ "$code" -eq "$expected" ] || { echo "expected exit code $expected, got $code" >&2; exit 1; }
}

echo "\$ buchi explore examples/peterson.dve"
"$buchi" explore "$model"
show 0 'G !(A.critical && B.critical)'
show 1 'G (A.hungry -> F A.critical)'
