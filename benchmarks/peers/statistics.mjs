// Figures out of samples.

// The smallest sample that so many percent of all samples do not exceed: exact, since all samples are kept.
export function percentile(samples, percent) {
  if (samples.length === 0) return undefined;
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100), 1) - 1];
}

export const median = (samples) => percentile(samples, 50);
