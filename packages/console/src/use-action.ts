import { useCallback, useState } from 'preact/hooks';
import { useSession } from './session-context.js';

interface Action {
  /** Runs a request. */
  readonly run: (request: () => Promise<unknown>) => Promise<void>;
  readonly isRunning: boolean;
  readonly error: unknown;
}

/** Runs requests that the user starts, such as a sync. Keeps the error of the last one. */
export function useAction(onDone: () => void = () => undefined): Action {
  const session = useSession();
  const [state, setState] = useState<{ isRunning: boolean; error: unknown }>({
    isRunning: false,
    error: undefined,
  });
  const run = useCallback(
    async (request: () => Promise<unknown>): Promise<void> => {
      setState({ isRunning: true, error: undefined });
      try {
        await request();
        setState({ isRunning: false, error: undefined });
      } catch (error) {
        session.notice(error);
        setState({ isRunning: false, error });
      }
      onDone();
    },
    [onDone],
  );
  return { run, ...state };
}
