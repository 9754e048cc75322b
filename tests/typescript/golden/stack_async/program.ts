// An error after awaits: the frames from the last await on are exact.
type Step = 'one' | 'two';

async function inner(step: Step): Promise<never> {
  await null;
  throw new TypeError(`step ${step}`);
}

async function outer(): Promise<void> {
  await Promise.resolve();
  const step = 'two' satisfies Step;
  await inner(step);
}

export default async () => {
  await outer();
};
