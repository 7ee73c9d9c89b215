import { setMaxListeners } from 'node:events';
import { TroveError } from '@trove/core';

/** Infinity instead of 0: both mean no limit, but Node 20 throws when the limit 0 is read back. */
const maxListeners = Infinity;

/** Creates a controller whose signal accepts any number of listeners without a warning. */
export function createAbortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(maxListeners, controller.signal);
  return controller;
}

/** A signal that follows other signals until `end` is called. */
export interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Idempotent. Afterwards the signal no longer aborts. */
  readonly end: () => void;
}

/**
 * Returns a signal that aborts when any of the given signals aborts. Unlike `AbortSignal.any` of Node 20, it
 * leaves nothing behind in a signal that lives as long as the process.
 */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): CombinedSignal {
  const given = signals.filter((signal) => signal !== undefined);
  const controller = createAbortController();
  const end = (): void => {
    for (const signal of given) signal.removeEventListener('abort', onAbort);
  };
  const onAbort = (): void => {
    end();
    controller.abort(given.find(({ aborted }) => aborted)?.reason);
  };
  for (const signal of given) {
    setMaxListeners(maxListeners, signal);
    signal.addEventListener('abort', onAbort);
  }
  if (given.some(({ aborted }) => aborted)) onAbort();
  return { signal: controller.signal, end };
}

/** Runs `work` with a signal that aborts when any of the given signals aborts. */
export async function withAnySignal<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const joined = anySignal(...signals);
  try {
    return await work(joined.signal);
  } finally {
    joined.end();
  }
}

/** Returns a signal that aborts when all given signals have aborted, unless `end` is called first. */
export function allSignals(given: readonly AbortSignal[]): CombinedSignal {
  const controller = createAbortController();
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

/** Resolves like `work`, or rejects with the signal's reason if it aborts first. */
export async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // The result is discarded, but an unhandled rejection would end the process.
    work.catch(() => undefined);
    throw signal.reason;
  }
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

/** Resolves like `work`, or with `late` after `ms` milliseconds. The work continues in the background. */
export async function resolveWithin<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
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

/**
 * Runs `work` with a signal that aborts with `signal` and after `ms` milliseconds. Throws `timed_out` in the
 * second case.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = createAbortController();
  const timer = setTimeout(() => {
    late.abort(new TroveError('timed_out', `It took longer than ${ms / 1000} s`));
  }, ms);
  try {
    return await withAnySignal([signal, late.signal], (until) => rejectOnAbort(work(until), until));
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after `ms` milliseconds, or when the signal aborts. */
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
