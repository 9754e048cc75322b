import { anything, now, search } from 'app/documents';
import { search as other } from '@app/second';

export default async function (): Promise<number> {
  const found = await search({ query: 'tea', limit: 3, order: { by: ['a', 1] }, where: { id: 'x' }, tags: [['a']] });
  await search({ query: 'tea', order: null, where: 'all', 'with-dash */': null, rest: { a: 1 }, mixed: { n: 1, more: 'x' } });
  const clock: unknown = await now();
  await now({});
  await anything({ whatever: [1, clock] });
  await other();
  return found[0].score + found.map(({ id }) => id.length).reduce((a, b) => a + b, 0);
}
