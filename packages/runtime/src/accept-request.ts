import type { Infer, JsonSchema } from '@trove/core';
import { validate, validateInPlace } from './validation.js';

/** Accepted requests and their schemas. The requests are frozen, so they stay valid. */
const acceptedRequests = new WeakMap<object, JsonSchema>();

/**
 * Validates a request and fills in its defaults. Throws `validation_error` that names the field (`query.top_k:
 * must be <= 1000` for the place `query`). Returns an accepted request unchanged, so the engine does not
 * validate again what the host validated.
 */
export function acceptRequest<const S extends JsonSchema>(
  schema: S,
  request: unknown,
  place = '',
): Infer<S> {
  if (isAccepted(schema, request)) return request;
  return markAccepted(schema, validate(schema, request, place));
}

/**
 * Like `acceptRequest`, but fills the defaults into the request itself, which saves copying a large one. For a
 * freshly parsed request without other references to it.
 */
export function acceptParsed<const S extends JsonSchema>(
  schema: S,
  request: unknown,
  place: string,
): Infer<S> {
  return markAccepted(schema, validateInPlace(schema, request, place));
}

function markAccepted<V>(schema: JsonSchema, valid: V): V {
  if (typeof valid === 'object' && valid !== null) acceptedRequests.set(deepFreeze(valid), schema);
  return valid;
}

function isAccepted<S extends JsonSchema>(schema: S, request: unknown): request is Infer<S> {
  return (
    typeof request === 'object' && request !== null && acceptedRequests.get(request) === schema
  );
}

function deepFreeze<T extends object>(value: T): T {
  for (const item of Object.values(value)) {
    if (typeof item === 'object' && item !== null) deepFreeze(item);
  }
  return Object.freeze(value);
}
