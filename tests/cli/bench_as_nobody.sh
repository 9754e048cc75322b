#!/bin/sh
# usage: bench_as_nobody.sh CORDON: memory that an ordinary user may not read is left out by name, never a figure.
# 77 where an ordinary user cannot run it.
set -u
as_user() {
  if [ "$(id -u)" -ne 0 ]; then "$@"; else
    setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs "$@"
  fi
}
cd /
if ! as_user test -x "$1"; then
  echo "an ordinary user cannot reach $1"
  exit 77
fi
fail() {
  echo "$1:"
  echo "$output"
  exit 1
}
output=$(as_user "$1" bench --jobs=J1,J4 --calls=3 --warm-up=1 --sandboxes=1 2>&1)
code=$?
if [ $code -eq 3 ]; then
  echo "cordon-test-skipped: $output"
  exit 77
fi
[ $code -eq 0 ] || fail "exit code $code"
echo "$output" | grep -q '^bench: J4 is left out: only root may read' || fail "J4 is not named as left out"
echo "$output" | grep -q '^J1 .* -$' || fail "no line of J1 whose engine's memory is unknown"
echo "$output" | grep -q '^J4 ' && fail "a figure of J4"
output=$(as_user "$1" bench --jobs=J4 --sandboxes=1 2>&1)
code=$?
[ $code -eq 1 ] || fail "exit code $code where nothing could be measured"
