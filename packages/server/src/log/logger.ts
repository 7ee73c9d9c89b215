import type { Logger, LogFields } from '@trove/core';
import { destination, pino, stdSerializers, stdTimeFunctions, type Logger as Pino } from 'pino';
import type { Settings } from 'trove';
import { LogFile } from './log-file.js';

const standardError = 2;
const MB = 1e6;
const secrets = ['authorization', 'auth_token', 'token', 'api_key', 'password', 'secret', 'dsn'];

/** A logger configured by `[log]`, on standard error unless a file is named. Secrets are redacted by field name. */
export async function createLogger(settings: Settings['log']): Promise<Logger> {
  const { level, file, max_size_mb: size, keep } = settings;
  const format =
    settings.format ?? (file === undefined && process.stderr.isTTY ? 'pretty' : 'json');
  const opened = file === undefined ? null : new LogFile(file, { maxBytes: size * MB, keep });
  const stream =
    format === 'pretty'
      ? (await import('pino-pretty')).build({
          destination: opened ?? standardError,
          sync: true,
          ignore: 'pid,hostname',
        })
      : (opened ?? destination({ dest: standardError, sync: true }));
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
