import type { FakeAnswer } from '@trove/connector-kit/http/fake';

interface ProblemOptions {
  readonly domain?: string;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The service's form of an error. The reason tells errors with the same status apart. */
export function problem(
  code: number,
  reason: string,
  message: string,
  { domain = 'global', location, headers = {} }: ProblemOptions = {},
): FakeAnswer {
  const place = location === undefined ? {} : { location, locationType: 'parameter' };
  return {
    status: code,
    headers,
    json: { error: { code, message, errors: [{ message, domain, reason, ...place }] } },
  };
}

export function notFound(id: string): FakeAnswer {
  return problem(404, 'notFound', `File not found: ${id}.`, { location: 'fileId' });
}

export function invalid(location: string): FakeAnswer {
  return problem(400, 'invalid', 'Invalid Value', { location });
}
