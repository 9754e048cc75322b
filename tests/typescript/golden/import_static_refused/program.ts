// A static import that is refused ends the run before any statement.
import type { Stats } from 'node:fs';
import { environment } from 'fino:ai/sandbox/capabilities';
import { readFileSync } from 'node:fs';

console.log('never printed');
export default (): Stats => readFileSync('x') as unknown as Stats & typeof environment;
