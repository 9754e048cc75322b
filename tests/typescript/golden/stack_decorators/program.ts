// In decorated methods the frames are those of the source, the compiler's helpers are not shown.
function logged(method: (n: number) => number, context: ClassMethodDecoratorContext) {
  return function (this: unknown, n: number): number {
    return method.call(this, n);
  };
}

class Subject {
  @logged
  fail(n: number): number {
    throw new Error(`failed ${n}`);
  }
}

function withUsing(): void {
  using _nothing = null;
  new Subject().fail(1);
}

export default () => {
  withUsing();
};
