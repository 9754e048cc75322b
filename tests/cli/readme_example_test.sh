#!/usr/bin/env bash
# usage: readme_example_test.sh README EXAMPLE: the README's C++ block is the example, word for word.
set -euo pipefail
readme=$1 example=$2
block=$(sed -n '/^```cpp$/,/^```$/p' "$readme" | sed '1d;$d')
[[ -n $block ]] || { echo "no C++ block in $readme"; exit 1; }
diff <(printf '%s\n' "$block") "$example" || { echo "$readme and $example differ"; exit 1; }
echo "identical"
