import type { FakeAnswer } from '@trove/connector-kit/http/fake';

/** Most errors are lists of sentences. */
export function problem(status: number, ...errorMessages: readonly string[]): FakeAnswer {
  return { status, json: { errorMessages, errors: {} } };
}

/** The answer for an issue that does not exist or that the user may not see. */
export function unknownIssue(): FakeAnswer {
  return problem(404, 'Issue does not exist or you do not have permission to see it.');
}
