import type { FakeAnswer } from '@trove/test-support/fake-service/fake-service.js';

/** An error, which has status 200. */
export function problem(error: string, members: object = {}): FakeAnswer {
  return { json: { ok: false, error, ...members } };
}
