// A state machine for orders: states as a discriminated union, transitions as data, history kept by a decorator.

type State =
  | { readonly kind: 'draft'; readonly items: readonly Item[] }
  | { readonly kind: 'placed'; readonly items: readonly Item[]; readonly total: number }
  | { readonly kind: 'paid'; readonly total: number; readonly receipt: string }
  | { readonly kind: 'shipped'; readonly receipt: string; readonly parcel: number }
  | { readonly kind: 'cancelled'; readonly reason: string; readonly refund: number };
type Kind = State['kind'];
interface Item { readonly name: string; readonly price: number; readonly count: number }
type Command =
  | { readonly do: 'add'; readonly item: Item }
  | { readonly do: 'place' }
  | { readonly do: 'pay'; readonly amount: number }
  | { readonly do: 'ship' }
  | { readonly do: 'cancel'; readonly reason: string };

class TransitionError extends Error {
  static {
    this.prototype.name = 'TransitionError';
  }
}

/** Only in these states; the step from one to the other is noted. */
function from<This extends Order, Args extends unknown[]>(...allowed: Kind[]) {
  return (method: (this: This, ...args: Args) => State, context: ClassMethodDecoratorContext<This>) =>
    function (this: This, ...args: Args): State {
      const before = this.state.kind;
      if (!allowed.includes(before)) throw new TransitionError(`${String(context.name)} is not possible when ${before}`);
      const next = method.apply(this, args);
      this.history.push(`${before} -${String(context.name)}-> ${next.kind}`);
      return (this.state = next);
    };
}

class Order {
  state: State = { kind: 'draft', items: [] };
  readonly history: string[] = [];
  static #parcels = 1000;
  constructor(readonly id: number) {}

  @from('draft')
  add(item: Item): State {
    if (item.count <= 0) throw new RangeError('count must be positive');
    return { kind: 'draft', items: [...this.#in('draft').items, item] };
  }

  @from('draft')
  place(): State {
    const { items } = this.#in('draft');
    if (items.length === 0) throw new TransitionError('an empty order cannot be placed');
    return { kind: 'placed', items, total: items.reduce((sum, { price, count }) => sum + price * count, 0) };
  }

  @from('placed')
  pay(amount: number): State {
    const { total } = this.#in('placed');
    if (amount < total) throw new TransitionError(`${total - amount} is missing`);
    return { kind: 'paid', total, receipt: `R${this.id}-${total}` };
  }

  @from('paid')
  ship(): State { return { kind: 'shipped', receipt: this.#in('paid').receipt, parcel: ++Order.#parcels }; }

  @from('draft', 'placed', 'paid')
  cancel(reason: string): State {
    return { kind: 'cancelled', reason, refund: this.state.kind === 'paid' ? this.state.total : 0 };
  }

  #in<K extends Kind>(kind: K): Extract<State, { kind: K }> {
    if (this.state.kind !== kind) throw new TransitionError(`not ${kind}`);
    return this.state as Extract<State, { kind: K }>;
  }
}

function apply(order: Order, command: Command): void {
  switch (command.do) {
    case 'add': order.add(command.item); break;
    case 'place': order.place(); break;
    case 'pay': order.pay(command.amount); break;
    case 'ship': order.ship(); break;
    case 'cancel': order.cancel(command.reason); break;
    default: {
      const unknown: never = command;
      throw new TypeError(`unknown command ${JSON.stringify(unknown)}`);
    }
  }
}

export default (orders: Command[][]) => orders.map((commands, i) => {
  const order = new Order(i + 1);
  const refusals: string[] = [];
  for (const command of commands) {
    try {
      apply(order, command);
    } catch (error) {
      refusals.push(`${(error as Error).name}: ${(error as Error).message}`);
    }
  }
  return { state: order.state, history: order.history, refusals };
});
