import { randomFrom } from '@trove/test-support/random.js';

const shuffles = 10_000;

/**
 * A two-sided paired randomization test: the probability of a mean difference at least as large by chance, if the two
 * values of each question were exchangeable. `groups` contains the differences of each collection's questions, and
 * collections have equal weight.
 */
export function chanceOf(groups) {
  const random = randomFrom(1);
  const observed = Math.abs(meanOf(groups.map(meanOf)));
  let asLarge = 0;
  for (let shuffle = 0; shuffle < shuffles; shuffle++) {
    const means = groups.map((group) =>
      meanOf(group.map((value) => (random() < 0.5 ? value : -value))),
    );
    // Sums in another order differ in their last digits.
    if (Math.abs(meanOf(means)) >= observed - 1e-12) asLarge++;
  }
  return (asLarge + 1) / (shuffles + 1);
}

export function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
