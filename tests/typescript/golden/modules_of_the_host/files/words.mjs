let asked = 0;
export default function words(text) { asked++; return text.match(/\p{L}+/gu) ?? []; }
export const count = (text) => words(text).length;
export const calls = () => asked;
export { longest } from 'text/again';
