import type { LogFields, Logger } from '@trove/core';
import { redactUrl } from 'trove';
import type { ServerConfig } from '../config/load.js';
import { warningsOf } from '../config/report.js';
import { version } from '../version.js';

/** Logs the start of a process. */
export function logStart(
  message: string,
  config: ServerConfig,
  logger: Logger,
  fields: LogFields,
): void {
  const { settings, file } = config;
  for (const text of warningsOf(config)) logger.warn(text);
  logger.info(message, {
    version,
    home: settings.home,
    config: file ?? 'built-in defaults',
    metadata: settings.metadata.backend,
    index: redactUrl(settings.index.uri),
    embedding: settings.embedding.provider,
    ...fields,
  });
}
