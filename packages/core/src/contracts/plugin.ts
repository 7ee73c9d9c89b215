import type { ErrorCode } from '../error-catalogue.js';
import type { TroveError, TroveErrorOptions } from '../errors.js';
import type { Logger } from '../logger.js';
import type { JsonSchema } from '../schema.js';
import type { Workers } from './workers/index.js';

/** The version of the plugin contracts that this package describes. */
export const apiVersion = 1;

/** The members that all kinds of plugins declare. */
export interface PluginBase<K extends string, S extends JsonSchema> {
  readonly kind: K;
  readonly apiVersion: typeof apiVersion;
  /** What the plugin serves, depending on its kind: URI schemes, provider names, backend names or media types. */
  readonly keys: readonly string[];
  /** JSON Schema of the configuration. `writeOnly: true` marks a secret. */
  readonly configSchema: S;
}

/** The argument of every plugin's `create`. */
export interface PluginContext<C> {
  /** The validated configuration, with defaults filled in and credentials resolved. */
  readonly config: C;
  readonly logger: Logger;
  /** Aborts when the engine closes. */
  readonly signal: AbortSignal;
  /**
   * `fetch` with limits, aborted by `signal`. It limits the time to the first byte, silence, connections to one host,
   * and the targets of redirects. It does not limit the time for the whole body. Failures are errors with a sentence
   * for people. For connectors, it retries idempotent requests, and throws an error that pauses the source if a host
   * requests a long pause.
   */
  readonly http: typeof globalThis.fetch;
  /** Starts threads and processes that run modules of the plugin. */
  readonly workers: Workers;
  /** Creates an error with a stable code, for the plugin to throw. */
  error(code: ErrorCode, detail: string, options?: TroveErrorOptions): TroveError;
}

/** A plugin without the two members that `define…` adds. */
export type Definition<P> = Omit<P, 'kind' | 'apiVersion'>;
