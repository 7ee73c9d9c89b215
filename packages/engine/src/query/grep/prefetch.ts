/**
 * Goes through what several turns give, one after the other. A few begin before they are due: of these the first item is
 * awaited already. `abort` must make those end that are still at work when no more is wanted.
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
  // It fails when it is its turn.
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
