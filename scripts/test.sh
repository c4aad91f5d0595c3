#!/usr/bin/env bash
# Installs what is missing, builds everything with ASan and UBSan in the engine, and runs all tests. Those that run the
# program from outside take the one that users get.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_packages $ENGINE_PACKAGES $(objective_packages) $TEST_PACKAGES
cmake --preset release -DHPSEARCH_TESTS=OFF
cmake --build --preset release --target hpsearch
cmake --preset dev -DHPSEARCH_TESTS=ON -DHPSEARCH_TESTED_PROGRAM="$PWD/build/release/bin/hpsearch"
cmake --build --preset dev
# Machines are shared and a test of several of them can be unlucky: what fails is tried once more, and said.
exec ctest --preset dev -j "$(nproc)" -LE slow --timeout 300 --repeat until-pass:2
