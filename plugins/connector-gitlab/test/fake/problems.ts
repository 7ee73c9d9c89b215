import type { FakeAnswer } from '@trove/connector-kit/http/fake';

/** Most errors repeat the status in a text. */
export function problem(status: number, text: string): FakeAnswer {
  return { status, json: { message: `${status} ${text}` } };
}

/** An error of OAuth or of a parameter. */
export function requestProblem(
  status: number,
  error: string,
  members: Readonly<Record<string, string>> = {},
): FakeAnswer {
  return { status, json: { error, ...members } };
}
