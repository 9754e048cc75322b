// The capability module: its exports, wrong types, denials that can be caught, and no coercion.

import * as capabilities from 'fino:ai/sandbox/capabilities';
import { environment, readText, secret, spawn, fetchText, writeText, SandboxDeniedError } from 'fino:ai/sandbox/capabilities';

let coerced = 0;
const sly = { toString() { coerced++; return '/etc/passwd'; }, [Symbol.toPrimitive]() { coerced++; return 'x'; } } as any;
const outcome = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    return `allowed ${await work()}`;
  } catch (error: any) {
    return error instanceof SandboxDeniedError ? `${error.name} ${error.capability} ${error.target}` : `${error.name} ${error.message}`;
  }
};

export default async () => ({
  names: Object.keys(capabilities).sort(),
  promises: [environment('A') instanceof Promise, (environment as any)().catch(() => {}) instanceof Promise],
  good: [await environment('A'), await secret('K')],
  denied: await Promise.all([
    outcome(() => environment('HOME')), outcome(() => environment('toString')), outcome(() => secret('A')),
    outcome(() => readText('/etc/passwd')), outcome(() => writeText('/etc/passwd', 'x')),
    outcome(() => fetchText('https://example.com/private?token=1')), outcome(() => spawn('/bin/true')),
  ]),
  wrongTypes: await Promise.all([
    outcome(() => readText(sly)), outcome(() => readText(new String('/etc/passwd') as any)), outcome(() => environment(undefined as any)),
    outcome(() => writeText('/x', 5 as any)), outcome(() => spawn('/bin/true', 'text' as any)), outcome(() => spawn('/bin/true', [1] as any)),
    outcome(() => fetchText('https://example.com', { method: 5 } as any)), outcome(() => fetchText(null as any)),
  ]),
  coerced,
  denialClass: [SandboxDeniedError.name, new (SandboxDeniedError as any)('m', 'c') instanceof Error, Object.isFrozen(SandboxDeniedError)],
});
