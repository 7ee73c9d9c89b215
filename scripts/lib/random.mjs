/** A generator of numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `low` to `high`, both included. */
export function between(random, low, high) {
  return low + Math.floor(random() * (high - low + 1));
}

export function oneOf(random, items) {
  return items[Math.floor(random() * items.length)];
}

/** A number around `median` whose logarithm is normally distributed, as the sizes of files are. */
export function logNormal(random, median, spread) {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * random()));
}
