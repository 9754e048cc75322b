// A stack that the program reads itself is text; causes and aggregates keep theirs; deep recursion can be caught.
function fail(): never { throw new Error('first'); }

export default () => {
  try {
    fail();
  } catch (error) {
    const again = new AggregateError([error], 'all', { cause: error });
    const deep = (): number => 1 + deep();
    let overflow = '';
    try { deep(); } catch (too) { overflow = `${(too as Error).name} ${too instanceof RangeError}`; }
    return [typeof again.stack, (again.errors[0] as Error).message, again.cause === error, overflow];
  }
};
