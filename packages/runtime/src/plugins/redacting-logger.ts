import type { Logger } from '@trove/core';
import { redactError } from './plugin-error.js';
import type { Redact } from './redact.js';

const maxDepth = 4;

/** Creates a logger that removes a plugin's secrets from messages and fields. */
export function createRedactingLogger(logger: Logger, redact: Redact): Logger {
  const wrap =
    (level: keyof Logger): Logger['info'] =>
    (message, fields = {}) =>
      logger[level](
        redact(message),
        Object.fromEntries(
          Object.entries(fields).map(([key, value]) => [key, clean(value, redact, 0)]),
        ),
      );
  return { debug: wrap('debug'), info: wrap('info'), warn: wrap('warn'), error: wrap('error') };
}

function clean(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return redactError(value, redact);
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) return value.map((item) => clean(item, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, clean(item, redact, depth + 1)]),
  );
}
