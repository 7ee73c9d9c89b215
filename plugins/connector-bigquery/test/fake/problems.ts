import type { FakeAnswer } from '@trove/connector-kit/http/fake';

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** The service's form of an error. The reason tells errors with the same status apart. */
export function problem(code: number, reason: string, message: string): FakeAnswer {
  const errors = [{ message, domain: 'global', reason }];
  const { [code]: status = 'UNKNOWN' } = statusNames;
  return { status: code, json: { error: { code, message, errors, status } } };
}

export function notFound(what: string): FakeAnswer {
  return problem(404, 'notFound', `Not found: ${what}`);
}
