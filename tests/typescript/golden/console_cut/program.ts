// Console text beyond its limit is cut, with a flag; the run goes on.
export default () => { for (let i = 0; i < 100; i++) console.log('x'.repeat(99)); return 'done'; };
