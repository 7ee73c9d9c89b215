/** Where plugins and the engine write what happened. Fields never hold secrets. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

const ignore = (): void => {};

/** A logger that drops everything: the default of an embedded engine. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
