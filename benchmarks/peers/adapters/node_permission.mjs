// A Node.js process for each call under its permission model: no files, processes, workers or addons.

import { guestFile } from '../tools.mjs';
import { requireTypeScript, toJavaScript } from '../typescript.mjs';
import { Unavailable } from '../unavailable.mjs';
import { processPerCall } from './child_process.mjs';

export const title = 'node --permission';
export const boundary = 'process';

export async function open({ scratch, grants }) {
  requireTypeScript();
  if (!process.allowedNodeEnvironmentFlags.has('--permission')) {
    throw new Unavailable(`Node.js ${process.versions.node} has no --permission`);
  }
  const guest = guestFile('node.mjs');
  return processPerCall({
    version: `node ${process.versions.node}`,
    argv: [process.execPath, '--permission', `--allow-fs-read=${guest}`, '--no-warnings',
      '--max-old-space-size=128', guest, scratch],
    environment: {},
    grants,
    translate: toJavaScript,
  });
}
