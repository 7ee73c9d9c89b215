import { TroveError, type Connector } from '@trove/core';
import { anySignal, type Guard } from '@trove/runtime';
import { hasMethod } from './capabilities.js';
import { pathProblem } from './connector-validation.js';

/** The longest delay of a Node timer in ms. A watch may report nothing for weeks. */
const maxTimerMs = 2 ** 31 - 1;

/** The interval between syncs of a watched source whose connector cannot report changes. */
export const pollMs = 600_000;

/** Explains why a source of this type is polled. */
export function pollingNotice(type: string): string {
  const minutes = pollMs / 60_000;
  return `Sources of type ${type} cannot report changes, so this one is synced every ${minutes} minutes.`;
}

/**
 * Yields the changed paths that a connector reports, until a signal aborts. An invalid path becomes '': any path may have
 * changed.
 */
export async function* watchUntil(
  guard: Guard<Connector>,
  signals: readonly AbortSignal[],
): AsyncGenerator<string, void, undefined> {
  const { signal, end } = anySignal(...signals);
  try {
    const paths = guard.iterate<unknown>('watch', maxTimerMs, signal, (connector) => {
      if (hasMethod(connector, 'watch')) return connector.watch({ signal });
      throw new TroveError('not_supported', 'Its connector cannot tell when something changes');
    });
    for await (const path of paths)
      yield typeof path === 'string' && pathProblem(path) === null ? path : '';
  } finally {
    end();
  }
}
