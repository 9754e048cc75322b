// The older decorators, with parameters: their order and their arguments.

const events: string[] = [];
const log = (label: string): any => {
  events.push(`eval ${label}`);
  return (target: any, key: any, third: any) => {
    const on = typeof target === 'function' ? 'static' : 'instance';
    const what = typeof third === 'number' ? `parameter ${third}` : third === undefined ? 'property' : 'descriptor';
    events.push(`apply ${label}: ${on} ${key} ${what}`);
  };
};
const sealed = (constructor: Function) => { events.push(`seal ${constructor.name}`); Object.seal(constructor.prototype); };
const readonly = (_: object, __: string, descriptor: PropertyDescriptor) => ({ ...descriptor, writable: false });
function counted<T extends new (...args: any[]) => object>(Base: T) {
  return class extends Base { counted = true; };
}

@counted
@sealed
class Subject {
  constructor(@log('constructor parameter') public first: number, @log('second') second: string) {}
  @log('property') value = 1;
  @log('outer') @log('inner') method(@log('parameter') text: string): string { return text; }
  @log('static') static make() {}
  @log('accessor') get size() { return 1; }
  @readonly fixed() { return 'fixed'; }
}

export default () => {
  const subject = new Subject(5, '') as any;
  let refused = '';
  try { Subject.prototype.fixed = () => 'changed'; } catch (error) { refused = (error as Error).name; }
  return { events, first: subject.first, counted: subject.counted, value: subject.value, text: subject.method('t'), refused };
};
