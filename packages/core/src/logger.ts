/** The log of plugins and the engine. Fields never contain secrets. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

const ignore = (): void => {};

/** Discards all messages. The default of an embedded engine. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
