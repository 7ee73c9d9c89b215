import type { Logger, PluginContext, PluginKind } from '@trove/core';
import type { Workers } from '@trove/core/workers';
import { openHttp, type HttpOptions } from '../http/http.js';
import type { ResolvedConfig } from './config.js';
import { createError } from './plugin-error.js';
import { createRedactor } from './redact.js';
import { createRedactingLogger } from './redacting-logger.js';

/** The properties of a plugin's context. */
export interface PluginContextOptions {
  readonly kind: PluginKind;
  /** Scheme, provider, backend or media type. */
  readonly key: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly workers: Workers;
  readonly http?: Pick<HttpOptions, 'firstByteMs' | 'silenceMs'>;
}

/** Creates the context that a plugin receives. */
export function createPluginContext(
  resolved: ResolvedConfig,
  { kind, key, logger, signal, workers, http }: PluginContextOptions,
): PluginContext<never> {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the plugin's own schema accepted it
    config: resolved.config as never,
    logger: createRedactingLogger(logger, createRedactor(resolved.secrets)),
    signal,
    workers,
    http: openHttp(signal, {
      userAgent: `Trove (${kind} ${key})`,
      // Requests of other plugins are retried by the services that call those plugins.
      retries: kind === 'connector',
      ...http,
    }),
    error: (code, detail, options) => createError(`${kind} ${key}`, code, detail, options),
  };
}
