import type { Infer, JsonSchema } from '@trove/core';
import { validate, validateInPlace } from './validation.js';

/** Each accepted request with its schema. They are frozen, so what was accepted once stays valid. */
const acceptedRequests = new WeakMap<object, JsonSchema>();

/**
 * A request with its defaults, once it is valid; `validation_error` says where it is not (`query.top_k: must be <= 1000`
 * with the place `query`). A request that has been accepted before comes back as it is: a host accepts what it received
 * under its own names, and the engine behind it does not validate that again.
 */
export function acceptRequest<const S extends JsonSchema>(
  schema: S,
  request: unknown,
  place = '',
): Infer<S> {
  if (isAccepted(schema, request)) return request;
  return markAccepted(schema, validate(schema, request, place));
}

/** The same for a request that was just parsed, and that nobody else holds: a large one is not copied. */
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
