/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export type Random = () => number;

/** The seed is printed, and can be given again to repeat a run. */
export function seededRandom(name: string): Random {
  const seed = Number(process.env['TROVE_TEST_SEED'] ?? Date.now() % 1_000_000);
  console.log(`${name}: TROVE_TEST_SEED=${seed}`);
  return fromSeed(seed);
}

export function fromSeed(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to below `limit`. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}
