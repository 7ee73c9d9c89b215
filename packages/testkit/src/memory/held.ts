/** Resolves with the promise, or at once without one; throws the signal's reason when that aborts. */
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
