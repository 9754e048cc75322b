// A small language: tokenizer, Pratt parser, and an evaluator with variables, functions and closures.

type Token = { type: 'number'; value: number } | { type: 'name'; value: string } | { type: 'operator'; value: string };
type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'name'; name: string }
  | { kind: 'unary'; operator: string; operand: Expression }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  | { kind: 'assign'; name: string; value: Expression }
  | { kind: 'call'; callee: Expression; args: Expression[] }
  | { kind: 'lambda'; parameters: string[]; body: Expression }
  | { kind: 'if'; condition: Expression; then: Expression; otherwise: Expression };
type Value = number | ((...args: Value[]) => Value);

const enum Power { Assign = 1, Ternary = 2, Compare = 3, Sum = 4, Product = 5, Prefix = 6, Exponent = 7, Call = 8 }
const kBinary: Record<string, Power> = {
  '<': Power.Compare, '>': Power.Compare, '==': Power.Compare, '+': Power.Sum, '-': Power.Sum, '*': Power.Product, '/': Power.Product, '%': Power.Product, '^': Power.Exponent,
};

function tokenize(source: string): Token[] {
  const pattern = /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z_]\w*)|(?<operator>=>|==|[-+*/%^()<>=?:,]))/gy;
  const tokens: Token[] = [];
  let end = 0;
  for (const match of source.trimEnd().matchAll(pattern)) {
    const { number, name, operator } = match.groups!;
    if (number !== undefined) tokens.push({ type: 'number', value: Number(number) });
    else if (name !== undefined) tokens.push({ type: 'name', value: name });
    else tokens.push({ type: 'operator', value: operator! });
    end = match.index + match[0].length;
  }
  if (end !== source.trimEnd().length) throw new SyntaxError(`unexpected ${JSON.stringify(source[end])} at ${end}`);
  return tokens;
}

class Parser {
  private position = 0;
  constructor(private readonly tokens: readonly Token[]) {}

  static parse(source: string): Expression {
    const parser = new Parser(tokenize(source));
    const expression = parser.expression(0);
    if (parser.peek() !== undefined) throw new SyntaxError(`unexpected ${parser.peek()!.value}`);
    return expression;
  }

  private peek(offset = 0): Token | undefined { return this.tokens[this.position + offset]; }
  private is(value: string, offset = 0): boolean { const token = this.peek(offset); return token?.type === 'operator' && token.value === value; }
  private expect(value: string): void {
    if (!this.is(value)) throw new SyntaxError(`expected ${value} but found ${this.peek()?.value ?? 'the end'}`);
    this.position++;
  }

  private expression(power: number): Expression {
    let left = this.prefix();
    for (;;) {
      const token = this.peek();
      if (token?.type !== 'operator') return left;
      const binary = kBinary[token.value];
      if (token.value === '(' && Power.Call > power) left = { kind: 'call', callee: left, args: this.list() };
      else if (token.value === '=' && left.kind === 'name' && Power.Assign > power) {
        this.position++;
        left = { kind: 'assign', name: left.name, value: this.expression(Power.Assign - 1) };
      } else if (token.value === '?' && Power.Ternary > power) {
        this.position++;
        const then = this.expression(0);
        this.expect(':');
        left = { kind: 'if', condition: left, then, otherwise: this.expression(Power.Ternary - 1) };
      } else if (binary !== undefined && binary > power) {
        this.position++;
        const right = this.expression(token.value === '^' ? binary - 1 : binary);
        left = { kind: 'binary', operator: token.value, left, right };
      } else return left;
    }
  }

  private prefix(): Expression {
    const token = this.peek();
    this.position++;
    if (token === undefined) throw new SyntaxError('unexpected end');
    if (token.type === 'number') return { kind: 'number', value: token.value };
    if (token.type === 'name') {
      if (!this.is('=>')) return { kind: 'name', name: token.value };
      this.position++;
      return { kind: 'lambda', parameters: [token.value], body: this.expression(0) };
    }
    if (token.value === '-') return { kind: 'unary', operator: '-', operand: this.expression(Power.Prefix) };
    if (token.value !== '(') throw new SyntaxError(`unexpected ${token.value}`);
    const inner = this.expression(0);
    this.expect(')');
    return inner;
  }

  private list(): Expression[] {
    this.expect('(');
    const all: Expression[] = [];
    while (!this.is(')')) {
      all.push(this.expression(0));
      if (!this.is(')')) this.expect(',');
    }
    this.expect(')');
    return all;
  }
}

class Scope {
  readonly #values = new Map<string, Value>();
  constructor(private readonly outer?: Scope) {}
  get(name: string): Value { return this.#values.get(name) ?? this.outer?.get(name) ?? fail(`unknown name ${name}`); }
  set(name: string, value: Value): Value { this.#values.set(name, value); return value; }
}
function fail(message: string): never { throw new ReferenceError(message); }

function evaluate(expression: Expression, scope: Scope): Value {
  const number = (part: Expression): number => {
    const value = evaluate(part, scope);
    return typeof value === 'number' ? value : fail('not a number');
  };
  switch (expression.kind) {
    case 'number': return expression.value;
    case 'name': return scope.get(expression.name);
    case 'unary': return -number(expression.operand);
    case 'assign': return scope.set(expression.name, evaluate(expression.value, scope));
    case 'if': return evaluate(number(expression.condition) !== 0 ? expression.then : expression.otherwise, scope);
    case 'lambda': return (...args) => {
      const inner = new Scope(scope);
      expression.parameters.forEach((name, i) => inner.set(name, args[i] ?? fail(`missing argument ${name}`)));
      return evaluate(expression.body, inner);
    };
    case 'call': {
      const callee = evaluate(expression.callee, scope);
      if (typeof callee !== 'function') fail('not a function');
      return (callee as (...args: Value[]) => Value)(...expression.args.map((arg) => evaluate(arg, scope)));
    }
    case 'binary': {
      const [left, right] = [number(expression.left), number(expression.right)];
      switch (expression.operator) {
        case '+': return left + right;
        case '-': return left - right;
        case '*': return left * right;
        case '/': return left / right;
        case '%': return left % right;
        case '^': return left ** right;
        case '<': return Number(left < right);
        case '>': return Number(left > right);
        default: return Number(left === right);
      }
    }
  }
}

export default (...lines: string[]): unknown[] => {
  const global = new Scope();
  global.set('sqrt', (x) => Math.sqrt(x as number));
  global.set('max', (...all) => Math.max(...(all as number[])));
  return lines.map((line) => {
    try {
      const value = evaluate(Parser.parse(line), global);
      return typeof value === 'function' ? 'function' : value;
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
  });
};
