// Reads a CSV file of sales, checks each row, groups and sums, and writes a report as CSV.

import { readText, writeText } from 'fino:ai/sandbox/capabilities';

interface Sale {
  readonly region: string;
  readonly product: string;
  readonly quantity: number;
  readonly cents: number;
}
type Problem = `line ${number}: ${string}`;

function* rowsOf(text: string): Generator<string[]> {
  let row: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[i + 1] === '"') { field += '"'; i++; }
      else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ',') { row.push(field); field = ''; }
    else if (char === '\n') {
      yield [...row, field.replace(/\r$/, '')];
      row = [];
      field = '';
    } else field += char;
  }
  if (field !== '' || row.length > 0) yield [...row, field];
}

function parseSale(header: string[], row: string[]): Sale | string {
  if (row.length !== header.length) return `${row.length} fields instead of ${header.length}`;
  const record = Object.fromEntries(header.map((name, i) => [name, row[i]!.trim()])) as Record<string, string>;
  const quantity = Number(record.quantity);
  if (!Number.isInteger(quantity) || quantity <= 0) return `quantity ${JSON.stringify(record.quantity)}`;
  const price = /^(?<whole>\d+)(?:\.(?<part>\d\d))?$/.exec(record.price ?? '')?.groups;
  if (!price) return `price ${JSON.stringify(record.price)}`;
  const cents = Number(price.whole) * 100 + Number(price.part ?? 0);
  return { region: record.region!, product: record.product!, quantity, cents };
}

const money = (cents: number): string => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
const quote = (field: string): string => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

export default async function report(input: string, output: string) {
  const [header = [], ...rows] = rowsOf(await readText(input));
  const sales: Sale[] = [];
  const problems: Problem[] = [];
  for (const [index, row] of rows.entries()) {
    const sale = parseSale(header, row);
    if (typeof sale === 'string') problems.push(`line ${index + 2}: ${sale}`);
    else sales.push(sale);
  }
  const byRegion = Object.groupBy(sales, ({ region }) => region);
  const totals = Object.entries(byRegion)
    .map(([region, list = []]) => ({
      region,
      sales: list.length,
      cents: list.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0),
      best: list.toSorted((a, b) => b.quantity * b.cents - a.quantity * a.cents)[0]!.product,
    }))
    .toSorted((a, b) => b.cents - a.cents);

  const lines = [['region', 'sales', 'total', 'best'], ...totals.map((t) => [t.region, String(t.sales), money(t.cents), t.best])];
  await writeText(output, lines.map((line) => line.map(quote).join(',')).join('\n') + '\n');
  for (const problem of problems) console.warn(problem);
  return { totals, problems, products: [...new Set(sales.map(({ product }) => product))].sort(), written: await readText(output) };
}
