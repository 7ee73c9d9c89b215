import {
  parseUri,
  silentLogger,
  TroveError,
  type ConnectorContext,
  type Credentials,
  type PluginContext,
  type SourceState,
} from '@trove/core';
import { createPluginContext, openHttp } from '@trove/runtime';
import { openWorkers } from '@trove/runtime/workers';

/** Starts real threads and processes. Shared by all contexts. */
export const testWorkers = openWorkers();

/**
 * Returns the context of a plugin in a test, without logs, with the HTTP client of the engine and with real threads and
 * processes. `own` overrides its members.
 */
export function pluginContext<C>(
  own: Pick<PluginContext<C>, 'config'> & Partial<PluginContext<C>>,
): PluginContext<C> {
  const signal = own.signal ?? new AbortController().signal;
  return {
    logger: silentLogger,
    signal,
    http: openHttp(signal, { userAgent: 'Trove (test)', retries: false }),
    workers: testWorkers,
    error: (code, detail, options) => new TroveError(code, detail, options),
    ...own,
  };
}

/**
 * Returns the context of a connector as in the engine, with its own credentials and state. Its requests have the same
 * limits, retries and rules for redirects. `configFor` fills in the defaults of its
 * schema.
 */
export function connectorContext<C>(
  own: Pick<ConnectorContext<C>, 'config' | 'target'> & Partial<ConnectorContext<C>>,
): ConnectorContext<C> {
  const { logger = silentLogger, signal = new AbortController().signal } = own;
  const key = parseUri(own.target).scheme;
  return {
    ...createPluginContext(
      { config: {}, secrets: [] },
      { kind: 'connector', key, logger, signal, workers: testWorkers },
    ),
    deniedRoots: [],
    allowedRoots: [],
    credentials: credentialsIn(own.config),
    state: stateInMemory(),
    ...own,
  };
}

/** Returns the secrets of a configuration by path, such as `login.password`. `newer`: replacements of secrets. */
export function credentialsIn(config: unknown, newer = new Map<string, string>()): Credentials {
  const renewals = new Map<string, Promise<string>>();
  const get = async (name: string): Promise<string | undefined> => {
    const found = name.split('.').reduce<unknown>((value, key) => Object(value)[key], config);
    return newer.get(name) ?? (typeof found === 'string' ? found : undefined);
  };
  const renewed = async (name: string, renew: (token: string) => Promise<string>) => {
    const token = await get(name);
    if (token === undefined) throw new TroveError('credential_error', `config.${name}: is not set`);
    const next = await renew(token);
    newer.set(name, next);
    return next;
  };
  return {
    login: 'login',
    get,
    refresh: (name, renew) => {
      const running =
        renewals.get(name) ?? renewed(name, renew).finally(() => renewals.delete(name));
      renewals.set(name, running);
      return running;
    },
  };
}

/** `told`: called with each value before it is stored. */
export function stateInMemory(told: (value: unknown) => void = () => {}): SourceState {
  let json: string | undefined;
  return {
    get: async () => (json === undefined ? undefined : JSON.parse(json)),
    set: (value) => {
      told(value);
      json = JSON.stringify(value);
    },
  };
}
