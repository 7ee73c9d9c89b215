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
  const running: StartedIteration<T>[] = [];
  let started = 0;
  const startUntil = (until: number): void => {
    for (const input of inputs.slice(started, until)) running.push(startIteration(start(input)));
    started = Math.max(started, Math.min(until, inputs.length));
  };
  try {
    for (const [index, input] of inputs.entries()) {
      startUntil(index + maxConcurrent);
      const [current] = running;
      if (current === undefined) return;
      yield { input, items: iterate(current) };
      await end(current);
      running.shift();
    }
  } finally {
    abort();
    await Promise.all(running.map(end));
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

async function end<T>({ items }: StartedIteration<T>): Promise<void> {
  await items.return().catch(() => {});
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
