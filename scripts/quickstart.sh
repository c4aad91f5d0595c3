#!/usr/bin/env bash
# From a bare Debian 12 to a tuned network: installs what is missing, builds hpsearch and one training program, and
# tunes it on Fashion-MNIST. Run again, it goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_packages $ENGINE_PACKAGES $(objective_packages)
cmake --preset release -DHPSEARCH_TESTS=OFF >build.log 2>&1 || { tail -n 30 build.log >&2; exit 1; }
echo "building (a few minutes; build.log has the details)"
cmake --build --preset release --target hpsearch fashion_cnn >>build.log 2>&1 || { tail -n 30 build.log >&2; exit 1; }
exec build/release/bin/hpsearch run configs/fashion_mnist.json --resume
