#!/usr/bin/env bash
# usage: check_citations_test.sh CHECK ROOT: the real document passes, wrong ones do not.
set -euo pipefail
check=$1
root=$2

bash "$check" "$root" "$root/docs/security.md"

scene=$(mktemp -d)
trap 'rm -rf "$scene"' EXIT
mkdir -p "$scene/tests/a"
printf 'TEST_CASE("one case") {}\nTEST_CASE(\n    "another, "\n    "longer case") {}\n' >"$scene/tests/a/b_test.cpp"

passes() { printf '%s\n' "$1" >"$scene/doc.md" && bash "$check" "$scene" "$scene/doc.md"; }
fails() { # DOCUMENT WORDS
  printf '%s\n' "$1" >"$scene/doc.md"
  if said=$(bash "$check" "$scene" "$scene/doc.md"); then
    echo "passed: $1" && exit 1
  fi
  [[ $said == *"$2"* ]] || { echo "said: $said" && exit 1; }
}

passes '| claim | `tests/a/b_test.cpp: one case`, `tests/a/b_test.cpp: another, longer case`, `tests/a/b_test.cpp` |'
fails 'no tests at all' 'cites no test'
fails '`tests/a/c_test.cpp: one case`' 'there is no tests/a/c_test.cpp'
fails '`tests/a/b_test.cpp: one`' 'has no case "one"'
fails '`tests/a/b_test.cpp: one case` `tests/a/b_test.cpp: two`' 'has no case "two"'
