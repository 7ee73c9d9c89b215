import type { ErrorCode, TroveError, TroveErrorOptions } from '../errors.js';
import type { Logger } from '../logger.js';
import type { JsonSchema } from '../schema.js';

/** The version of the plugin contracts that this package describes. */
export const apiVersion = 1;

/** What every plugin states of itself, whatever its kind. */
export interface PluginBase<K extends string, S extends JsonSchema> {
  readonly kind: K;
  readonly apiVersion: typeof apiVersion;
  /** JSON Schema of the plugin's configuration; `writeOnly: true` marks a secret. */
  readonly configSchema: S;
}

/** What every plugin is given when it is created. */
export interface PluginContext<C> {
  /** The validated configuration, with defaults filled in and credentials resolved. */
  readonly config: C;
  readonly logger: Logger;
  /** Aborts when the engine closes. */
  readonly signal: AbortSignal;
  /** `fetch`, bounded in time and ended by `signal`. */
  readonly fetch: typeof globalThis.fetch;
  /** Makes an error with a stable code; throw what it returns. */
  error(code: ErrorCode, detail: string, options?: TroveErrorOptions): TroveError;
}
