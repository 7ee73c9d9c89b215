import { setMaxListeners } from 'node:events';

/** A controller whose signal many concurrent calls may listen to without a warning. */
export function abortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** A signal that aborts as soon as any of the given ones does. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const given = signals.filter((signal) => signal !== undefined);
  const combined = AbortSignal.any(given);
  setMaxListeners(0, combined);
  return combined;
}

/** A signal that aborts once all of the given ones have, unless `end` is called before. */
export function allSignals(given: readonly AbortSignal[]): {
  readonly signal: AbortSignal;
  end(): void;
} {
  const controller = abortController();
  const awaited = new Set(given);
  const over = new AbortController();
  for (const signal of awaited) {
    const onAbort = (): void => {
      awaited.delete(signal);
      if (awaited.size === 0) controller.abort(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true, signal: over.signal });
  }
  return { signal: controller.signal, end: () => over.abort() };
}

/** The result of `work`, or the signal's reason if it aborts first. */
export async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The result of `work`, or `late` once it has taken longer than so many milliseconds; it goes on all the same. */
export async function within<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<L>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after a delay, or as soon as the signal aborts. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
