import { inspect, isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { isTroveError, type ErrorCode, type TroveError } from '@trove/core';

/** Throws an error with this message unless the condition holds. */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Throws an error with both values unless they are deeply equal. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: expected ${inspect(expected)}, got ${inspect(actual)}`);
}

/** Returns the reason of a promise that must reject. */
export async function expectRejection(promise: Promise<unknown>, what: string): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`${what}: expected an error, but there was none`);
}

/** Returns the TroveError of a promise that must reject with this code. */
export async function expectError(
  promise: Promise<unknown>,
  code: ErrorCode,
  what: string,
): Promise<TroveError> {
  const error = await expectRejection(promise, what);
  if (!isTroveError(error)) throw new Error(`${what}: expected ${code}, got ${inspect(error)}`);
  expectEqual(error.code, code, what);
  return error;
}

/** Waits until a promise settles either way. Throws after the limit. */
export async function expectSettled(
  promise: Promise<unknown>,
  milliseconds: number,
  what: string,
): Promise<void> {
  const timer = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = delay(milliseconds, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([settled, late]);
  timer.abort();
  expect(inTime, `${what}: nothing happened for ${milliseconds} ms`);
}
