// The comparison with other sandboxes: its figures, ratios and report, and that it finds the programs of the jobs.

import assert from 'node:assert/strict';
import test from 'node:test';

import { distinct, idleProgram, kFileBytes, makeJobs } from '../../benchmarks/peers/jobs.mjs';
import { figure, median, ratio, renderReport, shown } from '../../benchmarks/peers/table.mjs';

const slice = (peer, job, samples, more = {}) => ({ kind: 'slice', peer, job, samples, ...more });
const peerNamed = (peer, title, boundary) => ({ kind: 'peer', peer, title, boundary, version: '1', command: title });
const run = { kind: 'run', command: './dev peers', at: 'now', rounds: 2, durationMs: 10,
  machine: { processor: 'P', processors: 2, memoryMib: 1, system: 'S', load: '0' } };

test('a median is a sample, whatever their order', () => {
  assert.equal(median([10, 9, 1]), 9);
  assert.equal(median([4, 3, 2, 1]), 2);
  assert.equal(median([7]), 7);
  assert.equal(median([]), undefined);
});

test('a figure is over the samples of all rounds', () => {
  const records = [slice('a', 'J1', [1, 2], { round: 0 }), slice('a', 'J1', [9], { round: 1 }), slice('b', 'J1', [50])];
  assert.deepEqual(figure(records, 'a', 'J1'), { value: 2 });
  assert.equal(figure(records, 'a', 'J2'), undefined);
});

test('throughput is the best median over the rounds, and apart from the times of single calls', () => {
  const rate = (callers, samples) => slice('a', 'J1', samples, { callers });
  const records = [slice('a', 'J1', [5]), rate(1, [100]), rate(1, [90]), rate(1, [80]), rate(2, [150]), rate(2, [20]),
    rate(2, [95])];
  assert.deepEqual(figure(records, 'a', 'J1/s'), { callers: 2, value: 95 });
  assert.equal(figure(records, 'a', 'J1').value, 5);
});

test('one failure makes the figure a failure', () => {
  const records = [slice('a', 'J3', [5]), { kind: 'slice', peer: 'a', job: 'J3', error: 'wrong result' }];
  assert.deepEqual(figure(records, 'a', 'J3'), { error: 'wrong result' });
});

test('a ratio above one says that Cordon is ahead', () => {
  assert.equal(ratio({}, { value: 2 }, { value: 40 }), 20);
  assert.equal(ratio({ moreIsBetter: true }, { value: 1000 }, { value: 50 }), 20);
  assert.equal(ratio({}, { value: 2 }, { value: 1 }), 0.5);
  assert.equal(ratio({}, { error: 'x' }, { value: 1 }), undefined);
  assert.equal(ratio({}, undefined, { value: 1 }), undefined);
  assert.equal(ratio({}, { value: 1 }, { value: -1 }), undefined);
});

test('numbers have three digits, or all before the point', () => {
  assert.deepEqual([0.987, 9.876, 98.76, 987.6, 9876].map(shown), ['0.99', '9.88', '98.8', '988', '9876']);
});

test('the report has figures, ratios, failures and those who did not run', () => {
  const report = renderReport([run, peerNamed('cordon', 'Cordon', 'process'), peerNamed('slow', 'Slow', 'none'),
    { kind: 'skip', peer: 'gone', reason: 'not installed' },
    slice('cordon', 'J1', [2]), slice('cordon', 'J1', [1000], { callers: 4 }), slice('cordon', 'J3', [50]),
    slice('slow', 'J1', [41]), slice('slow', 'J1', [50], { callers: 1 }),
    { kind: 'slice', peer: 'slow', job: 'J3', error: 'wrong result' }, slice('cordon', 'J7', [4])]);
  assert.match(report, /^\|  \| J1, ms \| J1 per second \| J3, ms \| J7, ms \|$/m);
  assert.match(report, /^\| Cordon \| 2\.00 \| 1000 \(4 callers\) \| 50\.0 \| 4\.00 \|$/m);
  assert.match(report, /^\| \*Slow\* \| 41\.0 \(×20\.5\) \| 50\.0 \(×20\.0, 1 caller\) \| failed \| – \|$/m);
  assert.match(report, /^- gone: not run, not installed$/m);
  assert.match(report, /^- slow, J3: failed, wrong result$/m);
});

test('the jobs have their programs, and no two calls the same source', () => {
  const jobs = makeJobs('/file');
  for (const { program } of Object.values(jobs)) {
    for (const how of ['import', 'argument']) assert.match(program(how), /^export default /m);
  }
  assert.match(jobs.J2.program('import'), /from 'fino:ai\/sandbox\/capabilities'/);
  assert.doesNotMatch(jobs.J2.program('argument'), /import/);
  assert.notEqual(distinct(idleProgram()), distinct(idleProgram()));
});

test('a wrong result is seen', () => {
  const jobs = makeJobs('/file');
  jobs.J1.check(42);
  assert.throws(() => jobs.J1.check(41));
  jobs.J6.check(JSON.parse(JSON.stringify(jobs.J6.argument)));
  assert.throws(() => jobs.J6.check(jobs.J6.argument.slice(1)));
  jobs.J7.check(kFileBytes);
  assert.throws(() => jobs.J3.check('no'));
});
