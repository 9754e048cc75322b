// What the audit trail is written in, read by libraries that know nothing of Cordon: its schema by a
// JSON Schema validator, the exports by the CloudEvents SDK and by OTLP's own message types.
// Arguments: the command `cordon`, the schema, the directory of the packages. Exit code 77: no sandbox.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [command, schemaFile, packages] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const Ajv = require('ajv/dist/2020').default;
const { HTTP } = require('cloudevents');
const { ExportLogsServiceRequest } =
  require('@opentelemetry/otlp-transformer/build/src/generated/root').opentelemetry.proto.collector.logs.v1;

const program = `
import { environment, fetchText, readText, secret, writeText } from 'fino:ai/sandbox/capabilities';
export default async (directory: string) => {
  await readText(directory + '/main.ts');
  await writeText(directory + '/out.txt', 'text');
  await environment('MODE');
  await secret('"quoted"\\u202e\\n\\u{1f600}').catch(() => {});
  await fetchText('https://a.example/path').catch(() => {});
  await readText('/absent/' + 'x'.repeat(3000)).catch(() => {});
  for (;;) await environment('MODE').catch(() => {});
};`;

const directory = mkdtempSync(join(tmpdir(), 'cordon-formats-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const log = join(directory, 'audit.log');

function cordon(...args) {
  const run = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return { ...run, lines: run.stdout.split('\n').filter((line) => line !== '') };
}

function run(...flags) {
  writeFileSync(join(directory, 'main.ts'), program);
  return cordon('run', join(directory, 'main.ts'), `--allow-read=${directory}`, `--allow-write=${directory}`,
    '--allow-env=MODE=x', '--max-ops=8', '--timeout=500ms', `--audit=${log}`, ...flags, '--', directory);
}

const first = run();
if (first.status === 3) {
  console.log(first.stderr);
  process.exit(77);
}
assert.equal(first.status, 124, first.stderr);
assert.equal(spawnSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', join(directory, 'key.pem')]).status, 0);
assert.equal(run('--audit-rotate-size=2K', `--audit-sign-key=${join(directory, 'key.pem')}`).status, 124);

const files = readdirSync(directory).filter((name) => name.startsWith('audit.log.')).sort();
const lines = [...files, 'audit.log'].flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
  .filter((line) => line !== '');
const all = lines.map((line) => JSON.parse(line));
for (const operation of ['genesis', 'resume', 'rotate', 'checkpoint']) {
  assert(all.some((event) => event.capability === 'audit' && event.operation === operation), operation);
}

// The schema takes every line there is, and not what an event may not be.
const validate = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true })
  .compile(JSON.parse(readFileSync(schemaFile, 'utf8')));
for (const event of all) assert(validate(event), JSON.stringify([event, validate.errors]));
const read = all.find((event) => event.capability === 'filesystem.read');
const genesis = all[0];
const wrong = [
  { ...read, extra: 1 }, { ...read, v: 2 }, { ...read, seq: 0 }, { ...read, outcome: 'maybe' },
  { ...read, hash: 'x' }, { ...read, target: 'a\u202eb' }, { ...read, operation: 'readText' },
  { ...read, sandbox: '' }, { ...read, capability: 'filesystem' }, { ...read, prev: undefined },
  { ...genesis, sandbox: 'c-1' }, { ...genesis, operation: 'other' }, { ...genesis, target: 'x' },
];
for (const event of wrong) assert(!validate(JSON.parse(JSON.stringify(event))), JSON.stringify(event));

// CloudEvents: the SDK validates, and gives back what the log holds.
const asked = cordon('audit', 'query', log, '--json', '--all').lines;
assert.deepEqual(asked, lines);
const clouds = cordon('audit', 'export', log, '--format=cloudevents', '--all').lines;
assert.equal(clouds.length, all.length);
clouds.forEach((body, i) => {
  const event = HTTP.toEvent({ headers: { 'content-type': 'application/cloudevents+json' }, body });
  assert(event.validate());
  assert.deepEqual(event.data, all[i]);
  assert.equal(event.id, all[i].hash);
  assert.equal(event.type, `fino.ai.sandbox.${all[i].capability}`);
  assert.equal(Date.parse(event.time), all[i].timestamp);
});

// OTLP: through the wire form of its own message type and back, nothing is lost or unknown.
const exported = cordon('audit', 'export', log, '--format=otlp', '--all').lines.map((line) => JSON.parse(line));
const records = [];
for (const request of exported) {
  const wire = ExportLogsServiceRequest.encode(ExportLogsServiceRequest.fromObject(request)).finish();
  const back = ExportLogsServiceRequest.toObject(ExportLogsServiceRequest.decode(wire), { longs: String });
  assert.deepEqual(JSON.parse(JSON.stringify(back)), request);
  for (const resource of back.resourceLogs) for (const scope of resource.scopeLogs) records.push(...scope.logRecords);
}
assert.equal(records.length, all.length);
records.forEach((record, i) => {
  assert.deepEqual(JSON.parse(record.body.stringValue), all[i]);
  assert.equal(record.timeUnixNano, `${all[i].timestamp}000000`);
  const attributes = Object.fromEntries(record.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  const { v, timestamp, ...members } = all[i];
  const named = Object.entries(members).map(([key, value]) => [
    `cordon.audit.${key}`, Number.isInteger(value) && key !== 'durationMs' ? String(value) : value]);
  assert.deepEqual(attributes, Object.fromEntries(named));
});
console.log(`${all.length} lines read back`);
