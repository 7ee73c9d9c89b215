import type { FakeAnswer } from '@trove/connector-kit/http/fake';

/** The service's form of an error. The reason tells errors with the same status apart. */
export function problem(
  code: number,
  reason: string,
  message: string,
  status: string,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  return {
    status: code,
    headers,
    json: { error: { code, message, status, errors: [{ message, domain: 'global', reason }] } },
  };
}

export function notFound(): FakeAnswer {
  return problem(404, 'notFound', 'Requested entity was not found.', 'NOT_FOUND');
}

export function invalid(what: string): FakeAnswer {
  return problem(400, 'invalidArgument', `Invalid ${what}`, 'INVALID_ARGUMENT');
}
