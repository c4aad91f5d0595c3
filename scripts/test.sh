#!/usr/bin/env bash
# Installs what is missing, builds everything with ASan and UBSan in the engine, and runs all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_packages $ENGINE_PACKAGES $(objective_packages) $TEST_PACKAGES
cmake --preset dev -DHPSEARCH_TESTS=ON
cmake --build --preset dev
exec ctest --preset dev -j "$(nproc)"
