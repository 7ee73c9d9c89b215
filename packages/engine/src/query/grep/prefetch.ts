/**
 * Yields the items of several turns in order. The next few turns start early and prefetch their first item. `abort`
 * must end the turns that are still running when the caller stops.
 */
export async function* prefetch<Turn, T>(
  turns: readonly Turn[],
  maxConcurrent: number,
  start: (turn: Turn) => AsyncGenerator<T, void, undefined>,
  abort: () => void,
): AsyncGenerator<{ turn: Turn; items: AsyncIterable<T> }, void, undefined> {
  const started: StartedIteration<T>[] = [];
  const startUntil = (end: number): void => {
    for (const turn of turns.slice(started.length, end)) started.push(startIteration(start(turn)));
  };
  try {
    for (const [index, turn] of turns.entries()) {
      startUntil(index + maxConcurrent);
      const current = started[index];
      if (current !== undefined) yield { turn, items: iterate(current) };
    }
  } finally {
    abort();
    await Promise.all(started.map(({ items }) => items.return().catch(() => {})));
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
