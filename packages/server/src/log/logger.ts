import type { Logger, LogFields } from '@trove/core';
import { destination, pino, stdSerializers, stdTimeFunctions, type Logger as Pino } from 'pino';
import { build as pretty } from 'pino-pretty';
import type { Settings } from 'trove';

const standardError = 2;
const secrets = ['authorization', 'auth_token', 'token', 'api_key', 'password', 'secret', 'dsn'];

/** A logger on standard error, configured by `[log]`. Secrets are redacted by field name. */
export function createLogger({ level, format }: Settings['log']): Logger {
  const kind = format ?? (process.stderr.isTTY ? 'pretty' : 'json');
  const stream =
    kind === 'pretty'
      ? pretty({ destination: standardError, sync: true, ignore: 'pid,hostname' })
      : destination({ dest: standardError, sync: true });
  return wrap(
    pino(
      {
        level,
        base: { pid: process.pid },
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        redact: {
          paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
          censor: '***',
        },
        serializers: { error: stdSerializers.err, cause: stdSerializers.err },
      },
      stream,
    ),
  );
}

function wrap(log: Pino): Logger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}): void =>
      log[level](fields, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
