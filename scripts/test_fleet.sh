#!/usr/bin/env bash
# Runs the tests of several machines, after scripts/test.sh has built everything: ssh hosts in network namespaces, a Slurm
# cluster, GPUs of a stand-in driver. As root; where a namespace can't be had, a test is skipped and says why.
# With an argument, that is the label of tests to leave out: "slow" ones wait for minutes of Slurm's clock.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_packages $FLEET_PACKAGES
# Machines are shared and what happens between several of them can be unlucky: what fails is tried twice more, and said.
exec ctest --preset dev -j "$(nproc)" -L fleet ${1:+-LE "$1"} --timeout 600 --repeat until-pass:3
