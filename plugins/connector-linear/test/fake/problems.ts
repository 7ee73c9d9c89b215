import type { FakeAnswer } from '@trove/connector-kit/http/fake';
import { GraphQLError } from 'graphql';

/** The service's codes of errors, and the type of each. */
const types = {
  AUTHENTICATION_ERROR: 'authentication error',
  FORBIDDEN: 'forbidden',
  GRAPHQL_VALIDATION_FAILED: 'graphql error',
  INPUT_ERROR: 'invalid input',
  RATELIMITED: 'ratelimited',
} as const;

export type ProblemCode = keyof typeof types;

/** The service's form of an error. */
export function problem(
  status: number,
  code: ProblemCode,
  message: string,
  headers: FakeAnswer['headers'] = {},
): FakeAnswer {
  return {
    status,
    headers,
    json: { errors: [{ message, extensions: extensions(code, message) }] },
  };
}

/** An error of one field of a query, which is answered with status 200. */
export function fieldError(code: ProblemCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: extensions(code, message) });
}

function extensions(code: ProblemCode, message: string): Record<string, unknown> {
  return { code, type: types[code], userError: true, userPresentableMessage: message };
}
