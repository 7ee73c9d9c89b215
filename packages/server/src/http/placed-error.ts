import { isTroveError, TroveError } from '@trove/core';

/** The parts of a request, by the name of the place that they are in. */
export type RequestParts = Readonly<Record<'body' | 'query' | 'path', unknown>>;

/**
 * An error about a field of a request says where the field is: the engine says `target: …`, and whoever sent the request sees
 * `body.target: …`. Any other error comes back as it is.
 */
export function placedError(error: unknown, parts: RequestParts): unknown {
  if (!isTroveError(error) || !['validation_error', 'config_invalid'].includes(error.code))
    return error;
  const [field = ''] = /^\w+(?=[.:[])/.exec(error.detail) ?? [];
  const place = Object.entries(parts).find(([, part]) => has(part, field))?.[0];
  if (place === undefined) return error;
  const { code, detail, suggestions, violations, ownCode } = error;
  return new TroveError(code, `${place}.${detail}`, {
    suggestions,
    cause: error,
    violations: violations.map((each) => ({ ...each, at: [place, ...each.at] })),
    ...(ownCode === undefined ? {} : { ownCode }),
  });
}

function has(part: unknown, field: string): boolean {
  return typeof part === 'object' && part !== null && field !== '' && Object.hasOwn(part, field);
}
