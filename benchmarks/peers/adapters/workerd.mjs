// workerd with its dynamic Worker Loader: an isolate of its own for each call, no network, and the capabilities passed
// in by RPC (guests/workerd.js). One process, one thread.
//
// The open build enforces neither a CPU nor a memory limit: a loop can only be ended with the whole process, and all
// other sandboxes in it.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

import { kVariable, kVariableText } from '../jobs.mjs';
import { kill, spawnGroup } from '../spawned.mjs';
import { guestFile, workerdBinary } from '../tools.mjs';
import { requireTypeScript, toJavaScript } from '../typescript.mjs';
import { lastWords } from '../lines.mjs';

export const title = 'workerd (no CPU or heap limit)';
export const boundary = 'none';

const kLongMs = 60_000;
const kStartMs = 10_000;

const configuration = (socket, root) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .parent), (name = "files", disk = (path = "${root}", writable = false))],
  sockets = [(name = "http", address = "unix:${socket}", http = (), service = "main")]);
const parent :Workerd.Worker = (
  modules = [(name = "parent.js", esModule = embed "parent.js")],
  compatibilityDate = "2026-01-01",
  bindings = [
    (name = "LOADER", workerLoader = ()), (name = "ROOT", text = "${root}"), (name = "FILES", service = "files"),
    (name = "VARIABLES", json = ${JSON.stringify(JSON.stringify({ [kVariable]: kVariableText }))})]);
`;

class Server {
  #child;
  #ended;
  #agent = new Agent({ keepAlive: true });
  #socket;

  constructor(workerd, scratch, root, number) {
    this.#socket = join(scratch, `workerd-${number}.socket`);
    const file = join(scratch, `workerd-${number}.capnp`);
    writeFileSync(file, configuration(this.#socket, root));
    this.#child = spawnGroup(workerd, ['serve', '--experimental', file], { cwd: scratch });
    this.#child.stdout.resume();
    this.#ended = new Promise((done) => { this.#child.on('close', done); });
    this.words = lastWords(this.#child.stderr);
  }

  async up() {
    for (const began = performance.now(); !existsSync(this.#socket);) {
      if (this.#child.exitCode !== null || performance.now() - began > kStartMs) {
        throw new Error(`workerd did not start: ${this.words()}`);
      }
      await new Promise((done) => setTimeout(done, 5));
    }
  }

  post(message) {
    const body = Buffer.from(JSON.stringify(message));
    return new Promise((done, fail) => {
      const sent = request({ socketPath: this.#socket, agent: this.#agent, method: 'POST', path: '/',
        headers: { 'content-length': body.length } }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('error', fail);
        response.on('end', () => {
          const { failed, result } = JSON.parse(Buffer.concat(parts).toString());
          if (failed === undefined) done(result);
          else fail(new Error(failed));
        });
      });
      sent.on('error', fail);
      sent.end(body);
    });
  }

  async kill() {
    kill(this.#child);
    await this.#ended;
    this.#agent.destroy();
  }
}

export async function open({ scratch, grants }) {
  requireTypeScript();
  const workerd = workerdBinary();
  copyFileSync(guestFile('workerd.js'), join(scratch, 'parent.js'));
  let servers = 0;
  let calls = 0;
  const start = async () => {
    const server = new Server(workerd, scratch, grants.read[0], servers++);
    await server.up();
    return server;
  };
  let server = await start();

  return {
    version: spawnSync(workerd, ['--version'], { encoding: 'utf8' }).stdout.trim(),
    command: `${workerd} serve --experimental (a worker with a workerLoader)`,
    capabilities: 'argument',
    callers: [1, 2, 4],

    async run(source, argument, { limitMs = kLongMs } = {}) {
      const asked = server;
      let timer;
      const late = new Promise((_, fail) => {
        timer = setTimeout(() => fail(new Error('timeout')), limitMs);
      });
      const work = asked.post({ program: toJavaScript(source), argument });
      work.catch(() => {});
      try {
        return await Promise.race([work, late]);
      } catch (error) {
        if (error.message === 'timeout') {
          await asked.kill();
          server = await start();
        }
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },

    async idle(count, makeSource) {
      for (let i = 0; i < count; i++) await server.post({ program: toJavaScript(makeSource()), keep: `idle-${calls++}` });
    },

    close: () => server.kill(),
  };
}
