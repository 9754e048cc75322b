// quickjs-emscripten: an interpreter in WebAssembly, a runtime and context of its own for each call.

import { load, packageVersion } from '../tools.mjs';
import { makeHost } from '../host.mjs';
import { requireTypeScript, toJavaScript } from '../typescript.mjs';

export const title = 'quickjs-emscripten';
export const boundary = 'none';

const kGlue = `(main, ask) => {
  const host = { environment: (name) => ask('environment', name), readText: (path) => ask('readText', path) };
  return async (argument) => JSON.stringify(await main(JSON.parse(argument), host));
}`;
const kMemoryBytes = 128 << 20;
const kStackBytes = 512 << 10;
const kLongMs = 60_000;

class Sandbox {
  #runtime;
  #context;
  #start;
  #deadline = Infinity;

  constructor(quickjs, source, grants, limitMs) {
    this.#runtime = quickjs.newRuntime();
    this.#runtime.setMemoryLimit(kMemoryBytes);
    this.#runtime.setMaxStackSize(kStackBytes);
    this.#runtime.setInterruptHandler(() => performance.now() > this.#deadline);
    this.#deadline = performance.now() + limitMs;
    this.#context = this.#runtime.newContext();
    const context = this.#context;
    const module = context.unwrapResult(context.evalCode(toJavaScript(source), 'program.js', { type: 'module' }));
    const main = context.getProp(module, 'default');
    const glue = context.unwrapResult(context.evalCode(kGlue));
    const ask = this.#makeAsk(makeHost(grants));
    this.#start = context.unwrapResult(context.callFunction(glue, context.undefined, main, ask));
    for (const handle of [module, main, glue, ask]) handle.dispose();
  }

  async run(argument) {
    const context = this.#context;
    const text = context.newString(JSON.stringify(argument));
    const promise = context.unwrapResult(context.callFunction(this.#start, context.undefined, text));
    const settled = context.resolvePromise(promise);
    text.dispose();
    promise.dispose();
    this.#runPending();
    const result = context.unwrapResult(await settled);
    const json = context.getString(result);
    result.dispose();
    return JSON.parse(json);
  }

  dispose() {
    this.#start.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }

  #runPending() {
    this.#context.unwrapResult(this.#runtime.executePendingJobs());
  }

  #makeAsk(host) {
    const context = this.#context;
    return context.newFunction('ask', (operation, target) => {
      const answer = context.newPromise();
      host.call(context.getString(operation), context.getString(target)).then((text) => {
        if (context.alive) context.newString(text).consume((handle) => answer.resolve(handle));
      }, (error) => {
        if (context.alive) context.newError(error.message).consume((handle) => answer.reject(handle));
      });
      answer.settled.then(() => { if (this.#runtime.alive) this.#runPending(); });
      return answer.handle;
    });
  }
}

export async function open({ grants }) {
  requireTypeScript();
  const quickjs = await load('quickjs-emscripten').getQuickJS();
  const live = [];
  return {
    version: `quickjs-emscripten ${packageVersion('quickjs-emscripten')}, node ${process.versions.node}`,
    command: 'newRuntime(), newContext(), in the caller\'s process',
    capabilities: 'argument',
    callers: [1, 2],

    async run(source, argument, { limitMs = kLongMs } = {}) {
      const sandbox = new Sandbox(quickjs, source, grants, limitMs);
      try {
        return await sandbox.run(argument);
      } finally {
        sandbox.dispose();
      }
    },

    async idle(count, makeSource) {
      for (let i = 0; i < count; i++) live.push(new Sandbox(quickjs, makeSource(), grants, Infinity));
    },

    async close() {
      for (const sandbox of live) sandbox.dispose();
    },
  };
}
