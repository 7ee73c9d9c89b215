/** Waits for the promise, if any. Throws the signal's reason on abort. */
export async function holdUntilReleased(
  hold: Promise<void> | null | undefined,
  signal: AbortSignal,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    Promise.resolve(hold)
      .then(() => resolve(), reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
