// Classes: parameter properties, abstract members, overloads, private names, static blocks, accessors, `this` types.

abstract class Shape {
  static #made = 0;
  static readonly registry: Map<string, number>;
  static {
    Shape.registry = new Map();
    Shape.registry.set('static block', Shape.#made);
  }
  declare readonly declaredOnly: string;
  label!: string;
  constructor(protected readonly name: string, private scale = 2, public readonly tags: readonly string[] = []) {
    Shape.#made++;
    this.label = `${name}/${scale}`;
  }
  abstract area(): number;
  scaled(): number { return this.area() * this.scale; }
  static get made() { return Shape.#made; }
  named(name: string): this { this.label = name; return this; }
}

class Square extends Shape {
  #side: number;
  accessor colour = 'red';
  static accessor instances = 0;
  constructor(side: number) {
    super('square', undefined, ['a', 'b']);
    this.#side = side;
    Square.instances++;
  }
  override area(): number { return this.#side ** 2; }
  get side() { return this.#side; }
  set side(value: number) { if (value <= 0) throw new RangeError('side'); this.#side = value; }
  static isSquare(value: unknown): value is Square { return typeof value === 'object' && value !== null && #side in value; }
  #grow(by: number): void { this.#side += by; }
  grow(): this { this.#grow(1); return this; }
}

class Finder {
  find(key: string): string;
  find(key: number): number;
  find(key: string | number): string | number { return typeof key === 'string' ? key.toUpperCase() : key + 1; }
  [index: number]: string;
  optional?(): void;
  readonly 'quoted key' = 1;
  static async *stream(count: number): AsyncGenerator<number> { for (let i = 0; i < count; i++) yield i; }
  *[Symbol.iterator](): Generator<string> { yield* ['x', 'y']; }
}

class Fields {
  first = 1;
  second = this.first + 1;
  arrow = () => this.second;
  ['com' + 'puted'] = 3;
  static inherited = 'static';
}
class More extends Fields { override first = 10; static copy = super.inherited; }

interface Runner { run(): string }
const Mixin = <T extends abstract new (...args: any[]) => object>(Base: T) => {
  abstract class Mixed extends Base implements Runner { run() { return 'ran'; } }
  return Mixed;
};
class Mixed extends Mixin(Fields) {}

export default async () => {
  const square = new Square(3);
  square.colour = 'blue';
  const streamed: number[] = [];
  for await (const n of Finder.stream(3)) streamed.push(n);
  const finder = new Finder();
  let refused = '';
  try { square.side = 0; } catch (error) { refused = (error as Error).name; }
  let abstractError = '';
  try { new (Shape as any)('raw').area(); } catch (error) { abstractError = (error as Error).name; }
  return {
    area: square.area(),
    scaled: square.scaled(),
    grown: square.grow().named('big').side,
    label: square.label,
    own: Object.keys(square).sort(),
    declared: 'declaredOnly' in square,
    colour: [square.colour, Object.hasOwn(square, 'colour'), 'colour' in square],
    instances: Square.instances,
    made: Shape.made,
    registry: [...Shape.registry],
    isSquare: [Square.isSquare(square), Square.isSquare({})],
    overloads: [finder.find('k'), finder.find(1)],
    streamed,
    iterated: [...finder],
    fields: [new More().first, new More().second, new More().arrow(), (new More() as any).computed, More.copy],
    mixed: [new Mixed().run(), new Mixed().second],
    refused,
    abstractError,
  };
};
