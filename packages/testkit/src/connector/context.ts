import { silentLogger, TroveError } from '@trove/core';
import type { ConnectorContext, Credentials, SourceState } from '@trove/core';

/**
 * What a connector is created with in a test: the real things where they are simple, `fetch` as `http`, and credentials and
 * state that last as long as the context. What `own` has takes precedence.
 */
export function connectorContext<C>(
  own: Pick<ConnectorContext<C>, 'config' | 'target'> & Partial<ConnectorContext<C>>,
): ConnectorContext<C> {
  return {
    withheld: [],
    logger: silentLogger,
    signal: new AbortController().signal,
    http: globalThis.fetch,
    credentials: credentialsIn(own.config),
    state: stateInMemory(),
    error: (code, detail, options) => new TroveError(code, detail, options),
    ...own,
  };
}

/** Secrets of a configuration, by their path: `login.password`. */
function credentialsIn(config: unknown): Credentials {
  const renewed = new Map<string, string>();
  const get = async (name: string): Promise<string | undefined> => {
    const found = name.split('.').reduce<unknown>((value, key) => Object(value)[key], config);
    return renewed.get(name) ?? (typeof found === 'string' ? found : undefined);
  };
  return {
    get,
    refresh: async (name, renew) => {
      const token = await get(name);
      if (token === undefined)
        throw new TroveError('credential_error', `config.${name}: is not set`);
      const next = await renew(token);
      renewed.set(name, next);
      return next;
    },
  };
}

function stateInMemory(): SourceState {
  let json: string | undefined;
  return {
    get: async () => (json === undefined ? undefined : JSON.parse(json)),
    set: (value) => {
      json = JSON.stringify(value);
    },
  };
}
