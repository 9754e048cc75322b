// isolated-vm: a V8 isolate of its own for each call, on threads of this process.

import { load, packageVersion } from '../tools.mjs';
import { makeHost } from '../host.mjs';
import { requireTypeScript, toJavaScript } from '../typescript.mjs';

export const title = 'isolated-vm';
export const boundary = 'none';

// $0 is the host. The argument and the result cross as JSON, as they do elsewhere.
const kGlue = `
  const ask = (operation) => (target) =>
    $0.apply(undefined, [operation, target], { arguments: { copy: true }, result: { promise: true, copy: true } });
  const host = { environment: ask('environment'), readText: ask('readText') };
  globalThis.start = async (main, argument) => JSON.stringify(await main(JSON.parse(argument), host));`;
const kMegabytes = 128;
const kLongMs = 60_000;
const kTimerSlackMs = 50;

export async function open({ grants }) {
  requireTypeScript();
  const ivm = load('isolated-vm');
  const live = [];

  async function fresh() {
    const isolate = new ivm.Isolate({ memoryLimit: kMegabytes });
    const context = await isolate.createContext();
    const host = makeHost(grants);
    await context.evalClosure(kGlue, [new ivm.Reference((operation, target) => host.call(operation, target))]);
    return { isolate, context };
  }

  async function loaded({ isolate, context }, source, limitMs = kLongMs) {
    const module = await isolate.compileModule(toJavaScript(source));
    await module.instantiate(context, () => { throw new Error('no imports'); });
    await module.evaluate({ timeout: limitMs });
    return module.namespace.get('default', { reference: true });
  }

  function dispose({ isolate }) {
    if (!isolate.isDisposed) isolate.dispose();
  }

  async function runIn(sandbox, source, argument, limitMs = kLongMs) {
    // The isolate's own limit covers what is synchronous, the timer what awaits.
    let timer;
    const late = new Promise((_, fail) => {
      timer = setTimeout(() => {
        dispose(sandbox);
        fail(new Error('timeout'));
      }, limitMs + kTimerSlackMs);
    });
    const work = (async () => {
      const main = await loaded(sandbox, source, limitMs);
      return sandbox.context.evalClosure('return start($0, $1)', [main.derefInto(), JSON.stringify(argument)],
        { result: { promise: true, copy: true }, timeout: limitMs });
    })();
    work.catch(() => {});
    try {
      return JSON.parse(await Promise.race([work, late]));
    } finally {
      clearTimeout(timer);
      dispose(sandbox);
    }
  }

  return {
    version: `isolated-vm ${packageVersion('isolated-vm')}, node ${process.versions.node}`,
    command: 'new Isolate({ memoryLimit: 128 }), in the caller\'s process',
    capabilities: 'argument',
    callers: [1, 2, 4],

    async run(source, argument, { limitMs } = {}) {
      return runIn(await fresh(), source, argument, limitMs);
    },

    async prepare() {
      const sandbox = await fresh();
      return {
        run: (source, argument) => runIn(sandbox, source, argument),
        close: async () => dispose(sandbox),
      };
    },

    async idle(count, makeSource) {
      for (let i = 0; i < count; i++) {
        const sandbox = await fresh();
        live.push({ ...sandbox, main: await loaded(sandbox, makeSource()) });
      }
    },

    async close() {
      live.forEach(dispose);
    },
  };
}
