import type { Logger, LogFields } from '@trove/core';
import { destination, pino, stdSerializers, stdTimeFunctions, type Logger as Pino } from 'pino';
import type { Settings } from 'trove';
import { LogFile } from './log-file.js';

const standardError = 2;
const megabyte = 1e6;
const secrets = ['authorization', 'auth_token', 'token', 'api_key', 'password', 'secret', 'dsn'];

/**
 * Creates the logger that `[log]` configures. It writes to standard error unless a file is set. Secrets are
 * redacted by field name.
 */
export async function createLogger(settings: Settings['log']): Promise<Logger> {
  const { level, file, max_size_mb: size, max_rotated_files: maxRotatedFiles } = settings;
  const format =
    settings.format ?? (file === undefined && process.stderr.isTTY ? 'pretty' : 'json');
  const opened =
    file === undefined ? null : new LogFile(file, { maxBytes: size * megabyte, maxRotatedFiles });
  const stream =
    format === 'pretty'
      ? (await import('pino-pretty')).build({
          destination: opened ?? standardError,
          sync: true,
          ignore: 'pid,hostname',
        })
      : (opened ?? destination({ dest: standardError, sync: true }));
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: stdSerializers.err, cause: stdSerializers.err },
  };
  const redact = {
    paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    censor: '***',
  };
  return wrap(pino(options, stream), pino({ ...options, redact }, stream));
}

/** Skips redaction for fields that cannot contain secrets, because it costs as much as the rest of a line. */
function wrap(plain: Pino, redacting: Pino): Logger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}): void =>
      (mayHoldSecrets(fields) ? redacting : plain)[level](fields, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function mayHoldSecrets(fields: LogFields): boolean {
  for (const name in fields) {
    if (typeof fields[name] === 'object' || secrets.includes(name)) return true;
  }
  return false;
}
