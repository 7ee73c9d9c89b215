import type { InjectionToken } from 'tsyringe';

import type { Logger } from '../logger.js';

/** Makes a token that carries the type of its value. Every copy of a package has the same token for a name. */
export function token<T>(name: string): InjectionToken<T> {
  return Symbol.for(`trove.${name}`);
}

/** The engine's log; one per engine, silent unless the application passes one. */
export const LoggerToken = token<Logger>('core.logger');
