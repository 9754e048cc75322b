// Where the peers are: npm packages in the folder that CORDON_PEERS names (what `npm ci` made of the lock file here).

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Unavailable } from './unavailable.mjs';

const root = resolve(process.env.CORDON_PEERS ?? fileURLToPath(new URL('.', import.meta.url)));
export const toolsFolder = `${root}/`;
const inPackages = (path) => join(root, 'node_modules', path);

export const guestFile = (name) => fileURLToPath(new URL(`guests/${name}`, import.meta.url));

function binary(path, name) {
  const file = inPackages(path);
  if (!existsSync(file)) throw new Unavailable(`npm has not installed ${name}`);
  return file;
}

export const denoBinary = () => binary('@deno/linux-x64-glibc/deno', 'deno');
export const workerdBinary = () => binary('@cloudflare/workerd-linux-64/bin/workerd', 'workerd');

export function load(name) {
  try {
    return createRequire(join(root, 'package.json'))(name);
  } catch (error) {
    throw new Unavailable(`${name} cannot be loaded: ${error.message.split('\n')[0]}`);
  }
}

export const packageVersion = (name) => JSON.parse(readFileSync(inPackages(`${name}/package.json`), 'utf8')).version;
