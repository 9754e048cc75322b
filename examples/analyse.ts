// Reads a prompt through the capabilities that the host granted and describes it.

import { environment, readText } from 'fino:ai/sandbox/capabilities';

interface Analysis {
  mode: string;
  lines: number;
  words: number;
  longestWord: string;
}

export default async function analyse(path: string): Promise<Analysis> {
  const mode = await environment('MODE');
  const text = await readText(path);
  const words = text.match(/\p{Letter}+/gu) ?? [];
  console.log(`analysing ${text.length} characters in mode ${mode}`);
  return {
    mode,
    lines: text.split('\n').filter((line) => line !== '').length,
    words: words.length,
    longestWord: words.reduce((longest, word) => (word.length > longest.length ? word : longest), ''),
  };
}
