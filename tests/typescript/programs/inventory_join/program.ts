// Data munging: joins orders with products and customers, reports by month and customer, and finds what does not fit.

interface Product { readonly sku: string; readonly name: string; readonly price: number; readonly tags?: readonly string[] }
interface Customer { readonly id: number; readonly name: string; readonly country: string | null }
interface Order { readonly id: number; readonly customer: number; readonly date: Date; readonly lines: readonly (readonly [sku: string, count: number])[] }
interface Data { readonly products: readonly Product[]; readonly customers: ReadonlyMap<number, Customer>; readonly orders: readonly Order[] }
type Row = { readonly order: Order; readonly product: Product; readonly customer: Customer; readonly count: number; readonly total: number };

const by = <T, K extends PropertyKey>(items: readonly T[], key: (item: T) => K): Record<K, T> =>
  Object.fromEntries(items.map((item) => [key(item), item])) as Record<K, T>;
const sum = (numbers: Iterable<number>): number => Iterator.from(numbers).reduce((a, b) => a + b, 0);
const month = (date: Date): `${number}-${string}` => `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
const euros = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' });

function* join({ products, customers, orders }: Data, problems: string[]): Generator<Row> {
  const bySku = by(products, ({ sku }) => sku);
  for (const order of orders) {
    const customer = customers.get(order.customer);
    if (customer === undefined) {
      problems.push(`order ${order.id}: no customer ${order.customer}`);
      continue;
    }
    for (const [sku, count] of order.lines) {
      const product = Object.hasOwn(bySku, sku) ? bySku[sku] : undefined;
      if (product === undefined) problems.push(`order ${order.id}: no product ${sku}`);
      else yield { order, product, customer, count, total: Math.round(product.price * count * 100) / 100 };
    }
  }
}

function pivot(rows: readonly Row[]): Record<string, Record<string, number>> {
  const months = Object.entries(Object.groupBy(rows, ({ order }) => month(order.date))).sort(([a], [b]) => a.localeCompare(b));
  return Object.fromEntries(months.map(([name, all = []]) => [
    name,
    Object.fromEntries(Map.groupBy(all, ({ customer }) => customer.name).entries().map(([who, theirs]) => [who, sum(theirs.map(({ total }) => total))])),
  ]));
}

function running(rows: readonly Row[]): number[] {
  let total = 0;
  return rows.toSorted((a, b) => a.order.date.getTime() - b.order.date.getTime()).map((row) => (total = Math.round((total + row.total) * 100) / 100));
}

export default (data: Data) => {
  const problems: string[] = [];
  const rows = [...join(data, problems)];
  const tags = new Map<string, Set<string>>();
  for (const { product } of rows) for (const tag of product.tags ?? ['untagged']) tags.set(tag, (tags.get(tag) ?? new Set()).add(product.sku));
  const sold = new Set(rows.map(({ product }) => product.sku));
  const last = new Date(Math.max(...data.orders.map(({ date }) => date.getTime())));
  const perCountry = Object.groupBy(rows, ({ customer }) => customer.country ?? 'unknown');
  return {
    rows: rows.length,
    revenue: euros.format(sum(rows.map(({ total }) => total))),
    pivot: pivot(rows),
    running: running(rows),
    countries: Object.keys(perCountry).sort(),
    tags,
    unsold: new Set(data.products.map(({ sku }) => sku)).difference(sold),
    last,
    best: rows.reduce((best, row) => (row.total > best.total ? row : best)).product,
    problems,
  };
};
