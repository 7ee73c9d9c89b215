import { TroveError, type Logger, type PluginContext } from '@trove/core';
import type { ResolvedConfig } from './config.js';
import { guardedFetch, type FetchLimits } from './guarded-fetch.js';
import { redactor } from './redact.js';
import { redactingLogger } from './redacting-logger.js';

/** What a plugin receives: its configuration, and the engine's logger, signal and fetch. */
export function pluginContext(
  resolved: ResolvedConfig,
  logger: Logger,
  signal: AbortSignal,
  limits?: FetchLimits,
): PluginContext<never> {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the plugin's own schema accepted it
    config: resolved.config as never,
    logger: redactingLogger(logger, redactor(resolved.secrets)),
    signal,
    fetch: guardedFetch(signal, limits),
    error: (code, detail, options) => new TroveError(code, detail, options),
  };
}
