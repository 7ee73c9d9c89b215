/**
 * Yields the items of several turns in order. The next few turns start early and prefetch their first item. `abort`
 * must end the turns that are still running when the caller stops.
 */
export async function* prefetch<Turn, T>(
  turns: readonly Turn[],
  atOnce: number,
  start: (turn: Turn) => AsyncGenerator<T, void, undefined>,
  abort: () => void,
): AsyncGenerator<{ turn: Turn; items: AsyncIterable<T> }, void, undefined> {
  const begun: StartedIteration<T>[] = [];
  const beginUntil = (end: number): void => {
    for (const turn of turns.slice(begun.length, end)) begun.push(startIteration(start(turn)));
  };
  try {
    for (const [index, turn] of turns.entries()) {
      beginUntil(index + atOnce);
      const own = begun[index];
      if (own !== undefined) yield { turn, items: iterate(own) };
    }
  } finally {
    abort();
    await Promise.all(begun.map(({ items }) => items.return().catch(() => {})));
  }
}

interface StartedIteration<T> {
  readonly first: Promise<IteratorResult<T, void>>;
  readonly items: AsyncGenerator<T, void, undefined>;
}

function startIteration<T>(items: AsyncGenerator<T, void, undefined>): StartedIteration<T> {
  const first = items.next();
  // The error is thrown when this turn is reached.
  first.catch(() => {});
  return { first, items };
}

async function* iterate<T>({
  first,
  items,
}: StartedIteration<T>): AsyncGenerator<T, void, undefined> {
  const step = await first;
  if (step.done === true) return;
  yield step.value;
  yield* items;
}
