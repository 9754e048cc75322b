#!/usr/bin/env bash
# usage: streams_test.sh PATH-TO-CORDON: standard streams that are closed, full, or that nobody reads.
set -euo pipefail
cordon=$1
fail() { echo "FAILED: $*"; cat out err 2>/dev/null || true; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"

echo 'export default () => { console.log("{\"v\":1,\"seq\":1,\"forged\":true}"); return 1; };' >says.ts
status=0
"$cordon" run says.ts >out 2>err || status=$?
((status != 3)) || { echo "skipped: the sandbox cannot be had on this host"; cat err; exit 77; }
[[ $status == 0 && $(<out) == 1 ]] || fail "it runs"

# What is opened later must not become a standard stream.
"$cordon" run says.ts --audit=closed.log >out 2>&- || fail "standard error may be closed"
grep -q forged closed.log && fail "console text is in the audit log"
"$cordon" audit verify closed.log >/dev/null || fail "the audit log is good"
status=0
"$cordon" run says.ts --audit=no-out.log >&- 2>err || status=$?
((status == 1)) || fail "a result that cannot be written is an error"
grep -q 'could not be written to standard output' err || fail "it says so"
"$cordon" audit verify no-out.log >/dev/null || fail "the audit log is good without standard output"
printf '{"id":1,"source":"export default () => 1;"}\n' >jobs.jsonl
"$cordon" batch jobs.jsonl -o all.jsonl --report=report.html <&- >&- 2>&- || fail "all three may be closed"
[[ $(wc -l <all.jsonl) == 1 ]] && grep -q '"verdict":"passed"' all.jsonl || fail "the output holds answers alone"
[[ $(head -c 9 report.html | tr a-z A-Z) == '<!DOCTYPE' ]] || fail "the report begins as a page does"

# Nobody reads standard error: the result is there all the same.
mkfifo gone
exec 8<>gone 9>gone 8<&-
"$cordon" run says.ts >out 2>&9 || fail "whoever reads standard error may go away"
[[ $(<out) == 1 ]] || fail "the result is whole"
exec 9>&-

# A file that may not grow is an error, which leaves nothing behind.
cat >writes.ts <<'END'
import { writeText } from 'fino:ai/sandbox/capabilities';
export default async (path: string) => {
  try { await writeText(path, 'x'.repeat(30_000_000)); return 'written'; }
  catch (error) { return error.message; }
};
END
mkdir files
(ulimit -f 20000
  "$cordon" run writes.ts --allow-write="$scratch/files" --max-write-bytes=60000000 -- "$scratch/files/big" >out 2>err) ||
  fail "a limit of file sizes ends nothing"
grep -q 'file too large' out || fail "it says what is wrong"
[[ -z $(ls -A files) ]] || fail "nothing is left of the file"
printf '{"id":%d,"source":"export default () => \\"x\\".repeat(9000000);"}\n' 1 2 3 >big.jsonl
status=0
(ulimit -f 20000; "$cordon" batch big.jsonl -o big.out --max-result-bytes=16000000 >out 2>err) || status=$?
((status < 128)) && grep -qi 'file too large' err || fail "an output that may not grow is an error ($status)"
(ulimit -f 1; "$cordon" run says.ts >out 2>err) || fail "a host whose files may not grow runs programs"

# Standard error that is not read holds up no limit: the call is over, and on record.
cat >floods.ts <<'END'
export default () => { for (;;) console.log('x'.repeat(1000)); };
END
mkfifo unread
exec 9<>unread
"$cordon" run floods.ts --timeout=1s --max-console-bytes=1000000 --audit=flood.log >out 2>&9 9>&- &
run=$!
for ((i = 0; i < 300; i++)); do
  grep -q '"capability":"execute"' flood.log 2>/dev/null && break
  sleep 0.1
done
grep -q '"capability":"execute"' flood.log || { kill -9 "$run"; fail "the limit does not hold"; }
cat <&9 >/dev/null &
reader=$!
status=0
wait "$run" || status=$?
kill "$reader"
((status == 124)) || fail "it ends as timed out ($status)"
echo "passed"
