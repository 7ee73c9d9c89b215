import type { FakeAnswer } from '@trove/connector-kit/http/fake';

/** The service's form of an error. */
export function problem(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  return {
    status,
    headers,
    json: { error: { code, message, innerError: { 'request-id': 'e1d2', date: '2026-03-02' } } },
  };
}

export function itemNotFound(): FakeAnswer {
  return problem(404, 'itemNotFound', 'The resource could not be found.');
}

/** The answer for a site or drive that fails. */
export function failureOf(status: number): FakeAnswer {
  const codes: Readonly<Record<number, readonly [string, string]>> = {
    403: ['accessDenied', 'Access denied'],
    404: ['itemNotFound', 'Requested site could not be found'],
    423: ['resourceLocked', 'Access to this site has been blocked.'],
  };
  const [code, message] = codes[status] ?? ['generalException', 'General exception'];
  return problem(status, code, message);
}
