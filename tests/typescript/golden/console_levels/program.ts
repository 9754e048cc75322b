// The console's text is kept in order, values shown as people know them.
export default () => {
  console.log('text', 1, -0, null, undefined, true, 5n, Symbol('s'));
  console.info({ a: [1, { b: new Map([['k', new Set([1])]]) }], 'b-c': 'quoted' });
  console.warn('%s is %d %% of %o', 'this', 50, [1]);
  console.error(new Date(0), /x/g, [undefined, , 3]);
  console.debug(class Named {}, function f() {}, () => {}, new (class Point { x = 1; })());
  console.group('group');
  console.log('inner\nlines');
  console.groupEnd();
  console.assert(1 > 2, 'not so');
  console.count(); console.count();
  console.table([{ a: 1, b: 2 }, { a: 3 }]);
  console.log();
};
