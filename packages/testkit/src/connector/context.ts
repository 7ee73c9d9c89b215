import {
  silentLogger,
  TroveError,
  type ConnectorContext,
  type Credentials,
  type PluginContext,
  type SourceState,
} from '@trove/core';
import { openWorkers } from '@trove/runtime/workers';

/** Starts real threads and processes. All contexts share it. */
export const testWorkers = openWorkers();

/** What a plugin of any kind is created with in a test: nothing is logged, `http` is `fetch`, and threads and processes are real. What `own` has takes precedence. */
export function pluginContext<C>(
  own: Pick<PluginContext<C>, 'config'> & Partial<PluginContext<C>>,
): PluginContext<C> {
  return {
    logger: silentLogger,
    signal: new AbortController().signal,
    http: globalThis.fetch,
    workers: testWorkers,
    error: (code, detail, options) => new TroveError(code, detail, options),
    ...own,
  };
}

/**
 * The same for a connector, with credentials and state that last as long as the context. `configFor` fills in the defaults of
 * its schema.
 */
export function connectorContext<C>(
  own: Pick<ConnectorContext<C>, 'config' | 'target'> & Partial<ConnectorContext<C>>,
): ConnectorContext<C> {
  return {
    deniedRoots: [],
    allowedRoots: [],
    credentials: credentialsIn(own.config),
    state: stateInMemory(),
    ...pluginContext<C>(own),
    ...own,
  };
}

/** Secrets of a configuration, by their path: `login.password`. `newer`: those that have taken the place of others. */
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
    get,
    refresh: (name, renew) => {
      const running =
        renewals.get(name) ?? renewed(name, renew).finally(() => renewals.delete(name));
      renewals.set(name, running);
      return running;
    },
  };
}

/** `told`: called with what is to be remembered, before it is. */
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
