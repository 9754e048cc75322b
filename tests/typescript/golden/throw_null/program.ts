// Whatever is thrown, the outcome is an error that says so.
export default () => {
  throw null;
};
