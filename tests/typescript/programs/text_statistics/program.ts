// Describes a text: words, sentences, the most frequent words and pairs, readability, and where words stand.

interface WordCount { readonly word: string; readonly count: number }
type Histogram = Partial<Record<number, number>>;

const kStopWords = new Set(['the', 'a', 'of', 'and', 'to', 'in', 'is', 'it', 'that']);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{Letter}+(?:['’]\p{Letter}+)*/gu) ?? [];
const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])\s+(?=\p{Lu})/u).map((one) => one.trim()).filter(Boolean);

function* pairs<T>(items: Iterable<T>): Generator<[T, T]> {
  let before: T | undefined;
  for (const item of items) {
    if (before !== undefined) yield [before, item];
    before = item;
  }
}

function count(items: Iterable<string>): WordCount[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].map(([word, count]) => ({ word, count })).toSorted((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
}

function syllables(word: string): number {
  const groups = word.replace(/e$/, '').match(/[aeiouy]+/g)?.length ?? 0;
  return Math.max(1, groups);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function concordance(text: string, word: string, width: number): string[] {
  return [...text.matchAll(new RegExp(`(?<!\\p{L})${RegExp.escape(word)}(?!\\p{L})`, 'giu'))].map(({ index, 0: found }) => {
    const left = text.slice(Math.max(0, index - width), index).padStart(width);
    const right = text.slice(index + found.length, index + found.length + width).padEnd(width);
    return `${left}[${found}]${right}`.replace(/\s/g, ' ');
  });
}

export default (text: string, word: string) => {
  const words = wordsOf(text);
  const sentences = sentencesOf(text);
  const lengths = words.map((one) => one.length);
  const histogram: Histogram = {};
  for (const length of lengths) histogram[length] = (histogram[length] ?? 0) + 1;
  const perSentence = words.length / sentences.length;
  const perWord = words.reduce((sum, one) => sum + syllables(one), 0) / words.length;
  return {
    words: words.length,
    distinct: new Set(words).size,
    sentences: sentences.length,
    longest: words.reduce((best, one) => (one.length > best.length ? one : best), ''),
    medianLength: median(lengths),
    histogram,
    frequent: count(words.filter((one) => !kStopWords.has(one))).slice(0, 3),
    pairs: count(pairs(words).map((pair) => pair.join(' '))).filter(({ count }) => count > 1),
    readingEase: Number((206.835 - 1.015 * perSentence - 84.6 * perWord).toFixed(1)),
    concordance: concordance(text, word, 10),
    initials: Object.fromEntries(Object.entries(Object.groupBy(words, (one) => one[0]!)).map(([letter, all]) => [letter, all!.length]).sort()),
  };
};
