#!/usr/bin/env bash
# usage: installed_package_test.sh BUILD SOURCE VERSION COMPILER [FLAGS]
#
# Installs into a staging directory, moves what is there somewhere else, and builds and runs consumers
# that know only that place: with CMake, and with pkg-config. Exit code 77: this host cannot enforce the
# sandbox.
set -euo pipefail
build=$1 source=$2 version=$3 compiler=$4 flags=${5:-}
fail() { echo "FAILED: $*"; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
chmod 755 "$scratch"

DESTDIR=$scratch/stage cmake --install "$build" --prefix /opt/cordon >"$scratch/install.log"
[[ -d $scratch/stage/opt/cordon ]] || fail "DESTDIR is honoured"
mkdir "$scratch/far away"
mv "$scratch/stage/opt/cordon" "$scratch/far away/cordon"
prefix="$scratch/far away/cordon"

echo "== what is installed"
library=$(find "$prefix" -name 'libcordon.so' -print)
[[ -n $library ]] || fail "there is a library"
libdir=$(dirname -- "$library")
for package in esbuild core-js assert; do
  compgen -G "$prefix/share/doc/*/third-party/$package/LICENSE*" >/dev/null ||
    fail "the licence of $package is there"
done
foreign=$(nm -DC --defined-only "$library" | sed 's/^[0-9a-f ]*[A-Za-z] //' |
  grep -vE '^((typeinfo|typeinfo name|vtable) for )?cordon::' | grep -v '@@' || true)
[[ -z $foreign ]] || fail "only Cordon's own names are exported: $foreign"
if grep -rhE '#include [<"]' "$prefix/include/cordon" |
  grep -vE '<(cordon/[a-z_]+\.h|caf/[a-z_/]+\.hpp|nlohmann/json(_fwd)?\.hpp|[a-z_0-9]+)>'; then
  fail "the headers include Cordon's, CAF's and the standard library's alone"
fi
grep -rlZE '<caf/' "$prefix/include/cordon" | xargs -0 -n 1 basename | sort | tr '\n' ' ' |
  grep -qx 'actor_interfaces.h actor_messages.h actors.h tool_actor.h ' || fail "the plain headers need no CAF"

# runs NAME PATTERN COMMAND...: it succeeds and says that; 3 is a host without sandboxes.
runs() {
  local name=$1 pattern=$2 said status=0
  shift 2
  said=$(cd / && "$@" 2>&1) || status=$?
  ((status != 3)) || { echo "skipped: $said"; exit 77; }
  ((status == 0)) || fail "$name ends with $status: $said"
  [[ $said =~ $pattern ]] || fail "$name says $pattern, not: $said"
  echo "$name: runs"
}

consumer() { # NAME CMAKE-ARG...
  local name=$1
  shift
  cmake -S "$source/tests/embed/$name" -B "$scratch/$name" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" \
    -DCORDON_EXAMPLES="$source/examples" "$@" >"$scratch/$name.log" 2>&1
}

echo "== plain C++"
consumer plain -DCORDON_WANTED="$version" || fail "$(cat "$scratch/plain.log")"
cmake --build "$scratch/plain" >"$scratch/plain.log" 2>&1 || fail "$(tail -n 40 "$scratch/plain.log")"
runs embed 'the sum is 6' "$scratch/plain/embed"
runs batch '9592' "$scratch/plain/batch"
runs agent 'result: 3.25' "$scratch/plain/agent"

echo "== CAF service"
consumer caf_service -DCORDON_WANTED="$version" || fail "$(cat "$scratch/caf_service.log")"
cmake --build "$scratch/caf_service" >"$scratch/caf_service.log" 2>&1 ||
  fail "$(tail -n 40 "$scratch/caf_service.log")"
runs caf_service 'ann: denied: .*bob: ok' "$scratch/caf_service/caf_service"

echo "== another version"
if consumer plain -DCORDON_WANTED=99.0; then fail "a version that is not there is not found"; fi
grep -q "version: $version" "$scratch/plain.log" || fail "the version is named: $(cat "$scratch/plain.log")"

echo "== pkg-config"
export PKG_CONFIG_PATH=$libdir/pkgconfig
[[ $(pkg-config --modversion cordon-actors) == "$version" ]] || fail "both files are found"
eval "arguments=($(pkg-config --cflags --libs cordon))"
# shellcheck disable=SC2086 # flags are words
"$compiler" -std=c++20 $flags "$source/examples/embed.cpp" "${arguments[@]}" \
  -o "$scratch/by_pkg_config" || fail "pkg-config has what it takes"
runs by_pkg_config 'the sum is 6' env LD_LIBRARY_PATH="$libdir" "$scratch/by_pkg_config"

echo "== the engine's place"
runs command '"status": *"ok"|3' "$prefix/bin/cordon" run "$source/examples/analyse.ts" \
  --allow-read="$source/examples/data" --allow-env=MODE=test -- "$source/examples/data/prompt.txt"
mv "$prefix/libexec/cordon" "$scratch/engine"
status=0
said=$("$scratch/plain/embed" 2>&1) || status=$?
((status == 3)) || fail "without an engine nothing runs: $status $said"
[[ $said == *cordon-engine* ]] || fail "what is missing is named: $said"
runs overridden 'the sum is 6' env CORDON_LIBEXEC="$scratch/engine" "$scratch/plain/embed"
echo "passed"
