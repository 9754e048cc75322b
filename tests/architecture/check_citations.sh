#!/usr/bin/env bash
# usage: check_citations.sh ROOT DOCUMENT: each test that the document cites is in the sources.
#
# A citation is `tests/FOLDER/FILE` or `tests/FOLDER/FILE: name of the case`, between backquotes. Prints
# each that is not found; a document without citations fails as well.
set -euo pipefail
root=$1
document=$2

citations=0
failed=0
while IFS= read -r citation; do
  citations=$((citations + 1))
  file=${citation%%: *}
  if [[ ! -e $root/$file ]]; then
    echo "$document: there is no $file"
    failed=1
  elif [[ $citation == *": "* ]]; then
    name=${citation#*: }
    # A name may begin on the line after, and may be cut into two literals by the formatter.
    if ! tr -d '\n' <"$root/$file" | sed -E 's/"[[:space:]]+"//g; s/TEST_CASE\([[:space:]]+/TEST_CASE(/g' |
      grep -qF "TEST_CASE(\"$name\""; then
      echo "$document: $file has no case \"$name\""
      failed=1
    fi
  fi
done < <(grep -oE '`tests/[^`]+`' "$document" | tr -d '`')

if ((citations == 0)); then
  echo "$document: cites no test"
  failed=1
fi
exit "$failed"
