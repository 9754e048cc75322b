import { now, search } from 'app/documents';
import { nothing } from '@app/second'; // TS2305

export default async function (): Promise<void> {
  await search(); // TS2554
  await search({}); // TS2741
  await search({ query: 5 }); // TS2322
  await search({ query: 'x', limt: 1 }); // TS2561
  await search({ query: 'x', order: 'other' }); // TS2322
  await search({ query: 'x', where: { id: 1 } }); // TS2322
  await search({ query: 'x', rest: { a: 'b' } }); // TS2322
  await search({ query: 'x', never: 1 }); // TS2322
  await now({ a: 1 }); // TS2322
  (await search({ query: 'x' })).score; // TS2339
  owned; // TS2304
}
