import type { FakeAnswer } from '@trove/connector-kit/http/fake';

/** The service's form of most errors. */
export function problem(status: number, type: string, message: string): FakeAnswer {
  return { status, json: { error: { type, message } } };
}

/** The service does not say which of the two it is. */
export function noAccess(): FakeAnswer {
  return problem(
    403,
    'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
    'Invalid permissions, or the requested model was not found. Check that both your user and your token have the required permissions, and that the model names and/or ids are correct.',
  );
}

/** The other form of errors. */
export function notFound(): FakeAnswer {
  return { status: 404, json: { error: 'NOT_FOUND' } };
}

export function unauthorized(): FakeAnswer {
  return problem(401, 'AUTHENTICATION_REQUIRED', 'Authentication required');
}

export function usedUp(): FakeAnswer {
  return {
    status: 429,
    json: {
      errors: [
        {
          error: 'PUBLIC_API_BILLING_LIMIT_EXCEEDED',
          message: 'The API billing plan limit was exceeded.',
        },
      ],
    },
  };
}

/** The service has forgotten the position of a listing. */
export function expired(): FakeAnswer {
  return { status: 422, json: { error: { type: 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE' } } };
}

export function invalid(type: string, message: string): FakeAnswer {
  return problem(422, type, message);
}
