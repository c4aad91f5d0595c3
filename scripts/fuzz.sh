#!/usr/bin/env bash
# Runs each libFuzzer target for 60 seconds (or $1): inputs that break a reader are left in build/fuzz. Needs clang.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_packages $ENGINE_PACKAGES $TEST_PACKAGES clang libclang-rt-14-dev
cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DCMAKE_CXX_COMPILER=clang++ \
  -DHPSEARCH_SANITIZE=fuzzer-no-link,address,undefined -DHPSEARCH_FUZZ=ON -DHPSEARCH_PCH=OFF
cmake --build build/fuzz --target fuzz_space_file fuzz_report_line fuzz_events_line
for target in space_file report_line events_line; do
  mkdir -p "build/fuzz/corpus/$target"
  (cd build/fuzz && bin/fuzz_$target -max_total_time="${1:-60}" -timeout=10 -print_final_stats=1 -max_len=4096 \
    "corpus/$target" "../../tests/fuzz/corpus/$target" 2>&1 | tail -n 12)
done
