#!/usr/bin/env bash
# usage: runner_test.sh CASE_RUNNER: the runner itself, with case files that are good and that are not.
set -euo pipefail
runner=$1
here=$(cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
unset CORDON_CASES
fail() { echo "FAILED: $*"; cat -- "$scratch/out"; exit 1; }

# Runs all cases of a file; sets `status`, leaves the output in $scratch/out.
run() {
  status=0
  "$runner" --disputed "$scratch/disputed" "$@" >"$scratch/out" 2>&1 || status=$?
}
last_line_is() { [[ $(tail -n 1 -- "$scratch/out") == "$1" ]] || fail "the last line is not: $1"; }
says() { grep -qE -- "$1" "$scratch/out" || fail "it does not say: $1"; }
count() { wc -l <"$here/$1.jsonl"; }
: >"$scratch/disputed"

run "$here/passing.jsonl"
if grep -q '^skipped' "$scratch/out"; then
  cat -- "$scratch/out"
  exit 77
fi
((status == 0)) || fail "a case that holds fails"
last_line_is "1 passed, 0 failed, 0 skipped"
CORDON_CASES=$here/passing.jsonl run
last_line_is "1 passed, 0 failed, 0 skipped"

run "$here/good.jsonl"
((status == 0)) || fail "a good case fails"
last_line_is "$(count good) passed, 0 failed, 0 skipped"

# Each expectation is wrong, so each must be seen to be.
run "$here/wrong.jsonl"
((status == 1)) || fail "wrong expectations end with $status"
last_line_is "0 passed, $(count wrong) failed, 0 skipped"
says '^  - expected result 2$'
says '^  outcome: \{"ok":true,"result":"1"'
! grep -q 'does not know' "$scratch/out" || fail "a wrong case is taken for an unknown one"

# Each holds something that the runner has no code for: none may pass for that.
run "$here/unknown.jsonl"
((status == 1)) || fail "unknown wordings end with $status"
last_line_is "0 passed, $(count unknown) failed, 0 skipped"
(($(grep -c '^  - the runner does not know ' "$scratch/out") == $(count unknown))) ||
  fail "not every unknown wording is named"

run "$here/skipped.jsonl"
((status == 0)) || fail "a skipped case is a failure"
last_line_is "0 passed, 0 failed, 1 skipped"
says '^skipped one: there is no /nonexistent/tool here$'

# A process that dies, or that says nothing, fails its case.
printf '#!/bin/sh\nkill -SEGV $$\n' >"$scratch/crashing"
printf '#!/bin/sh\nsleep 600\n' >"$scratch/silent"
chmod +x "$scratch/crashing" "$scratch/silent"
run --parent "$scratch/crashing" "$here/passing.jsonl"
((status == 1)) || fail "a crash is not a failure"
last_line_is "0 passed, 1 failed, 0 skipped"
says 'the parent crashed: signal 11'
run --parent "$scratch/silent" --time-scale 0.01 "$here/passing.jsonl"
((status == 1)) || fail "a hang is not a failure"
says 'the run went past 600 ms'

# A disputed case is run and fails like any other; the reason stands beside it.
echo 'result: this is only a test' >"$scratch/disputed"
run --case result "$here/wrong.jsonl"
((status == 1)) || fail "a disputed case ends with $status"
says '^failed \(disputed: this is only a test\) result: '

run --case nobody "$here/passing.jsonl"
((status == 2)) || fail "a case that is not there ends with $status"
printf 'not json\n' >"$scratch/bad.jsonl"
run "$scratch/bad.jsonl"
((status == 2)) && says 'bad.jsonl:1: ' || fail "a file that is no case file ends with $status"
run "$scratch/none.jsonl"
((status == 2)) || fail "a file that is not there ends with $status"
echo "passed"
