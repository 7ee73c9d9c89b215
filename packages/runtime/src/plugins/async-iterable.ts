import { TroveError } from '@trove/core';

/** Returns the result of a plugin's method if it is an async iterable. Otherwise throws `plugin_invalid`. */
export function toAsyncIterable<R>(
  name: string,
  method: string,
  result: AsyncIterable<R>,
): AsyncIterable<R> {
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
    return result;
  const given: unknown = result;
  // An unhandled rejection could end the process.
  if (given instanceof Promise) given.catch(() => undefined);
  throw new TroveError(
    'plugin_invalid',
    `${name}: ${method} must return an async iterable, such as an async generator, not ${describe(given)}`,
  );
}

function describe(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  if (Array.isArray(value)) return 'an array';
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`;
}
