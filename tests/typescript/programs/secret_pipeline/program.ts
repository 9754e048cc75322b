// A pipeline over several capabilities: configuration from the environment, records from a file, a signature with a
// secret, results to another file. What is not granted is replaced by a default, and said so.

import { environment, readText, SandboxDeniedError, secret, writeText } from 'fino:ai/sandbox/capabilities';

interface Config { readonly limit: number; readonly separator: string; readonly notes: readonly string[] }
interface Invoice { readonly id: string; readonly cents: number }
type Stage<In, Out> = (input: In) => Promise<Out> | Out;

function pipe<A, B, C, D>(first: Stage<A, B>, second: Stage<B, C>, third: Stage<C, D>): Stage<A, D> {
  return async (input) => third(await second(await first(input)));
}

async function orElse<T>(work: Promise<T>, fallback: T, notes: string[]): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SandboxDeniedError)) throw error;
    notes.push(`${error.capability} ${error.target} is not granted`);
    return fallback;
  }
}

async function loadConfig(): Promise<Config> {
  const notes: string[] = [];
  const [limit, separator] = await Promise.all([
    orElse(environment('LIMIT'), '10', notes),
    orElse(environment('SEPARATOR'), '\t', notes),
  ]);
  return { limit: Number(limit), separator, notes };
}

const parse = ({ limit, separator }: Config): Stage<string, Invoice[]> => (text) =>
  text.split('\n').filter((line) => line.trim() !== '').slice(0, limit).map((line) => {
    const [id, amount] = line.split(separator);
    if (id === undefined || !/^\d+$/.test(amount ?? '')) throw new SyntaxError(`not an invoice: ${JSON.stringify(line)}`);
    return { id, cents: Number(amount) };
  });

/** FNV-1a over 64 bits of the key and the text: enough to show where a secret goes, no real signature. */
function checksum(key: string, text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(`${key}\0${text}`)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

const sign: Stage<Invoice[], { invoice: Invoice; signature: string }[]> = async (invoices) => {
  const key = await secret('SIGNING_KEY');
  return invoices.map((invoice) => ({ invoice, signature: checksum(key, `${invoice.id}:${invoice.cents}`) }));
};

export default async function main(input: string, output: string) {
  const config = await loadConfig();
  const run = pipe(readText, parse(config), sign);
  const signed = await run(input);
  const lines = signed.map(({ invoice, signature }) => [invoice.id, invoice.cents, signature].join(config.separator));
  await writeText(output, lines.join('\n'));

  const failures = await Promise.allSettled([readText(`${input}.missing`), run(output), writeText('/etc/motd', 'x')]);
  console.log(`signed ${signed.length} invoices`);
  return {
    total: signed.reduce((sum, { invoice }) => sum + invoice.cents, 0),
    notes: config.notes,
    written: (await readText(output)).split('\n'),
    failures: failures.map((one) => (one.status === 'rejected' ? (one.reason as Error).name : 'no failure')),
  };
}
