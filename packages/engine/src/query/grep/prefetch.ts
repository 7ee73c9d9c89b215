/**
 * Runs `start` for each input and yields the items in order. The next few runs start early and prefetch their first
 * item. `abort` must end the runs that are still in progress when the caller stops.
 */
export async function* prefetch<Input, T>(
  inputs: readonly Input[],
  maxConcurrent: number,
  start: (input: Input) => AsyncGenerator<T, void, undefined>,
  abort: () => void,
): AsyncGenerator<{ input: Input; items: AsyncIterable<T> }, void, undefined> {
  const started: StartedIteration<T>[] = [];
  const startUntil = (end: number): void => {
    for (const input of inputs.slice(started.length, end))
      started.push(startIteration(start(input)));
  };
  try {
    for (const [index, input] of inputs.entries()) {
      startUntil(index + maxConcurrent);
      const current = started[index];
      if (current !== undefined) yield { input, items: iterate(current) };
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
  // The error is thrown when the items are iterated.
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
