#!/usr/bin/env bash
# usage: dev_script_test.sh PATH-TO-DEV: what the script says and how it ends, where nothing is built.
set -euo pipefail
dev=$1
fail() { echo "FAILED: $*"; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"
export TMPDIR=$scratch  # for the logs that are kept

"$dev" help | grep -q '^usage: ./dev COMMAND' || fail "help shows the usage"
"$dev" | grep -q '^usage: ./dev COMMAND' || fail "no command shows the usage"

status=0
"$dev" frobnicate >out 2>err || status=$?
((status == 2)) || fail "an unknown command is a usage error"
[[ ! -s out ]] && grep -q '^usage:' err || fail "usage errors go to standard error"

status=0
"$dev" build frobnicate >out 2>err || status=$?
((status == 1)) && grep -q 'no preset frobnicate' err || fail "an unknown preset is named"
[[ ! -s out ]] || fail "standard output is left alone"

# A system without the packages: the script finds dpkg-query and friends through PATH.
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
printf '#!/bin/sh\nexit 1\n' >bin/sudo
printf '#!/bin/sh\necho "$*" >>"%s/apt-calls"\nexit 1\n' "$scratch" >bin/apt-get
chmod +x bin/*
status=0
PATH=$scratch/bin:$PATH CORDON_ANY_SYSTEM=1 "$dev" setup >out 2>err || status=$?
((status != 0)) || fail "a failed installation is a failure"
grep -q 'installing Debian packages: g++ cmake' err || fail "what will be installed is named first"
if ((EUID == 0)); then
  (($(grep -c '^update' apt-calls) == 2)) || fail "the package lists are tried twice"
else
  grep -q 'Run once as root' err || fail "who cannot install is told what to run"
fi
[[ ! -s out ]] || fail "standard output is left alone"

# Everything there: nothing is installed.
rm -f apt-calls
printf '#!/bin/sh\nshift 3\nfor p; do echo "installed $p"; done\n' >bin/dpkg-query
PATH=$scratch/bin:$PATH CORDON_ANY_SYSTEM=1 "$dev" setup >out 2>err || fail "setup with all packages"
[[ ! -s out && ! -s err && ! -e apt-calls ]] || fail "setup is silent when nothing is missing"
echo "passed"
