// The parent's side of the capabilities, the same for every peer that brings none of its own: grants, a budget of
// operations and bytes, and a record of what was asked.

import { readFile, realpath } from 'node:fs/promises';

const kMostOperations = 100_000;
const kMostBytes = 1 << 30;
const kRemembered = 64;

export function makeHost(grants) {
  const record = [];
  let operations = 0;
  let bytes = 0;

  function account(operation, target) {
    operations += 1;
    if (operations > kMostOperations) throw new Error('denied: too many operations');
    record.push({ operation, target, at: Date.now() });
    if (record.length > kRemembered) record.shift();
  }

  const operationsByName = {
    async environment(name) {
      if (!Object.hasOwn(grants.environment, name)) throw new Error('denied: environment');
      return grants.environment[name];
    },
    async readText(path) {
      const real = await realpath(path);
      if (!grants.read.some((root) => real === root || real.startsWith(`${root}/`))) throw new Error('denied: read');
      const text = await readFile(real, 'utf8');
      bytes += Buffer.byteLength(text);
      if (bytes > kMostBytes) throw new Error('denied: too many bytes');
      return text;
    },
  };

  return {
    async call(operation, target) {
      account(operation, target);
      if (!Object.hasOwn(operationsByName, operation)) throw new Error(`denied: ${operation}`);
      return operationsByName[operation](target);
    },
  };
}
