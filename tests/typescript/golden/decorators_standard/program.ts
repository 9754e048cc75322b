// Standard decorators of every kind, their order, their contexts, initializers and metadata.

const events: string[] = [];
const log = (label: string) => {
  events.push(`eval ${label}`);
  return (_value: unknown, context: DecoratorContext) => {
    const where = 'static' in context ? `${context.static ? 'static ' : ''}${context.private ? 'private ' : ''}` : '';
    events.push(`apply ${label}: ${where}${context.kind} ${String(context.name)}`);
  };
};

function doubled(method: (n: number) => number, context: ClassMethodDecoratorContext) {
  return function (this: unknown, n: number) { return 2 * method.call(this, n); };
}
function bound(_: unknown, context: ClassMethodDecoratorContext) {
  context.addInitializer(function (this: any) { this[context.name] = this[context.name].bind(this); });
}
function plus(amount: number) {
  return (_: undefined, context: ClassFieldDecoratorContext) => (initial: number) => initial + amount;
}
function clamped(
  target: ClassAccessorDecoratorTarget<unknown, number>, context: ClassAccessorDecoratorContext<unknown, number>,
): ClassAccessorDecoratorResult<unknown, number> {
  return {
    get() { return target.get.call(this); },
    set(value) { target.set.call(this, Math.min(value, 10)); },
    init(initial) { return initial * 10; },
  };
}
function shouting(getter: () => string, context: ClassGetterDecoratorContext) {
  return function (this: unknown) { return getter.call(this).toUpperCase(); };
}
function trimmed(setter: (text: string) => void, context: ClassSetterDecoratorContext) {
  return function (this: unknown, text: string) { setter.call(this, text.trim()); };
}
function tagged<T extends abstract new (...args: any[]) => object>(Base: T, context: ClassDecoratorContext) {
  context.addInitializer(function (this: any) { this.initialised = true; });
  context.metadata.tag = context.name;
}
function reach(_: unknown, context: any) {
  events.push(`access ${context.access.has({ data: 1 })} ${context.access.get?.({ data: 'd' })}`);
}

@tagged
@log('class')
class Subject {
  @log('method') @doubled twice(n: number) { return n; }
  @bound whoAmI() { return this?.name; }
  name = 'subject';
  @plus(1) @plus(10) field = 100;
  @clamped accessor level = 0.5;
  #title = 'title';
  @shouting get title() { return this.#title; }
  @trimmed set title(text: string) { this.#title = text; }
  @log('static') static helper() {}
  @log('private') #hidden() {}
  @log('field') static count = 0;
  @reach data = 0;
}

class Replaced { @((_: unknown, context: any) => { events.push(`member expression ${context.name}`); }) [`computed${1}`] = 1; }

export default () => {
  const subject = new Subject();
  const { whoAmI } = subject;
  subject.level = 99;
  subject.title = '  new  ';
  return {
    events,
    twice: subject.twice(4),
    who: whoAmI(),
    field: subject.field,
    level: [new Subject().level, subject.level],
    title: subject.title,
    initialised: (Subject as any).initialised,
    metadata: (Subject as any)[Symbol.metadata].tag,
    computed: (new Replaced() as any).computed1,
  };
};
