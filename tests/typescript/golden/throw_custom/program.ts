// A class of the program's own: its name and message.
class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(readonly status: number, options?: ErrorOptions) {
    super(`status ${status}`, options);
  }
}

export default () => {
  throw new HttpError(503, { cause: 'upstream' });
};
