// Uses all that `cordon types` declares. It is checked against the declarations and run: they promise what is there.

import {
  environment, fetchText, readText, SandboxDeniedError, secret, spawn, writeText,
  type Capability, type FetchTextInit, type FetchTextResponse, type SpawnResult,
} from 'fino:ai/sandbox/capabilities';

async function refusal(work: () => Promise<unknown>): Promise<Capability | 'none'> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SandboxDeniedError && error.name === 'SandboxDeniedError') {
      const target: string | undefined = error.target;
      return target === undefined ? 'none' : error.capability;
    }
    throw error;
  }
  return 'none';
}

async function capabilities(folder: string) {
  await writeText(`${folder}/note.txt`, 'written');
  const init: FetchTextInit = { method: 'POST', headers: { accept: 'text/plain' }, body: 'body' };
  const fetched = (): Promise<FetchTextResponse> => fetchText(new URL('https://example.com/'), init);
  const spawned = (): Promise<SpawnResult> => spawn('/bin/none', ['argument']);
  return [
    await environment('MODE'), await secret('KEY'), await readText(`${folder}/note.txt`),
    await refusal(() => environment('OTHER')), await refusal(fetched), await refusal(spawned),
    await refusal(() => fetchText('https://example.com/', { headers: [['accept', 'text/plain']] })),
  ];
}

function consoleCalls(): void {
  console.log('log', 1);
  console.info('info');
  console.debug('debug');
  console.warn('warn');
  console.error('error');
  console.dir({ a: { b: { c: {} } } }, { depth: 0, showHidden: false });
  console.table([[1]], ['0']);
  console.assert(true, 'not printed');
  console.count('counter');
  console.countReset('counter');
  console.group('group');
  console.groupCollapsed('collapsed');
  console.groupEnd();
  console.groupEnd();
  console.timeLog('missing timer', 1);
  console.time('timer');
  for (const name of ['trace', 'timeEnd'] as const) if (typeof console[name] !== 'function') throw new Error(name);
}

async function timers(): Promise<string[]> {
  const seen: string[] = [];
  queueMicrotask(() => seen.push('microtask'));
  await new Promise<void>((resolve) => setTimeout((text: string, n: number) => { seen.push(text + n.toFixed()); resolve(); }, 1, 'timer', 1));
  const interval: number = setInterval(() => seen.push('never'), 1000);
  clearInterval(interval);
  clearTimeout(setTimeout(() => seen.push('never')));
  return seen;
}

function urls(): unknown[] {
  const url = new URL('/path?a=1&a=2', 'https://example.com');
  url.hash = 'h';
  url.searchParams.append('b', '3');
  url.searchParams.delete('a', '1');
  const params = new URLSearchParams({ z: '1', y: '2' });
  params.sort();
  params.set('z', '9');
  const pairs: [string, string][] = [...params, ...params.entries()];
  params.forEach((value, name) => pairs.push([name, value]));
  return [
    url.href, url.toJSON() === url.toString(), [url.origin, url.protocol, url.host, url.hostname, url.port, url.pathname, url.search, url.username, url.password],
    pairs, [...params.keys()], [...params.values()], params.size, params.get('q'), params.getAll('y'), params.has('y', '2'), params.toString(),
    URL.canParse('no'), URL.parse('no') === null, new URLSearchParams(pairs).size,
  ];
}

function text(): unknown[] {
  const encoder = new TextEncoder();
  const bytes: Uint8Array<ArrayBuffer> = encoder.encode('é');
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const { read, written } = encoder.encodeInto('é', new Uint8Array(2));
  return [
    encoder.encoding, [...bytes], read, written, decoder.decode(bytes, { stream: false }), decoder.encoding, decoder.fatal, decoder.ignoreBOM,
    new TextDecoder().decode(bytes.buffer), btoa('hi'), atob('aGk='),
  ];
}

async function signals(): Promise<unknown[]> {
  const controller = new AbortController();
  const { signal } = controller;
  const heard: string[] = [];
  const never = () => heard.push('never');
  signal.addEventListener('abort', ({ type, target }) => heard.push(type, String(target === signal)), { once: true });
  signal.addEventListener('abort', never);
  signal.removeEventListener('abort', never);
  signal.onabort = (event) => heard.push(`on${event.type}`);
  const any = AbortSignal.any([signal, AbortSignal.timeout(1e6)]);
  controller.abort(new Error('reason'));
  try { any.throwIfAborted(); } catch (error) { heard.push((error as Error).message); }
  return [heard, any.aborted, signal.reason.message, AbortSignal.abort().aborted];
}

async function library(): Promise<unknown[]> {
  const stack = new DisposableStack();
  { using owned = stack; owned.defer(() => {}); }
  { await using later = new AsyncDisposableStack(); later.defer(async () => {}); }
  const buffer = new ArrayBuffer(2);
  const clone = structuredClone({ list: [1n], when: new Date(1) }, { transfer: [buffer] });
  let failure = '';
  try { structuredClone(() => 1); } catch (error) { if (error instanceof DOMException) failure = `${error.name} ${error.code}`; }
  return [
    stack.disposed, new SuppressedError(1, 2, 'm').suppressed, await Array.fromAsync([Promise.resolve(1)]), typeof Symbol.metadata,
    new Set([1]).union(new Set([2])).size, [1, 2].values().map((n) => n * 2).toArray(), await Promise.try(() => 'tried'), RegExp.escape('.'),
    Object.groupBy([1, 2], (n) => (n % 2 ? 'odd' : 'even')), clone, buffer.byteLength, failure, new DOMException('m', 'AbortError').name,
    crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(4)).length, performance.now() >= performance.timeOrigin,
  ];
}

export default async function uses(folder: string) {
  consoleCalls();
  return {
    capabilities: await capabilities(folder), timers: await timers(), urls: urls(), text: text(), signals: await signals(), library: await library(),
  };
}
