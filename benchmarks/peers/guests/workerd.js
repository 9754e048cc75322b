// The parent in a workerd process: loads a worker for each request and hands it the capabilities.

import { RpcTarget } from 'cloudflare:workers';

const kMostOperations = 100_000;

class Host extends RpcTarget {
  #bindings;
  #operations = 0;

  constructor(bindings) {
    super();
    this.#bindings = bindings;
  }

  environment(name) {
    this.#account();
    if (!Object.hasOwn(this.#bindings.VARIABLES, name)) throw new Error('denied: environment');
    return this.#bindings.VARIABLES[name];
  }

  async readText(path) {
    this.#account();
    const { ROOT, FILES } = this.#bindings;
    if (!path.startsWith(`${ROOT}/`) || path.split('/').includes('..')) throw new Error('denied: read');
    const response = await FILES.fetch(`http://files${path.slice(ROOT.length)}`);
    if (!response.ok) throw new Error(`reading failed: ${response.status}`);
    return response.text();
  }

  #account() {
    this.#operations += 1;
    if (this.#operations > kMostOperations) throw new Error('denied: too many operations');
  }
}

const kEntry = `
import { WorkerEntrypoint } from 'cloudflare:workers';
import main from './program.js';
export default class extends WorkerEntrypoint {
  load() { return null; }
  run(argument, host) { return main(argument, host); }
}`;

const worker = (program) => ({
  compatibilityDate: '2026-01-01',
  mainModule: 'entry.js',
  modules: { 'entry.js': kEntry, 'program.js': program },
  env: {},
  globalOutbound: null,
});

const kept = [];

export default {
  async fetch(request, bindings) {
    const { program, argument, keep } = await request.json();
    try {
      if (keep) {
        // Under a name, so that the isolate stays.
        kept.push(bindings.LOADER.get(keep, () => worker(program)));
        return Response.json({ result: await kept.at(-1).getEntrypoint().load() });
      }
      const entry = bindings.LOADER.load(worker(program)).getEntrypoint();
      return Response.json({ result: await entry.run(argument, new Host(bindings)) });
    } catch (error) {
      return Response.json({ failed: String(error) });
    }
  },
};
