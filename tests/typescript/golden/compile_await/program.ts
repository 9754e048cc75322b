// `await` in a function that is not async.
export default () => {
  await Promise.resolve(1);
};
