#!/usr/bin/env bash
# usage: check_arrows.sh ROOT: includes point downwards only.
#
#   messages <- engine
#   messages <- capabilities, audit <- actors <- benchmarks <- cli
#
# A public header <cordon/x.h> belongs to the folder that holds include/cordon/x.h. Prints each include
# that breaks the rule; the exit code tells whether there was one.
set -euo pipefail
root=$1

declare -A allowed=(
  [messages]="messages"
  [engine]="messages engine"
  [capabilities]="messages capabilities"
  [audit]="messages audit"
  [actors]="messages capabilities audit actors"
  [benchmarks]="messages capabilities audit actors benchmarks"
  [cli]="messages capabilities audit actors benchmarks cli"
)

owner_of() { # INCLUDE as written, with its quotes or brackets; prints the folder, or nothing
  local name=${1:1:-1} folder
  if [[ $name == cordon/* ]]; then
    for folder in "${!allowed[@]}"; do
      [[ ! -e $root/$folder/include/$name ]] || printf '%s' "$folder"
    done
  elif [[ -n ${allowed[${name%%/*}]:-} && $name == */* ]]; then
    printf '%s' "${name%%/*}"
  fi
}

failed=0
for folder in "${!allowed[@]}"; do
  [[ -d $root/$folder ]] || continue
  while IFS=: read -r file line text; do
    include=$(sed -E 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*([<"][^>"]*[>"]).*/\1/' <<<"$text")
    owner=$(owner_of "$include")
    if [[ -n $owner && " ${allowed[$folder]} " != *" $owner "* ]]; then
      echo "$file:$line: $folder/ must not include $include, which belongs to $owner/"
      failed=1
    fi
  done < <(cd -- "$root" && grep -rnE --include='*.cpp' --include='*.h' --include='*.in' \
    '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<](cordon|messages|engine|capabilities|audit|actors|benchmarks|cli)/' \
    "$folder" || true)
done
exit "$failed"
