// Order of tasks and microtasks, arguments, coercion, clearing.
const log = console.log;
log('start');
setTimeout(() => log('timeout 0'), 0);
setTimeout((...args) => log('args', args), 0, 1, 'two');
setTimeout(function () { log('this', this === undefined || this === globalThis); });
queueMicrotask(() => log('microtask 1'));
Promise.resolve().then(() => log('promise')).then(() => queueMicrotask(() => log('nested microtask')));
queueMicrotask(() => log('microtask 2'));
log('end of task');
await new Promise((done) => setTimeout(done, 5));

setTimeout(() => log('third'), 30);
setTimeout(() => log('first'), '10');
setTimeout(() => log('second'), { valueOf: () => 20 });
const cancelled = setTimeout(() => log('never'), 15);
clearTimeout(cancelled); clearTimeout(cancelled); clearTimeout(); clearTimeout('nonsense'); clearInterval(undefined);
log(typeof cancelled, cancelled > 0, clearTimeout(cancelled));
await new Promise((done) => setTimeout(done, 40));

let ticks = 0;
await new Promise((done) => {
  const id = setInterval((name) => {
    log(name, ++ticks);
    if (ticks === 3) { clearInterval(id); done(); }
  }, 10, 'tick');
});
log('negative and NaN delays run at once:');
setTimeout(() => log('a'), -5); setTimeout(() => log('b'), NaN); setTimeout(() => log('c'), 2 ** 31);
await new Promise((done) => setTimeout(done, 1));

for (const bad of ['log(1)', null, undefined, {}, 5]) {
  for (const f of [setTimeout, setInterval, queueMicrotask]) {
    try { f(bad, 0); log('accepted'); } catch (e) { log(f.name, e.name, e.message); }
  }
}
for (const bad of [Symbol('x'), 1n]) try { setTimeout(() => {}, bad); } catch (e) { log(e.name); }
queueMicrotask(() => { throw new Error('from a microtask'); });
setTimeout(() => { throw new Error('from a timer'); });
await new Promise((done) => setTimeout(done, 1));
const before = performance.now();
await new Promise((done) => setTimeout(done, 50));
log(performance.now() - before >= 50, performance.timeOrigin);
