import { randomFrom, type Random } from '../lib/random.mjs';

/** The seed is printed, and can be given again to repeat a run. */
export function seededRandom(name: string): Random {
  const seed = Number(process.env['TROVE_TEST_SEED'] ?? Date.now() % 1_000_000);
  console.log(`${name}: TROVE_TEST_SEED=${seed}`);
  return randomFrom(seed);
}
