// A script is good when its top level, awaited, completes.
import { environment } from 'fino:ai/sandbox/capabilities';
import type { Unused } from './nowhere';

enum Step { One = 1 }
const assert = require('check') as (condition: unknown, message?: string) => asserts condition;
const { twice } = require('named') as { twice(n: number): number };
import { twice as imported } from 'named';

assert(twice(Step.One) === 2);
assert(imported === twice);
await new Promise((resolve) => setTimeout(resolve, 1));
console.log(await environment('NAME'), Step[1]);
let refused = '';
try { require('node:fs'); } catch (error) { refused = (error as Error).message; }
assert(refused.includes('"node:fs"') && refused.includes('"check"'), refused);
export {};
