#!/usr/bin/env bash
# Installs missing dependencies: Debian packages, and npm packages for web/.
#
#   scripts/setup.sh                build and test dependencies
#   scripts/setup.sh lint           for `make lint` and `make format`
#   scripts/setup.sh fuzz           for `make fuzz`
#   scripts/setup.sh torch          libtorch, for the built-in models
#   scripts/setup.sh torch-pip      or PyTorch from pip, below build/torch (docs/nvidia.md)
#   scripts/setup.sh python         python3 with PyTorch, for the tests of the Python agent
#   scripts/setup.sh transformers   and transformers from pip beside PyTorch from pip
#   scripts/setup.sh mpi            Open MPI, used by some tests if installed
#   scripts/setup.sh slurm          a Slurm to be started by the tests of sweeps on it
#   scripts/setup.sh nsight         nsys and ncu, used by some tests if installed
#   scripts/setup.sh web            build tools of the embedded web pages
#   scripts/setup.sh browser        headless browser for the tests of these pages
#   scripts/setup.sh build lint     several groups at once
#
# If nothing is missing, it prints nothing, changes nothing and needs neither root nor
# network. Only installing needs root.
#
# Versions: Debian's security updates replace a package's version and remove the old one,
# so an exact `package=version` stops installing one day. The tables below therefore give
# the oldest version known to work (that of Debian 12), and dpkg compares with it.
set -euo pipefail

readonly build_packages="
  g++                 4:12.2
  make                4.3
  cmake               3.25.1
  ninja-build         1.11
  lld                 1:14.0
  pkgconf             1.8
  git                 1:2.39
  libyaml-dev         0.2.5
  libgmp-dev          2:6.2.1
  libfmt-dev          9.1.0
  nettle-dev          3.8
  libpcre2-dev        10.40
  libsimdjson-dev     3.0
  libsqlite3-dev      3.40
  libcpp-httplib-dev  0.11.4
  zlib1g-dev          1:1.2.13
  libpng-dev          1.6.39
  libjpeg62-turbo-dev 1:2.1
  libwebp-dev         1.2.4
  libcairo2-dev       1.16.0
  libpango1.0-dev     1.50.12
  fonts-dejavu-core   2.37
  nlohmann-json3-dev  3.11.2
  libgtest-dev        1.12.1
  libgmock-dev        1.12.1
  libbenchmark-dev    1.7.1
"
readonly lint_packages="
  clang-format        1:14.0
  clang-tidy          1:14.0
"
readonly fuzz_packages="
  clang               1:14.0
  libclang-rt-14-dev  1:14.0
  lld                 1:14.0
"

# OpenBLAS with OpenMP: the pthreads build ignores libtorch's thread count.
readonly torch_packages="
  libtorch-dev        1.13
  libopenblas0-openmp 0.3.21
"
# Any release from 2.6 on builds; this one is tested. TORCH_VERSION selects another one.
readonly torch_version=${TORCH_VERSION:-2.13.0}
# The agent supports 4.30 and later; this one is tested. TRANSFORMERS_VERSION selects another.
readonly transformers_version=${TRANSFORMERS_VERSION:-5.23.0}
readonly python_packages="
  python3             3.11
  python3-torch       1.13
"
# Debian's Slurm loads PMIx by the name that only this package has: libpmix.so.
readonly mpi_packages="
  openmpi-bin         4.1.4
  libpmix-dev         4.2.2
"
# Not enabled as services: the tests start the daemons themselves.
readonly slurm_packages="
  slurmctld           22.05
  slurmd              22.05
  slurm-client        22.05
  munge               0.5.15
"
readonly browser_packages="
  chromium-headless-shell 120
  fonts-dejavu-core   2.37
"
readonly nsight_packages="
  nsight-systems      2022.4.2
  nsight-compute      2022.3.0
"

say() { echo "setup: $*" >&2; }

fail() {
  say "$*"
  exit 1
}

# Prints the installed version of package $1, nothing if it is not installed.
installed_version() {
  dpkg-query --show --showformat='${db:Status-Status} ${Version}\n' "$1" 2>/dev/null |
    sed -n 's/^installed //p' || true # dpkg-query fails for a name it has never seen.
}

# Prints the names in the table $1 ("name minimum" lines) that are absent or too old.
missing_of() {
  local name minimum version
  while read -r name minimum; do
    [[ -n "$name" ]] || continue
    version=$(installed_version "$name")
    if [[ -z "$version" ]] || dpkg --compare-versions "$version" lt "$minimum"; then
      echo "$name"
    fi
  done <<<"$1"
}

table_of() {
  case "$1" in
    build) echo "$build_packages" ;;
    lint) echo "$lint_packages" ;;
    fuzz) echo "$fuzz_packages" ;;
    torch) echo "$torch_packages" ;;
    python) echo "$python_packages" ;;
    mpi) echo "$mpi_packages" ;;
    browser) echo "$browser_packages" ;;
    slurm) echo "$slurm_packages" ;;
    *) fail "unknown group '$1'; expected build, lint, fuzz, torch, torch-pip, python, mpi, slurm, transformers, nsight, web or browser" ;;
  esac
}

# Runs a command as root; fails without root and sudo.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  else
    command -v sudo >/dev/null && sudo "$@"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq "$@"
}

# Installs the packages given as arguments.
install() {
  if [[ $(id -u) -ne 0 ]] && ! command -v sudo >/dev/null; then
    fail "not installed: $*. Run as root: apt-get install --no-install-recommends $*"
  fi
  say "installing from Debian: $*"
  apt_get update
  apt_get install -y --no-install-recommends "$@" >&2
}

# The package source of this system: "<address> <release>" of the component main.
debian_source() {
  local release
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
    awk -v release="$release" '$2 == release && $3 == "main" { print $1, $2; exit }'
}

# Nsight is in Debian's component non-free, which most systems do not list.
add_non_free() {
  apt-cache show nsight-systems >/dev/null 2>&1 && return
  local address release
  read -r address release < <(debian_source) || return 1
  say "adding the component non-free of $release to the package sources"
  as_root tee /etc/apt/sources.list.d/ridgeline-non-free.list >/dev/null \
    <<<"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $address $release contrib non-free"
}

# nsys and ncu are optional: a failure is only reported, and tests that use them are
# skipped.
setup_nsight() {
  command -v nsys >/dev/null && command -v ncu >/dev/null && return
  if [[ -e /proc/driver/nvidia ]]; then
    # Debian's packages include a driver library that may not match the driver in use.
    say "nsys or ncu not found in PATH; install the versions that match your driver"
    return
  fi
  local -a missing
  mapfile -t missing < <(missing_of "$nsight_packages")
  if ! add_non_free || ! (install "${missing[@]}"); then
    say "nsys and ncu could not be installed; tests that use them will be skipped"
  fi
}

# Whether a Python has this version of a package, with any local part ("2.13.0+cpu").
has_version() { # python package version
  "$1" -c "import importlib.metadata as m
exit(m.version('$2').split('+')[0] != '$3')" 2>/dev/null
}

# PyTorch in a separate virtual environment, which build/torch/libtorch points to: pip
# chooses the build, with CUDA where the release for this machine has it.
setup_torch_pip() {
  local folder
  folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/torch
  local python=$folder/venv/bin/python
  has_version "$python" torch "$torch_version" && return
  python3 -c 'import ensurepip' 2>/dev/null || install python3 python3-venv
  say "installing with pip: torch $torch_version, into $folder"
  mkdir -p "$folder"
  python3 -m venv "$folder/venv"
  "$python" -m pip install --quiet --disable-pip-version-check "torch==$torch_version" >&2
  ln -sfn "$("$python" -c 'import importlib.util as u
print(u.find_spec("torch").submodule_search_locations[0])')" "$folder/libtorch"
}

# transformers in the same environment: it finds PyTorch there and brings none along.
setup_transformers() {
  setup_torch_pip
  local python
  python=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/torch/venv/bin/python
  has_version "$python" transformers "$transformers_version" && return
  say "installing with pip: transformers $transformers_version"
  "$python" -m pip install --quiet --disable-pip-version-check \
    "transformers==$transformers_version" >&2
}

# node and npm, and the packages pinned by web/package-lock.json.
setup_web() {
  local web
  web=$(cd "$(dirname "${BASH_SOURCE[0]}")/../web" && pwd)
  [[ "$web/node_modules/.installed" -nt "$web/package-lock.json" ]] && return
  command -v node >/dev/null && command -v npm >/dev/null || install nodejs npm
  say "installing from npm: $(cd "$web" && node -p \
    'Object.entries({...require("./package.json").dependencies, ...require("./package.json").devDependencies}).map((p) => p.join(" ")).join(", ")')"
  (cd "$web" && npm ci --ignore-scripts --silent >&2)
  touch "$web/node_modules/.installed"
}

main() {
  command -v dpkg-query >/dev/null ||
    fail "not a Debian system; docs/dependencies.md lists the dependencies to install"
  [[ $# -gt 0 ]] || set -- build

  local group table
  local -a missing=() groups=()
  for group in "$@"; do
    case "$group" in
      nsight) setup_nsight ;;
      torch-pip) setup_torch_pip ;;
      transformers) setup_transformers ;;
      web) setup_web ;;
      *) groups+=("$group") ;;
    esac
  done
  set -- "${groups[@]}"
  for group in "$@"; do
    table=$(table_of "$group")
    mapfile -t -O "${#missing[@]}" missing < <(missing_of "$table")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0

  install "${missing[@]}"

  # An older Debian installs versions that are too old to build with.
  local -a still=()
  for group in "$@"; do
    table=$(table_of "$group")
    mapfile -t -O "${#still[@]}" still < <(missing_of "$table")
  done
  [[ ${#still[@]} -eq 0 ]] ||
    fail "too old in this system's package archive: ${still[*]} (needs Debian 12 or newer)"
  say "done"
}

main "$@"
