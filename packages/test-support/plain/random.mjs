/** Returns a generator seeded by `TROVE_TEST_SEED`, or by the clock. Prints the seed, which repeats the run. */
export function seededRandom(name) {
  const seed = Number(process.env['TROVE_TEST_SEED'] ?? Date.now() % 1_000_000);
  console.log(`${name}: TROVE_TEST_SEED=${seed}`);
  return randomFrom(seed);
}

/** Returns a generator of the same numbers for the same seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a whole number from `low` to `high`, both included. */
export function between(random, low, high) {
  return low + Math.floor(random() * (high - low + 1));
}

/** Returns one of the items. Throws when there is none. */
export function oneOf(random, items) {
  if (items.length === 0) throw new RangeError('oneOf needs at least one item');
  return items[Math.floor(random() * items.length)];
}

/** Returns a number around `median` whose logarithm is normally distributed, like the sizes of files. */
export function logNormal(random, median, spread) {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * random()));
}
