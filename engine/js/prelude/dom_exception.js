// DOMException as a real Error, so that it has a stack and native code can report it.

import { ErrorConstructor, defineProperty, errorStack, stringIndexOf, stringSlice } from './intrinsics.js';
import { defineHidden, nameClass } from './define.js';

// Names with a legacy code, in the order of their codes; the gaps have no name any more.
const kCodes = [
  ['INDEX_SIZE_ERR', 'IndexSizeError'],
  ['DOMSTRING_SIZE_ERR', ''],
  ['HIERARCHY_REQUEST_ERR', 'HierarchyRequestError'],
  ['WRONG_DOCUMENT_ERR', 'WrongDocumentError'],
  ['INVALID_CHARACTER_ERR', 'InvalidCharacterError'],
  ['NO_DATA_ALLOWED_ERR', ''],
  ['NO_MODIFICATION_ALLOWED_ERR', 'NoModificationAllowedError'],
  ['NOT_FOUND_ERR', 'NotFoundError'],
  ['NOT_SUPPORTED_ERR', 'NotSupportedError'],
  ['INUSE_ATTRIBUTE_ERR', 'InUseAttributeError'],
  ['INVALID_STATE_ERR', 'InvalidStateError'],
  ['SYNTAX_ERR', 'SyntaxError'],
  ['INVALID_MODIFICATION_ERR', 'InvalidModificationError'],
  ['NAMESPACE_ERR', 'NamespaceError'],
  ['INVALID_ACCESS_ERR', 'InvalidAccessError'],
  ['VALIDATION_ERR', ''],
  ['TYPE_MISMATCH_ERR', 'TypeMismatchError'],
  ['SECURITY_ERR', 'SecurityError'],
  ['NETWORK_ERR', 'NetworkError'],
  ['ABORT_ERR', 'AbortError'],
  ['URL_MISMATCH_ERR', 'URLMismatchError'],
  ['QUOTA_EXCEEDED_ERR', 'QuotaExceededError'],
  ['TIMEOUT_ERR', 'TimeoutError'],
  ['INVALID_NODE_TYPE_ERR', 'InvalidNodeTypeError'],
  ['DATA_CLONE_ERR', 'DataCloneError'],
];

export class DOMException extends ErrorConstructor {
  #name;

  constructor(message = '', name = 'Error') {
    super(`${message}`);
    defineHidden(this, 'message', `${message}`);
    // The first frame is this constructor.
    const stack = errorStack(this);
    defineHidden(this, 'stack', stringSlice(stack, stringIndexOf(stack, '\n') + 1));
    this.#name = `${name}`;
    // An own name as well: native code reports an uncaught error from its own data alone.
    defineHidden(this, 'name', this.#name);
  }

  get name() {
    return this.#name;
  }

  get code() {
    for (let i = 0; i < kCodes.length; i++) if (kCodes[i][1] === this.#name) return i + 1;
    return 0;
  }

  /** The name of a DOMException, undefined for anything else; runs no guest code. */
  static nameOf(value) {
    return #name in value ? value.#name : undefined;
  }
}

/** Not for guests: taken off the class that they see. */
export const domExceptionName = DOMException.nameOf;
delete DOMException.nameOf;

nameClass(DOMException, 'DOMException');
for (let i = 0; i < kCodes.length; i++) {
  const constant = { __proto__: null, value: i + 1, writable: false, enumerable: true, configurable: false };
  defineProperty(DOMException, kCodes[i][0], constant);
  defineProperty(DOMException.prototype, kCodes[i][0], constant);
}
