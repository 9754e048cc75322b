// The gate's comparison of instruction counts: what passes, what does not, and what it says.

import assert from 'node:assert/strict';
import test from 'node:test';

import { compare, countedInstructions, fails, table } from '../../benchmarks/gate/counts.mjs';

const verdicts = (baseline, now, percent) =>
  Object.fromEntries(compare(baseline, now, percent).map(({ name, verdict }) => [name, verdict]));

test('a count is read from what callgrind writes', () => {
  const file = 'version: 1\npositions: line\nevents: Ir\nsummary: 12345\n\nfn=(1) x\n1 2\ntotals: 12345\n';
  assert.equal(countedInstructions(file), 12345);
  assert.equal(countedInstructions('version: 1\nevents: Ir\n\ntotals: 678\n'), 678);
  assert.equal(countedInstructions('version: 1\nevents: Dr\nsummary: 1\n'), undefined);
  assert.equal(countedInstructions(''), undefined);
});

test('within the tolerance is the same, on either side', () => {
  const baseline = { a: 1000, b: 1000, c: 1000, d: 1000 };
  assert.deepEqual(verdicts(baseline, { a: 1030, b: 1031, c: 970, d: 969 }, 3),
    { a: 'same', b: 'worse', c: 'same', d: 'better' });
});

test('a path without its counterpart is named', () => {
  assert.deepEqual(verdicts({ a: 1, b: 1 }, { b: 1, c: 1 }), { a: 'gone', b: 'same', c: 'new' });
});

test('more work, new paths and lost ones fail; less work passes', () => {
  const failing = (baseline, now) => fails(compare(baseline, now));
  assert.equal(failing({ a: 100 }, { a: 100 }), false);
  assert.equal(failing({ a: 100 }, { a: 50 }), false);
  assert.equal(failing({ a: 100 }, { a: 104 }), true);
  assert.equal(failing({ a: 100 }, {}), true);
  assert.equal(failing({}, { a: 100 }), true);
  assert.equal(failing({ a: 100, b: 100 }, { a: 50, b: 104 }), true);
});

test('the table has both counts, the ratio and what to do', () => {
  const text = table(compare({ fast: 1000, lost: 7, slow: 200 }, { added: 5, fast: 500, slow: 300 }));
  assert.match(text, /^path +baseline +now +ratio$/m);
  assert.match(text, /^fast +1000 +500 +0\.5000 +less: .*--update/m);
  assert.match(text, /^slow +200 +300 +1\.5000 +MORE than the tolerance$/m);
  assert.match(text, /^lost +7 +- +- +no such path/m);
  assert.match(text, /^added +- +5 +- +no baseline: .*--update/m);
});
