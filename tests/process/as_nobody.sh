#!/bin/sh
# usage: as_nobody.sh PROGRAM: runs it as an ordinary user; 77 where that is impossible.
if [ "$(id -u)" -ne 0 ]; then
  echo "not root: the tests run as an ordinary user anyway"
  exit 77
fi
as_nobody() { setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs "$@"; }
if ! as_nobody test -x "$1"; then
  echo "an ordinary user cannot reach $1"
  exit 77
fi
cd / && as_nobody "$1"
