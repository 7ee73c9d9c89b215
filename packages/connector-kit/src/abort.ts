/** Settles like `work`, or rejects with the signal's reason if it aborts first. Does not stop the work. */
export function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    const unsubscribe = (): void => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).then(unsubscribe, unsubscribe);
  });
}
