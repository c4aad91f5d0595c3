#!/usr/bin/env bash
# Installs what is missing, builds everything with ASan and UBSan in the engine, and runs all tests but those of several
# machines (scripts/test_fleet.sh). Those that run the program from outside take the one that users get.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_packages $ENGINE_PACKAGES $(objective_packages) $TEST_PACKAGES
cmake --preset release -DHPSEARCH_TESTS=OFF
cmake --build --preset release --target hpsearch
cmake --preset dev -DHPSEARCH_TESTS=ON -DHPSEARCH_TESTED_PROGRAM="$PWD/build/release/bin/hpsearch"
cmake --build --preset dev
exec ctest --preset dev -j "$(nproc)" -LE fleet --timeout 300
