/**
 * Shares reads between concurrent callers. A caller during a read gets the result of the next one, so each result is at
 * least as recent as its request.
 */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const begun = read().finally(() => {
      // A waiting caller starts the next read right after this.
      if (next === null) current = null;
    });
    return (current = begun);
  };
  return () => (current === null ? begin() : (next ??= current.then(begin, begin)));
}
