// prepare.mjs WASM2C PACKAGE OUT PARTS: turns the WebAssembly module in swc's npm package into C that
// the build can compile: swc.h, swc_internal.h, PARTS files of functions and one of imports. The text
// that wasm2c writes is changed in three ways, and each change fails loudly where it does not apply:
//   - what writes to the module's memory notes the page, for wasm_runtime.h;
//   - functions are no longer static, so that they can lie in several files;
//   - an import that nothing else defines is a trap.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [wasm2c, packageFile, out, partCount] = process.argv.slice(2);

function extractModule() {
  const found = readFileSync(packageFile, 'utf8').match(/["']([A-Za-z0-9+/]{100000,}={0,2})["']/g);
  if (found?.length !== 1) throw new Error(`${packageFile} does not hold exactly one module`);
  const bytes = Buffer.from(found[0].slice(1, -1), 'base64');
  if (bytes.subarray(0, 4).toString('latin1') !== '\0asm') throw new Error('not WebAssembly');
  const file = join(out, 'swc.wasm');
  writeFileSync(file, bytes);
  return file;
}

const c = join(out, 'swc_whole.c');
execFileSync(wasm2c, ['--no-debug-names', '-n', 'swc', extractModule(), '-o', c]);
const header = readFileSync(join(out, 'swc_whole.h'), 'utf8');
writeFileSync(join(out, 'swc.h'), header);
let text = readFileSync(c, 'utf8');

function split(at, what) {
  const index = text.indexOf(at);
  if (index < 0 || text.indexOf(at, index + 1) >= 0) throw new Error(`wasm2c: ${what} is not found once`);
  return [text.slice(0, index), text.slice(index)];
}

// What every part needs, then the tables of functions and data, then the functions.
let [internal, rest] = split('static bool s_module_initialized = false;\n', 'the end of its macros');
text = rest;

function insertAfter(target, addition) {
  const at = internal.lastIndexOf(target);
  if (at < 0) throw new Error(`wasm2c: no ${target}`);
  internal = internal.slice(0, at) + target + addition + internal.slice(at + target.length);
}
// The last of its kind is the one for little-endian machines, which these are.
insertAfter('wasm_rt_memcpy(&mem->data[addr], &wrapped, sizeof(t1));', ' transpiler_note_store(addr);');
insertAfter('memset(mem->data + d, val, n);', ' transpiler_note_range(d, n);');
insertAfter(
  'memmove(dest->data + dest_addr, src->data + src_addr, n);',
  ' transpiler_note_range(dest_addr, n);',
);
insertAfter('LOAD_DATA((*dest), dest_addr, src + src_addr, n);', ' transpiler_note_range(dest_addr, n);');
internal = internal.replace('#include "swc_whole.h"', '#include "swc.h"\n#include "engine/transpiler/wasm_runtime.h"');
if (!internal.includes('#include "swc.h"')) throw new Error('wasm2c: it includes another header');

const prototype = /^static (\w+ w2c_\w+\(Z_swc_instance_t\*.*\);)$/gm;
const types = text.match(/^static (u32 func_types\[\d+\];)$/m);
if (!types) throw new Error('wasm2c: no table of types');
const prototypes = [...text.matchAll(prototype)].map((match) => match[1]);
text = text.replace(prototype, '').replace(types[0], types[1]);
writeFileSync(
  join(out, 'swc_internal.h'),
  `#pragma once\n${internal}\nextern ${types[1]}\n${prototypes.join('\n')}\n`,
);

const definition = /^static (\w+ w2c_\w+\(Z_swc_instance_t\* instance(?:,\s+\w+ \w+)*\) \{\n[^]*?^\}\n)/gm;
const functions = [];
text = text.replace(definition, (_, body) => {
  functions.push(body);
  return '';
});
if (functions.length !== prototypes.length) throw new Error('wasm2c: not every function is found');

// Parts of equal length.
const include = '#include "swc_internal.h"\n';
const total = functions.reduce((sum, body) => sum + body.length, 0);
const parts = Array.from({ length: Number(partCount) }, () => [include]);
let before = 0;
for (const body of functions) {
  parts[Math.floor((before / total) * parts.length)].push(body);
  before += body.length;
}
parts.forEach((part, i) => writeFileSync(join(out, `swc_part_${i}.c`), part.join('\n')));
writeFileSync(join(out, 'swc_tables.c'), include + text);

const imports = [...header.matchAll(/^(\w+ Z___wbindgen_placeholder__Z_\w+\(.*\));$/gm)].map((match) =>
  match[1].replace(/ (u32|u64|f32|f64)(?=[,)])/g, ' $1'),
);
if (imports.length === 0) throw new Error('wasm2c: no imports');
const named = imports.map((signature) => {
  let count = 0;
  return signature.replace(/(?<=[(,]\s*)([^,()]+)/g, (parameter) => `${parameter} p${count++}`);
});
writeFileSync(
  join(out, 'swc_imports.c'),
  include +
    named
      .map((signature) => `__attribute__((weak)) ${signature} { wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE); }\n`)
      .join(''),
);
