// A program that returns nothing has the result undefined.
export default async () => {};
