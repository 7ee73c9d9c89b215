import type { FakeAnswer } from '@trove/connector-kit/http/fake';

const correlationId = '00000000-0000-4000-8000-000000000001';

/** The service's form of an error. */
export function problem(
  status: number,
  category: string,
  message: string,
  others: Readonly<Record<string, unknown>> = {},
): FakeAnswer {
  return { status, json: { status: 'error', message, correlationId, category, ...others } };
}

export function invalid(message: string): FakeAnswer {
  return problem(400, 'VALIDATION_ERROR', message);
}

export function notFound(): FakeAnswer {
  return problem(404, 'OBJECT_NOT_FOUND', 'Object not found.');
}

export function missingScope(scope: string): FakeAnswer {
  const message =
    "This app hasn't been granted all required scopes to make this call. Read more about required scopes here.";
  const context = { requiredGranularScopes: [scope] };
  return problem(403, 'MISSING_SCOPES', message, {
    errors: [{ message: 'One or more of the following scopes are required.', context }],
  });
}

export function expiredToken(): FakeAnswer {
  return problem(
    401,
    'EXPIRED_AUTHENTICATION',
    'The OAuth token used to make this call expired 1 minute ago.',
  );
}

/** The limit of searches does not state when to continue. */
export function tooMany(isSearch: boolean, retryAfterMs: number): FakeAnswer {
  const policyName = isSearch ? 'SECONDLY' : 'TEN_SECONDLY_ROLLING';
  const answer = problem(429, 'RATE_LIMITS', `You have reached your ${policyName} limit.`, {
    errorType: 'RATE_LIMIT',
    policyName,
  });
  const headers = {
    'x-hubspot-ratelimit-remaining': '0',
    'x-hubspot-ratelimit-interval-milliseconds': '10000',
    'x-hubspot-ratelimit-max': '100',
    ...(isSearch ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
  };
  return { ...answer, headers };
}
