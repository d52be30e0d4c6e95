#!/bin/sh
# Builds the tests of what workers share, with the flags given, and runs each part: so many times its rounds.
#   teams.sh TIMES [FLAG…]
set -eu
cd "$(dirname "$0")/../.."
times=$1
shift
mkdir -p build/teams
${CXX:-c++} -std=gnu++20 -g -O1 -pthread "$@" -I. -Iengine tests/engine/teams.cpp engine/bytecode.cpp -o build/teams/teams
for part in "table 1" "components 40" "partition 40" "steps 2000" "searches 200"; do
  set -- $part
  TSAN_OPTIONS=halt_on_error=1 build/teams/teams "$1" "$(($2 * times))" "${SEED:-1}"
done
