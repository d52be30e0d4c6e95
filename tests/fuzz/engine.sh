#!/bin/sh
# Builds the fuzzer of the engine and runs it for so many seconds. Inputs are long from the start: short ones are
# models that do nothing.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build/fuzz/engine-inputs
for kernel in checkers/*.hpp; do echo "#include \"$kernel\""; done >build/fuzz/kernels.hpp
clang++ -std=gnu++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
  -I. -Iengine -Ibuild/fuzz tests/fuzz/engine.cpp engine/bytecode.cpp -o build/fuzz/engine
exec build/fuzz/engine -max_total_time="${1:-60}" -max_len=400 -len_control=0 -timeout=20 -rss_limit_mb=3000 \
  -verbosity=1 -artifact_prefix=build/fuzz/engine-found- build/fuzz/engine-inputs
