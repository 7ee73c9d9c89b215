/** Passes a new fixture to each test and removes it afterwards. */
export function withFixture<T extends { remove(): Promise<void> }>(
  make: () => T,
): (test: (own: T) => Promise<void>) => () => Promise<void> {
  return (test) => async () => {
    const own = make();
    try {
      await test(own);
    } finally {
      await own.remove();
    }
  };
}
