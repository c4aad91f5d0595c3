# Sourced by the other scripts: installs Debian packages that are missing, as root or through sudo.

ENGINE_PACKAGES="g++ cmake ninja-build ccache libboost1.81-dev libboost-filesystem1.81-dev nlohmann-json3-dev
  libsqlite3-dev libcli11-dev libre2-dev libmd-dev pkg-config"
OBJECTIVE_PACKAGES="libtorch-dev libgloo-dev zlib1g-dev dataset-fashion-mnist"
TEST_PACKAGES="libgtest-dev python3 procps sqlite3"
FLEET_PACKAGES="openssh-server openssh-client iproute2 slurm-wlm munge tcsh"

missing_packages() {
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done
}

install_packages() {
  local missing sudo=""
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "these packages are missing and this is not root:" $missing >&2; return 1; }
    sudo=sudo
  fi
  echo "installing:" $missing
  $sudo apt-get update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# LibTorch chosen by CMAKE_PREFIX_PATH or already there needs no package; HPSEARCH_NO_TORCH=1 does without.
objective_packages() {
  if [ -n "${HPSEARCH_NO_TORCH:-}" ]; then echo zlib1g-dev
  elif [ -n "${CMAKE_PREFIX_PATH:-}" ]; then echo zlib1g-dev dataset-fashion-mnist
  else echo $OBJECTIVE_PACKAGES; fi
}
