import { isTroveError, TroveError } from '@trove/core';

export type RequestParts = Readonly<Record<'body' | 'query' | 'path', unknown>>;

/**
 * Prefixes the field in an error with the part of the request that contains it: the engine's `target: …`
 * becomes `body.target: …`. Returns other errors unchanged.
 */
export function prefixErrorPath(error: unknown, parts: RequestParts): unknown {
  if (!isTroveError(error) || !['validation_error', 'config_invalid'].includes(error.code))
    return error;
  const [field = ''] = /^\w+(?=[.:[])/.exec(error.detail) ?? [];
  const place = Object.entries(parts).find(([, part]) => hasField(part, field))?.[0];
  if (place === undefined) return error;
  const { code, detail, suggestions, violations, pluginCode } = error;
  return new TroveError(code, `${place}.${detail}`, {
    suggestions,
    cause: error,
    violations: violations.map((each) => ({ ...each, path: [place, ...each.path] })),
    ...(pluginCode === undefined ? {} : { pluginCode }),
  });
}

function hasField(part: unknown, field: string): boolean {
  return typeof part === 'object' && part !== null && field !== '' && Object.hasOwn(part, field);
}
