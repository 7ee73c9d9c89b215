import type { ErrorCode, TroveError, TroveErrorOptions } from '../errors.js';
import type { Logger } from '../logger.js';
import type { JsonSchema } from '../schema.js';
import type { Workers } from './workers/index.js';

/** The version of the plugin contracts that this package describes. */
export const apiVersion = 1;

/** What every plugin declares about itself, whatever its kind. */
export interface PluginBase<K extends string, S extends JsonSchema> {
  readonly kind: K;
  readonly apiVersion: typeof apiVersion;
  /** What it serves: URI schemes, provider names, backend names or media types, whichever its kind is found by. */
  readonly keys: readonly string[];
  /** JSON Schema of the plugin's configuration; `writeOnly: true` marks a secret. */
  readonly configSchema: S;
}

/** What every plugin receives when it is created. */
export interface PluginContext<C> {
  /** The validated configuration, with defaults filled in and credentials resolved. */
  readonly config: C;
  readonly logger: Logger;
  /** Aborts when the engine closes. */
  readonly signal: AbortSignal;
  /**
   * `fetch` with limits, aborted by `signal`: for the first byte and for silence, not for the whole body; for connections to
   * one host; for where a redirect may lead. Failures are errors that say in a sentence what is wrong. For a connector it
   * repeats what may be repeated, and a host that asks for a long pause is an error that pauses the source.
   */
  readonly http: typeof globalThis.fetch;
  /** Starts threads and processes that run modules of the plugin. */
  readonly workers: Workers;
  /** Makes an error with a stable code; throw the result. */
  error(code: ErrorCode, detail: string, options?: TroveErrorOptions): TroveError;
}

/** A plugin as an author writes it, without the two members that `define…` adds. */
export type Definition<P> = Omit<P, 'kind' | 'apiVersion'>;
