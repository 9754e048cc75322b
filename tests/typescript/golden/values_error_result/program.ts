// An Error as a value: name, message and stack cross; look-alike tags are told from tags.

class Custom extends RangeError { override name = 'Custom'; }

export default () => {
  const error = new TypeError('as a value');
  const tagged = { $object: [['$error', 1]] };
  return { type: [error.name, error instanceof TypeError], error: { $note: 1, plain: 'not a tag' }, tagged, errors: [new Custom('c')].map(({ name, message }) => [name, message]) };
};
