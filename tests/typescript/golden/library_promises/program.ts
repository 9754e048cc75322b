// Promises, and the order in which things run.

const order: string[] = [];
const later = (ms: number, name: string) => new Promise<string>((resolve) => setTimeout(() => { order.push(name); resolve(name); }, ms));

export default async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  setTimeout(resolve, 0, 42);
  const tried = await Promise.try((n: number) => { if (n > 1) throw new RangeError('tried'); return n; }, 2).catch((e) => e.name);
  const any = await Promise.any([Promise.reject(new Error('no')), later(1, 'any')]);
  const none = await Promise.any([Promise.reject(1), Promise.reject(2)]).catch((e: AggregateError) => [e.name, ...e.errors]);
  const settled = await Promise.allSettled([1, Promise.reject(new TypeError('bad'))]);
  const raced = await Promise.race([later(30, 'slow'), later(2, 'fast')]);

  const sequence: string[] = [];
  setTimeout(() => sequence.push('timer'), 0);
  queueMicrotask(() => sequence.push('microtask'));
  Promise.resolve().then(() => sequence.push('then')).finally(() => sequence.push('finally'));
  sequence.push('sync');
  await later(5, 'wait');

  const timers: unknown[] = [];
  const cancelled = setTimeout(() => timers.push('never'), 1);
  clearTimeout(cancelled);
  setTimeout((...all: unknown[]) => timers.push(all), 1, 'a', 'b');
  let count = 0;
  await new Promise<void>((done) => {
    const id = setInterval(() => { if (++count === 3) { clearInterval(id); done(); } }, 1);
  });
  return {
    resolved: await promise, tried, any, none, raced, sequence, timers, count,
    settled: settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    order: order.slice(0, 3),
    thenable: await { then(done: (n: number) => void) { done(3); } },
  };
};
