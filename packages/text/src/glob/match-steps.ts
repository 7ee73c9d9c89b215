/** Matches any number of items. */
export const anyRun = Symbol('any number of items');

/**
 * Whether the steps match all items in order. `matches` compares one step with one item. Only the last `anyRun` grows,
 * so the time is bounded by the product of both lengths.
 */
export function matchSteps<Step, Item>(
  steps: readonly (Step | typeof anyRun)[],
  items: readonly Item[],
  matches: (step: Step, item: Item) => boolean,
): boolean {
  let at = 0;
  let step = 0;
  let retry: { step: number; at: number } | null = null;
  for (;;) {
    const expected = steps[step];
    const item = items[at];
    if (expected === anyRun) {
      retry = { step: ++step, at };
    } else if (expected === undefined && item === undefined) {
      return true;
    } else if (expected !== undefined && item !== undefined && matches(expected, item)) {
      step++;
      at++;
    } else {
      if (item === undefined || retry === null) return false;
      step = retry.step;
      at = ++retry.at;
    }
  }
}
