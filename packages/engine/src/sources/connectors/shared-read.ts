/**
 * Reads for many at once: who asks while a read is under way shares the next one with all others who did. So each gets what was
 * there at some moment after it asked.
 */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const begun = read().finally(() => {
      // The next one begins right after this.
      if (next === null) current = null;
    });
    return (current = begun);
  };
  return () => (current === null ? begin() : (next ??= current.then(begin, begin)));
}
