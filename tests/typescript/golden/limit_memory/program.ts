// Filling the memory ends the run.
export default () => { const all: number[][] = []; for (;;) all.push(new Array(50_000).fill(all.length + 0.5)); };
