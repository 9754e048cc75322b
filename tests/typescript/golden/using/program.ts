// `using` and `await using`: order, errors that suppress errors, stacks, loops, null.

const events: string[] = [];
const resource = (name: string, fails = false): Disposable & { name: string } => ({
  name,
  [Symbol.dispose]() {
    events.push(`close ${name}`);
    if (fails) throw new Error(`closing ${name}`);
  },
});
const asyncResource = (name: string): AsyncDisposable => ({
  async [Symbol.asyncDispose]() {
    await null;
    events.push(`close ${name} later`);
  },
});

function block(): string {
  using first = resource('first');
  using nothing = null;
  using second = resource('second');
  events.push(`body ${first.name} ${second.name} ${nothing}`);
  return 'returned';
}

function failing(): string {
  try {
    using _a = resource('a', true);
    using _b = resource('b', true);
    throw new Error('body');
  } catch (error) {
    const outer = error as SuppressedError;
    const inner = outer.suppressed as SuppressedError;
    return `${outer.name}: ${outer.error.message} < ${inner.error.message} < ${inner.suppressed.message}`;
  }
}

async function asynchronous() {
  await using _later = asyncResource('x');
  using _now = resource('y');
  await using _mixed = resource('z');
  events.push('body async');
}

function looped() {
  for (using each of [resource('one'), resource('two')]) events.push(`use ${each.name}`);
}

function stacked(): boolean[] {
  const moved = (() => {
    using stack = new DisposableStack();
    stack.use(resource('used'));
    stack.defer(() => events.push('deferred'));
    stack.adopt('adopted', (value) => events.push(value));
    return stack.move();
  })();
  const before = moved.disposed;
  moved.dispose();
  return [before, moved.disposed];
}

export default async () => {
  const returned = block();
  const failed = failing();
  await asynchronous();
  looped();
  const disposed = stacked();
  let refused = '';
  try {
    using _bad = {} as Disposable;
  } catch (error) {
    refused = (error as Error).name;
  }
  return { returned, failed, disposed, refused, events };
};
