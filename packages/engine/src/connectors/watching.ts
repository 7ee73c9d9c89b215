import { TroveError, type Connector, type ConnectorRecord } from '@trove/core';
import { anySignal, type Guard } from '@trove/runtime';
import { offers } from './abilities.js';
import { pathProblem } from './untrusted.js';

/** Nothing may happen for weeks. */
const longestTimer = 2 ** 31 - 1;

/** How often a watched source is synced whose connector cannot report changes. */
export const pollMs = 600_000;

type Config = Readonly<Record<string, unknown>>;

/** Whether a source is to be synced whenever something in it changes: `watch` in its configuration, whatever its plugin. */
export function isWatched({ config, status }: ConnectorRecord): boolean {
  return status !== 'removing' && config?.['watch'] === true;
}

/** Why a source of this type is polled, for people. */
export function pollingNotice(type: string): string {
  const minutes = pollMs / 60_000;
  return `Sources of type ${type} cannot report changes, so this one is synced every ${minutes} minutes.`;
}

/** The part of a configuration that is the plugin's. Throws `config_invalid`. */
export function withoutWatch(config: Config | null): Config | null {
  if (config === null || !('watch' in config)) return config;
  const { watch, ...rest } = config;
  if (typeof watch === 'boolean') return rest;
  throw new TroveError('config_invalid', 'config.watch: must be true or false');
}

/** What a connector tells until one of the signals aborts. What is no path tells as much as any: something has changed. */
export async function* watchUntil(
  guard: Guard<Connector>,
  signals: readonly AbortSignal[],
): AsyncGenerator<string, void, undefined> {
  const { signal, end } = anySignal(...signals);
  try {
    const paths = guard.iterate<unknown>('watch', longestTimer, signal, (connector) => {
      if (offers(connector, 'watch')) return connector.watch({ signal });
      throw new TroveError('not_supported', 'Its connector cannot tell when something changes');
    });
    for await (const path of paths)
      yield typeof path === 'string' && pathProblem(path) === null ? path : '';
  } finally {
    end();
  }
}
