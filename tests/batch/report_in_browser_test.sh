#!/bin/sh
# The report in a real browser: hostile ids, errors and console text stay text, and nothing is run or
# loaded. Exit code 77 where there is no Chromium.
#   report_in_browser_test.sh CORDON HOSTILE_RESULTS
set -eu
cordon=$1
results=$2
browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
  echo "skipped: no chromium"
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$results" "$scratch/results.jsonl"
: >"$scratch/jobs.jsonl"
code=0
"$cordon" batch "$scratch/jobs.jsonl" -o "$scratch/results.jsonl" --resume --quiet \
  --report="$scratch/report.html" || code=$?
if [ "$code" -eq 3 ]; then
  echo "skipped: this host cannot enforce the sandbox"
  exit 77
fi
[ "$code" -eq 0 ]

in_browser() {
  "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$scratch/profile" "$@" "file://$scratch/report.html" 2>"$scratch/browser.log"
}
in_browser --dump-dom >"$scratch/dom.html"
in_browser --window-size=1100,1600 --screenshot="$scratch/report.png" >/dev/null
[ -s "$scratch/report.png" ]
[ -z "${CORDON_KEEP_SCREENSHOT:-}" ] || cp "$scratch/report.png" "$CORDON_KEEP_SCREENSHOT"

fail() {
  echo "failed: $1"
  cat "$scratch/dom.html"
  exit 1
}
# A script that ran would have put PWNED into an attribute or the title.
grep -q 'data-pwned' "$scratch/dom.html" && fail "a script ran"
grep -Eq '<(script|img|iframe|object|embed|link|base|form|a)[ >]' "$scratch/dom.html" &&
  fail "an element came from a job"
grep -q '<title>Batch of ' "$scratch/dom.html" || fail "the title is not the report's"
grep -q '&lt;script&gt;document.documentElement.dataset.pwned' "$scratch/dom.html" ||
  fail "the hostile id is not shown as text"
grep -q 'pass@1' "$scratch/dom.html" || fail "no pass rate"
echo "ok"
