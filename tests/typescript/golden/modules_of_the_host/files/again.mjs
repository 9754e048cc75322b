import words from 'text/words';
export const longest = (text) => words(text).reduce((best, word) => (word.length > best.length ? word : best), '');
