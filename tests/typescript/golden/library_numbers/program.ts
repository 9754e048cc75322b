// Numbers, big integers and bytes.

const view = new DataView(new ArrayBuffer(8));
view.setFloat16(0, 1.337);

export default (big: bigint) => ({
  big: [big * 2n, big ** 2n, -7n / 2n, -7n % 2n, BigInt.asUintN(64, -1n), BigInt.asIntN(8, 255n), BigInt('0xff'), 5n << 70n],
  bigText: [big.toString(16), typeof big, BigInt(2 ** 53) + 1n === 9007199254740993n, 2n > 1, 2n == (2 as any)],
  mixed: (() => { try { return (1n as any) + 1; } catch (error) { return (error as Error).name; } })(),
  math: [Math.f16round(1.337), Math.hypot(3, 4), Math.clz32(1), Math.sign(-3), Math.trunc(-4.7), Math.cbrt(27), Math.fround(5.5), Math.imul(0xffffffff, 5), Math.log2(8), Math.max(), Math.round(2.5), Math.round(-2.5)],
  number: [(0.1 + 0.2).toFixed(2), (255).toString(36), (1e21).toString(), (25).toPrecision(1), parseInt('12px'), parseFloat('.5e1x'), Number(''), Number('0b11'), (1.005).toFixed(2), 5e-324, 1.7976931348623157e308],
  checks: [Number.isInteger(5.0), Number.isSafeInteger(2 ** 53), Number.EPSILON > 0, 0.1 + 0.2 === 0.3, Object.is(-0, 0), NaN !== NaN],
  float16: view.getFloat16(0),
  endian: [view.getUint16(0), view.getUint16(0, true)],
  bytes: [...new Uint8Array(new Uint16Array([0x0102]).buffer)],
  clamped: [...new Uint8ClampedArray([-5, 1.5, 2.5, 300])],
  transfer: ((buffer: ArrayBuffer) => [buffer.transfer(8).byteLength, buffer.detached, buffer.byteLength])(new ArrayBuffer(4)),
  base64: [btoa('héllo'), atob('aGk=')],
});
