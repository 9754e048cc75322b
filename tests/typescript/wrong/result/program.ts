// Prints and returns what its folder does not expect.
export default () => {
  console.log('printed');
  return { right: 1, wrong: 2 };
};
