// What all peers have in common that are one process for each call: lines of JSON over standard input and output
// (guests/), the capabilities' host in this process, and the end by SIGKILL to the whole process group.

import { makeHost } from '../host.mjs';
import { lastWords, readMessages, writeMessage } from '../lines.mjs';
import { kill, spawnGroup } from '../spawned.mjs';

const kLongMs = 60_000;

class Guest {
  #child;
  #ended;
  #onMessage = () => {};
  #up;

  constructor([file, ...args], options) {
    this.#child = spawnGroup(file, args, options);
    const words = lastWords(this.#child.stderr);
    let isUp;
    this.#up = new Promise((done) => { isUp = done; });
    this.#ended = new Promise((done) => {
      this.#child.on('error', () => {});  // 'close' follows
      this.#child.on('close', (code, signal) => {
        this.#onMessage({ failed: `the process ended (${signal ?? code}): ${words()}` });
        isUp();
        done();
      });
    });
    this.#child.stdin.on('error', () => {});  // told by 'close'
    readMessages(this.#child.stdout, (message) => (message.up ? isUp() : this.#onMessage(message)));
  }

  // The guest has said that it waits for its program.
  up() { return this.#up; }

  async work(message, grants, limitMs = kLongMs) {
    const host = makeHost(grants);
    let timer;
    try {
      return await new Promise((done, fail) => {
        timer = setTimeout(() => fail(new Error('timeout')), limitMs);
        this.#onMessage = ({ id, operation, target, failed, result }) => {
          if (failed !== undefined) fail(new Error(failed));
          else if (id === undefined) done(result);
          else this.#answer(id, host.call(operation, target));
        };
        writeMessage(this.#child.stdin, message);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async kill() {
    kill(this.#child);
    await this.#ended;
  }

  async #answer(id, answer) {
    const message = await answer.then((value) => ({ id, value }), (error) => ({ id, denied: error.message }));
    writeMessage(this.#child.stdin, message);
  }
}

// `translate` makes what the guest can run of TypeScript.
export function processPerCall({ version, argv, environment, cwd, grants, translate = (source) => source }) {
  const start = () => new Guest(argv, { env: environment, cwd });
  const live = [];
  return {
    version,
    command: argv.join(' '),
    capabilities: 'argument',
    callers: [1, 2, 4],

    // A limit counts from when the process is up: its start is not the program's doing.
    async run(source, argument, { limitMs } = {}) {
      const guest = start();
      try {
        const program = translate(source);
        if (limitMs) await guest.up();
        return await guest.work({ program, argument }, grants, limitMs);
      } finally {
        await guest.kill();
      }
    },

    async prepare() {
      const guest = start();
      await guest.up();
      return {
        run: (source, argument) => guest.work({ program: translate(source), argument }, grants),
        close: () => guest.kill(),
      };
    },

    async idle(count, makeSource) {
      for (let i = 0; i < count; i++) {
        live.push(start());
        await live.at(-1).work({ program: translate(makeSource()), load: true }, grants);
      }
    },

    async close() {
      await Promise.all(live.map((guest) => guest.kill()));
    },
  };
}
