import { setMaxListeners } from 'node:events';
import { TroveError } from '@trove/core';

/** Not 0, which means the same, but then Node 20 throws when somebody asks for the limit. */
const maxListeners = Infinity;

/** A controller whose signal many concurrent calls may listen to without a warning. */
export function createAbortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(maxListeners, controller.signal);
  return controller;
}

/** A signal made of others, which they know until `end` is called. */
export interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Idempotent; from then on the signal does not abort any more. */
  readonly end: () => void;
}

/**
 * A signal that aborts as soon as any of the given ones does. (What AbortSignal.any makes leaves a trace in each of them for
 * good, with Node 20: one that lives as long as the process would grow with every call.)
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

/** Runs `work` with a signal that aborts as soon as any of the given ones does. */
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

/** A signal that aborts once all of the given ones have, unless `end` is called before. */
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

/** The result of `work`, or the signal's reason if it aborts first. */
export async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // How it ends interests nobody, but an unhandled rejection would end the process.
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

/** The result of `work`, or `late` once it has taken longer than so many milliseconds; it goes on all the same. */
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
 * The result of `work`, whose signal aborts with the given one, and after so many milliseconds; throws `timed_out` then.
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
