import type { FakeAnswer } from '@trove/connector-kit/http/fake';

const help =
  'For more information on API status codes and how to handle them, read the docs on errors.';

export function problem(status: number, message: string): FakeAnswer {
  return { status, json: { errors: [{ message, help }] } };
}

export function notAuthorized(): FakeAnswer {
  return problem(401, 'Not Authorized');
}

export function unknown(kind: string, gid: string): FakeAnswer {
  return problem(404, `${kind}: Unknown object: ${gid}`);
}

export function forbidden(kind: string): FakeAnswer {
  return problem(403, `${kind}: Forbidden`);
}

export function tooMany(retryAfterMs: number): FakeAnswer {
  return {
    ...problem(429, 'You have made too many requests recently. Please, be chill.'),
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
  };
}

/** The answer to a sync token that is missing or too old. */
export function newToken(sync: string): FakeAnswer {
  const message =
    'Sync token invalid or too old. If you are attempting to keep resources in sync, you must fetch the full dataset for this query now and use the new sync token for the next sync.';
  return { status: 412, json: { errors: [{ message }], sync } };
}
