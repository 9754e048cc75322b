// A top level that nothing can settle ends at once, long before the wall clock.
console.log('before');
await new Promise(() => {});
console.log('after');
