// Enums of every kind: numeric, text, mixed, computed, constant, merged, inside functions and namespaces.

enum Level { Low = 1, Mid, High = Mid * 4, Next }
enum Colour { Red = 'r', Green = 'g' }
enum Mixed { No = 0, Yes = 'yes', Length = 'four'.length }
enum Bits { None = 0, A = 1 << 0, B = 1 << 1, Both = A | B, Rest = ~Both }
const enum Hidden { One = 1, Two = One + 1, Text = `t${'x'}` }
enum Merged { First }
enum Merged { Second = 1 }
declare enum Elsewhere { X = 5 }
enum Negative { Minus = -2, After }
enum Quoted { 'with space' = 3, 'π' = 4 }

namespace Space {
  export enum Inner { A = 'a' }
}

function local(): string {
  enum Here { Now = 7 }
  return `${Here[7]}=${Here.Now}`;
}

type LevelName = keyof typeof Level;
const name: LevelName = 'High';

export default (level: Level = Level.Next) => ({
  level,
  byName: Level[name],
  reverse: [Level[1], Level[2], Level[8], Level[9]],
  keys: Object.keys(Level),
  colours: Object.entries(Colour),
  noReverse: (Colour as any)['r'] === undefined,
  mixed: [Mixed.No, Mixed.Yes, Mixed.Length, Mixed[0]],
  bits: [Bits.Both, Bits.Rest, (Bits.A | Bits.B) === Bits.Both],
  hidden: [Hidden.One, Hidden.Two, Hidden.Text, Hidden['Two']],
  merged: [Merged.First, Merged.Second, Merged[0], Merged[1]],
  negative: [Negative.Minus, Negative.After, Negative[-1]],
  quoted: [Quoted['with space'], Quoted['π'], Quoted[4]],
  inner: Space.Inner.A,
  local: local(),
  elsewhere: typeof (globalThis as any).Elsewhere,
});
