import type { FakeAnswer } from '@trove/connector-kit/http/fake';

/** An error, which has status 200. */
export function problem(error: string, members: object = {}): FakeAnswer {
  return { json: { ok: false, error, ...members } };
}
