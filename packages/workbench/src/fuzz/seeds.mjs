/**
 * Returns the seed of a run's nth case. The first case has the run's own seed, so that any case can be repeated by its
 * seed alone.
 */
export function seedOf(seed, number) {
  return (seed + number * 7919) % 2 ** 27;
}
