// printf directives. The output is that of Node.js 20.
const log = console.log;
log('%s is %d years and %i, %f', 'Bob', 42, 42.9, '1.50', 'extra', { a: 1 });
log('%s %s %s %s %s', null, undefined, true, 12n, Symbol('x'), -0);
log('%s %s', { a: { b: 1 } }, [1, [2, [3]]], '%s');
log('%s', class A {}, '%s', function f() { return 1; });
log('%d %d %d %d %d', '42', 'x', 10n, null, Symbol('a'), undefined);
log('%i %i %i %i', 3.9, '7px', 10n, null, Symbol('a'));
log('%f %f %f', 3.25, '7.5px', 'x', Symbol('a'));
log('%j %j %j', { a: [1] }, 'text', undefined, [1]);
log('%O', { a: { b: { c: { d: 1 } } } }, '%o');
log('%o', { a: { b: { c: { d: { e: { f: 1 } } } } } });
log('%o', [1, 2]);
log('%cred', 'color: red', 'after');
log('100%', 5); log('100%%', 5); log('100%%'); log('%'); log('%', 1); log('a %z b', 1); log('%s'); log('%s %s', 'one'); log('%%s %s', 'x'); log('%d%%', 50);
log(5, '%s', 'x'); log('a', 'b', 3, [4]); log(); log(''); log(' ', ''); log('\n'); log('%s', 'x'.repeat(3), ['y']);
