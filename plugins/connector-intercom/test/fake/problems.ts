import type { FakeAnswer } from '@trove/connector-kit/http/fake';

const requestId = '7a80b950-b392-499f-85db-ea7c6c424d37';

export function problem(status: number, code: string, message: string): FakeAnswer {
  return {
    status,
    json: { type: 'error.list', request_id: requestId, errors: [{ code, message }] },
  };
}

export function invalidToken(): FakeAnswer {
  return problem(401, 'unauthorized', 'Access Token Invalid');
}

/** A valid token of an app that lacks a permission. */
export function notPermitted(): FakeAnswer {
  return problem(401, 'token_unauthorized', 'Not authorized to access resource');
}

export function notInPlan(): FakeAnswer {
  return problem(403, 'api_plan_restricted', 'Active subscription needed.');
}

export function notFound(): FakeAnswer {
  return problem(404, 'not_found', 'Resource Not Found');
}

export function tooOldVersion(): FakeAnswer {
  return problem(
    400,
    'intercom_version_invalid',
    'Requested resource is not available in current API version.',
  );
}

export function invalidParameter(message: string): FakeAnswer {
  return problem(400, 'parameter_invalid', message);
}
