import type { FakeAnswer } from '@trove/connector-kit/http/fake';

/** The service's form of an error. */
export function problem(
  status: number,
  message: string,
  {
    documentation = 'rest',
    headers = {},
  }: { readonly documentation?: string; readonly headers?: FakeAnswer['headers'] } = {},
): FakeAnswer {
  const documentation_url = `https://docs.github.com/${documentation}`;
  return { status, headers, json: { message, documentation_url, status: String(status) } };
}

/** A member of the request that the service does not accept. */
export function invalid(resource: string, field: string): FakeAnswer {
  return {
    status: 422,
    json: {
      message: 'Validation Failed',
      errors: [{ resource, field, code: 'invalid' }],
      documentation_url: 'https://docs.github.com/rest/issues/issues#list-repository-issues',
      status: '422',
    },
  };
}
