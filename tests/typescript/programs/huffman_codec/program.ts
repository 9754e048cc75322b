// Huffman coding to real bytes and back, with a canonical code table, run-length coding and a check sum beside it.

type Tree = { readonly weight: number; readonly least: number } & ({ readonly byte: number } | { readonly left: Tree; readonly right: Tree });
interface Packed { readonly lengths: Map<number, number>; readonly size: number; readonly bits: Uint8Array }

class BitWriter {
  readonly #bytes: number[] = [];
  #used = 0;
  write(code: bigint, length: number): void {
    for (let i = length - 1; i >= 0; i--) {
      if (this.#used % 8 === 0) this.#bytes.push(0);
      this.#bytes[this.#bytes.length - 1]! |= Number((code >> BigInt(i)) & 1n) << (7 - (this.#used % 8));
      this.#used++;
    }
  }
  finish(): Uint8Array { return Uint8Array.from(this.#bytes); }
}

function* bitsOf(bytes: Uint8Array): Generator<0 | 1> {
  for (const byte of bytes) for (let i = 7; i >= 0; i--) yield ((byte >> i) & 1) as 0 | 1;
}

function codeLengths(bytes: Uint8Array): Map<number, number> {
  const weights = new Map<number, number>();
  for (const byte of bytes) weights.set(byte, (weights.get(byte) ?? 0) + 1);
  let trees: Tree[] = [...weights].map(([byte, weight]) => ({ byte, weight, least: byte }));
  while (trees.length > 1) {
    trees.sort((a, b) => a.weight - b.weight || a.least - b.least);
    const [left, right] = trees.splice(0, 2) as [Tree, Tree];
    trees.push({ left, right, weight: left.weight + right.weight, least: Math.min(left.least, right.least) });
  }
  const lengths = new Map<number, number>();
  const visit = (tree: Tree, depth: number): void => {
    if ('byte' in tree) lengths.set(tree.byte, Math.max(1, depth));
    else { visit(tree.left, depth + 1); visit(tree.right, depth + 1); }
  };
  if (trees[0]) visit(trees[0], 0);
  return new Map([...lengths].sort(([a, x], [b, y]) => x - y || a - b));
}

/** The canonical codes of these lengths: in order of length, then byte, counting up. */
function codes(lengths: ReadonlyMap<number, number>): Map<number, [code: bigint, length: number]> {
  let code = 0n;
  let before = 0;
  return new Map([...lengths].map(([byte, length]) => {
    code <<= BigInt(length - before);
    before = length;
    return [byte, [code++, length]];
  }));
}

function pack(bytes: Uint8Array): Packed {
  const lengths = codeLengths(bytes);
  const table = codes(lengths);
  const writer = new BitWriter();
  for (const byte of bytes) writer.write(...table.get(byte)!);
  return { lengths, size: bytes.length, bits: writer.finish() };
}

function unpack({ lengths, size, bits }: Packed): Uint8Array {
  const byCode = new Map([...codes(lengths)].map(([byte, [code, length]]) => [`${length}:${code}`, byte]));
  const out = new Uint8Array(size);
  let [code, length, at] = [0n, 0, 0];
  for (const bit of bitsOf(bits)) {
    if (at === size) break;
    code = (code << 1n) | BigInt(bit);
    const byte = byCode.get(`${++length}:${code}`);
    if (byte === undefined) continue;
    out[at++] = byte;
    [code, length] = [0n, 0];
  }
  if (at !== size) throw new RangeError(`${size - at} bytes are missing`);
  return out;
}

function runLengths(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let i = 0; i < bytes.length;) {
    let run = 1;
    while (run < 255 && bytes[i + run] === bytes[i]) run++;
    out.push(run, bytes[i]!);
    i += run;
  }
  return new Uint8Array(out);
}

/** CRC-32 as in zip files. */
function crc32(bytes: Uint8Array): string {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}

export default (text: string, raw: Uint8Array) => {
  const bytes = new TextEncoder().encode(text);
  const packed = pack(bytes);
  const back = unpack(packed);
  let broken = '';
  try { unpack({ ...packed, bits: packed.bits.subarray(0, 2) }); } catch (error) { broken = (error as Error).message; }
  return {
    packed: packed.bits,
    lengths: packed.lengths,
    ratio: [bytes.length, packed.bits.length],
    same: new TextDecoder().decode(back) === text,
    rawAgain: unpack(pack(raw)),
    runs: runLengths(raw),
    crc: [crc32(bytes), crc32(new TextEncoder().encode('123456789'))],
    single: pack(new Uint8Array(9)).bits,
    empty: unpack(pack(new Uint8Array())).length,
    broken,
  };
};
