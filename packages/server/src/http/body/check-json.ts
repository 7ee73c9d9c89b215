import { TroveError } from '@trove/core';

const maxDepth = 32;

/**
 * Rejects values that a schema with free-form parts accepts but that cause harm later: nesting that overflows
 * the stack, NULs that databases cannot store, keys that change an object's prototype.
 */
export function checkJson(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) refuse(`must not be nested deeper than ${maxDepth} levels`);
    const next: unknown[] = [];
    for (const item of level) for (const inner of checkItem(item)) next.push(inner);
    level = next;
  }
}

function checkItem(item: unknown): unknown[] {
  if (typeof item === 'string' && item.includes('\0')) refuse('must not contain a NUL');
  if (typeof item !== 'object' || item === null) return [];
  if (Array.isArray(item)) return item;
  for (const key of Object.keys(item)) {
    if (key === '__proto__') refuse('must not have a key `__proto__`');
    if (key.includes('\0')) refuse('must not contain a NUL');
  }
  return Object.values(item);
}

function refuse(reason: string): never {
  throw new TroveError('validation_error', `body: ${reason}`);
}
