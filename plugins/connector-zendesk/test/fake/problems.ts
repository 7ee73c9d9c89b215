import type { FakeAnswer } from '@trove/connector-kit/http/fake';

/** The most frequent form of an error. The service has three others. */
export function problem(status: number, error: string, description?: string): FakeAnswer {
  return { status, json: { error, ...(description === undefined ? {} : { description }) } };
}

export function notFound(): FakeAnswer {
  return problem(404, 'RecordNotFound', 'Not found');
}

export function unknownPath(): FakeAnswer {
  return problem(404, 'InvalidEndpoint', 'Not found');
}

export function forbidden(): FakeAnswer {
  const message = 'You do not have access to this page. Please contact the account owner.';
  return { status: 403, json: { error: { title: 'Forbidden', message } } };
}

export function noSupport(): FakeAnswer {
  const error = { code: 'SupportProductInactive', title: 'Support product is inactive' };
  return { status: 403, json: { errors: [error] } };
}

export function notLoggedIn(): FakeAnswer {
  return problem(401, "Couldn't authenticate you");
}
