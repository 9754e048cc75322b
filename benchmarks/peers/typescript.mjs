// TypeScript to JavaScript, for peers that take JavaScript only: what Node.js has built in (swc), about 0.1 ms for a
// small source.

import * as nodeModule from 'node:module';

import { Unavailable } from './unavailable.mjs';

export function toJavaScript(source) {
  return nodeModule.stripTypeScriptTypes(source, { mode: 'transform' });
}

// To be called when a peer is opened.
export function requireTypeScript() {
  if (!nodeModule.stripTypeScriptTypes) {
    throw new Unavailable(`Node.js ${process.versions.node} has no stripTypeScriptTypes (22.13 or later has)`);
  }
}
