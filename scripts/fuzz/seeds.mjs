/** A seed for the numbered case of a run: the first is the run's own, so that a case can be run again by its seed. */
export function seedOf(seed, number) {
  return (seed + number * 7919) % 2 ** 27;
}
