import { TroveError, type Logger, type PluginContext } from '@trove/core';
import type { ResolvedConfig } from './config.js';

const fetchTimeoutMs = 60_000;

/** What a plugin is given: its configuration, and the engine's logger, signal and fetch. */
export function pluginContext(
  resolved: ResolvedConfig,
  logger: Logger,
  signal: AbortSignal,
): PluginContext<never> {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the plugin's own schema accepted it
    config: resolved.config as never,
    logger: redactingLogger(logger, resolved.secrets),
    signal,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        signal: AbortSignal.any([
          signal,
          AbortSignal.timeout(fetchTimeoutMs),
          ...(init?.signal ? [init.signal] : []),
        ]),
      }),
    error: (code, detail, options) => new TroveError(code, detail, options),
  };
}

/** Takes secrets out of a text. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

function redactingLogger(logger: Logger, secrets: readonly string[]): Logger {
  if (secrets.length === 0) return logger;
  const clean = (value: unknown): unknown =>
    typeof value === 'string' ? redact(value, secrets) : value;
  const wrap =
    (level: keyof Logger): Logger['info'] =>
    (message, fields = {}) =>
      logger[level](
        redact(message, secrets),
        Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, clean(value)])),
      );
  return { debug: wrap('debug'), info: wrap('info'), warn: wrap('warn'), error: wrap('error') };
}
