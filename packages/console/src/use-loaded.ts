import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from './session-context.js';

/** The state of a request. `value` is the last response, also while the next one is loading. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Repeats the request. */
  readonly reload: () => void;
}

interface Options {
  /** Minimum milliseconds between requests. A later request in this time replaces one that waits. */
  readonly delayMs?: number;
  /** Repeats the request with this pause, while the page is visible. */
  readonly everyMs?: number;
}

interface Outcome<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
}

/** Runs a request when the page is rendered and when a key changes. Aborts the request before. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  { delayMs = 0, everyMs }: Options = {},
): Loaded<T> {
  const session = useSession();
  const [count, setCount] = useState(0);
  const startedAt = useRef(-Infinity);
  const [outcome, setOutcome] = useState<Outcome<T>>({
    value: undefined,
    error: undefined,
    isLoading: true,
  });
  useEffect(() => {
    const controller = new AbortController();
    let timer = 0;
    const run = async (): Promise<void> => {
      startedAt.current = performance.now();
      try {
        const value = await load(controller.signal);
        if (!controller.signal.aborted) setOutcome({ value, error: undefined, isLoading: false });
      } catch (error) {
        if (controller.signal.aborted) return;
        session.notice(error);
        setOutcome(({ value }) => ({ value, error, isLoading: false }));
      }
      if (everyMs !== undefined && !controller.signal.aborted) timer = setTimeout(repeat, everyMs);
    };
    const repeat = (): void => {
      if (document.hidden) timer = setTimeout(repeat, everyMs);
      else void run();
    };
    setOutcome((last) => ({ ...last, isLoading: true }));
    const waitMs = startedAt.current + delayMs - performance.now();
    timer = setTimeout(() => void run(), Math.max(0, waitMs));
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [...keys, count]);
  const reload = useCallback(() => setCount((last) => last + 1), []);
  return { ...outcome, reload };
}
