// Lone surrogates in escapes stay; characters beyond the BMP are two units.
export default String.raw`
export default (given: string) => {
  const alone = '\ud800', reversed = '\udc00\ud800', pair = '\ud83d\ude00', braces = '\u{d800}';
  console.log(alone);
  return { alone, reversed, pair, same: pair === '😀', lengths: [alone.length, reversed.length, pair.length], back: given, equal: given === alone, key: { ['\udfff']: 1 }, braces: braces === alone };
};
`;
