#!/bin/sh
# Runs the engine on random inputs, several workers included, under the thread sanitizer. Coverage counters are
# races by themselves, so the inputs come from a short run of the fuzzer without it.
set -eu
cd "$(dirname "$0")/../.."
sh tests/fuzz/engine.sh "${1:-20}"
clang++ -std=gnu++20 -g -O1 -fsanitize=thread -I. -Iengine -Ibuild/fuzz \
  tests/fuzz/engine.cpp tests/fuzz/once.cpp engine/bytecode.cpp -o build/fuzz/engine-threads
# Few inputs at a time: the sanitizer has fewer addresses than the engine reserves for many of them.
ls build/fuzz/engine-inputs/* | TSAN_OPTIONS=halt_on_error=1 xargs -n 10 build/fuzz/engine-threads
