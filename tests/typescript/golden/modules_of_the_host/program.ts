// Modules that the host lists: default, named, namespace, re-exported, dynamic, and from each other.

import words, { count as total, type Options } from 'text/words';
import * as all from 'text/words';
export { longest } from 'text/words';
import { longest } from 'text/again';

export default async (text: string, options?: Options) => {
  const again = await import('text/words');
  return {
    words: words(text),
    total: total(text),
    same: again.default === words && all.default === words && again === all,
    longest: longest(text),
    names: Object.keys(all).sort(),
    options: options === undefined,
    state: [all.calls(), again.calls()],
    frozen: (() => { try { (all as any).count = 1; return 'changed'; } catch (error) { return (error as Error).name; } })(),
    missing: await import('text/word').catch((error: Error) => error.message),
  };
};
