// Whatever is not listed cannot be imported, by any spelling: an Error that names it and says what may be.

const specifiers = [
  'node:fs', 'fs', './other.ts', '../program.ts', '/etc/passwd', 'file:///etc/passwd', 'data:text/javascript,export default 1',
  'http://127.0.0.1/x.js', 'https://example.com/x.js', 'blob:x', '', ' fino:ai/sandbox/capabilities', 'fino:ai/sandbox',
  'FINO:ai/sandbox/capabilities', 'fino:ai/sandbox/capabilities?x', 'program.ts', 'self-hosted', 'cordon:prelude', '__proto__',
];

export default async () => {
  const wrong: string[] = [];
  for (const specifier of specifiers) {
    try {
      await import(specifier);
      wrong.push(`imported ${specifier}`);
    } catch (error) {
      const { name, message } = error as Error;
      const good = name === 'Error' && message.includes(JSON.stringify(specifier)) && message.includes('fino:ai/sandbox/capabilities');
      if (!good) wrong.push(`${specifier}: ${name}: ${message}`);
    }
  }
  const attributes = await import('./x.json', { with: { type: 'json' } }).then(() => 'imported', (error) => error.name);
  let coerced = 0;
  await import({ toString() { coerced++; return 'node:fs'; } } as unknown as string).catch(() => {});
  return { wrong, attributes, coerced };
};
