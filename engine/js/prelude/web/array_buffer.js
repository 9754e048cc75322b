// ArrayBuffer.prototype.transfer: a script cannot detach a buffer, so that part is native.

import {
  ArrayBuffer, RangeError, TypeError, Uint8Array, bufferByteLength, bufferDetached, min, trunc, typedArraySet,
} from '../intrinsics.js';
import { defineHidden } from '../define.js';

const kMaxLength = 2 ** 53 - 1;

function toIndex(value) {
  const index = trunc(+value) || 0;
  if (index < 0 || index > kMaxLength) throw new RangeError('invalid array buffer length');
  return index;
}

/** Moves the contents to a new buffer of `length` bytes and detaches `buffer`. */
export function transferBuffer(detach, buffer, newLength) {
  const length = newLength === undefined ? bufferByteLength(buffer) : toIndex(newLength);
  if (bufferDetached(buffer)) throw new TypeError('the array buffer is detached');
  const moved = new ArrayBuffer(length);
  typedArraySet(new Uint8Array(moved), new Uint8Array(buffer, 0, min(length, bufferByteLength(buffer))));
  detach(buffer);
  return moved;
}

export function addTransfer({ detach }) {
  const methods = {
    transfer(newLength = undefined) {
      return transferBuffer(detach, this, newLength);
    },
    transferToFixedLength(newLength = undefined) {
      return transferBuffer(detach, this, newLength);
    },
  };
  defineHidden(ArrayBuffer.prototype, 'transfer', methods.transfer);
  defineHidden(ArrayBuffer.prototype, 'transferToFixedLength', methods.transferToFixedLength);
}
