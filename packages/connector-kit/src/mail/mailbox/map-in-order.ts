/** Works on some items at a time, and yields the results in the order of the items. */
export async function* mapInOrder<T, R>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  for (const item of items) {
    const result = work(item);
    // A failure is reported in its turn. Until then it must not end the process.
    result.catch(() => undefined);
    running.push(result);
    if (running.length < parallel) continue;
    const first = running.shift();
    if (first !== undefined) yield await first;
  }
  for (const result of running) yield await result;
}
