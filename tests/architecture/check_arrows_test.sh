#!/usr/bin/env bash
# usage: check_arrows_test.sh ROOT: the rule holds for ROOT, and the check would notice if it did not.
set -euo pipefail
root=$1
check=$(dirname -- "$0")/check_arrows.sh
fail() { echo "FAILED: $*"; exit 1; }

tree=$(mktemp -d)
trap 'rm -rf -- "$tree"' EXIT
mkdir -p "$tree"/{messages,engine,capabilities/include/cordon,audit,actors/include/cordon,cli}
touch "$tree"/capabilities/include/cordon/options.h "$tree"/actors/include/cordon/sandbox.h
printf '#include "messages/frame.h"\n#include <vector>\n' >"$tree/engine/good.cpp"
printf '#include "audit/chain.h"\n#include <cordon/options.h>\n' >"$tree/actors/good.cpp"
printf '#include <cordon/sandbox.h>\n' >"$tree/cli/good.cpp"
"$check" "$tree" || fail "a tree that keeps the rule passes"

breaks_the_rule() { # FILE INCLUDE
  printf '\n  #  include %s\n' "$2" >"$tree/$1"
  local said
  if said=$("$check" "$tree"); then fail "$1 may not include $2"; fi
  [[ $said == "$1:2: "* ]] || fail "the place is named: $said"
  rm -- "$tree/$1"
}
breaks_the_rule messages/bad.h '"audit/chain.h"'
breaks_the_rule engine/bad.cpp '"capabilities/operation.h"'
breaks_the_rule engine/bad.h '<cordon/options.h>'
breaks_the_rule capabilities/bad.cpp '"audit/chain.h"'
breaks_the_rule capabilities/bad.cpp '<cordon/sandbox.h>'
breaks_the_rule audit/bad.cpp '"actors/pool.h"'
breaks_the_rule actors/bad.cpp '"engine/script_engine.h"'
breaks_the_rule actors/bad.cpp '"cli/units.h"'
breaks_the_rule cli/bad.cpp '"engine/script_engine.h"'
"$check" "$tree" || fail "the tree is good again"

"$check" "$root" || fail "an include points upwards"
echo "passed"
