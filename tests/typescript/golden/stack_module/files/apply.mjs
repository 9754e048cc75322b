// Applies.
export function apply(work) {
  return work(7);
}
