import type { FakeAnswer } from '@trove/connector-kit/http/fake';
import type { NotionWorld } from './world.js';

export interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly additional?: Readonly<Record<string, unknown>>;
}

/** The service's form of an error. */
export function problem(
  status: number,
  code: string,
  message: string,
  { headers = {}, additional }: ProblemOptions = {},
): FakeAnswer {
  return {
    status,
    headers,
    json: {
      object: 'error',
      status,
      code,
      message,
      ...(additional === undefined ? {} : { additional_data: additional }),
      request_id: requestId,
    },
  };
}

export const requestId = 'f0000000-0000-4000-8000-000000000001';

/** A missing object and one that is not shared look the same. */
export function notFound(world: NotionWorld, kind: string, id: string): FakeAnswer {
  const message = `Could not find ${kind} with ID: ${id}. Make sure the relevant pages and databases are shared with your integration "Trove".`;
  return problem(404, 'object_not_found', message, {
    additional: { integration_id: world.botId },
  });
}

export function invalid(message: string): FakeAnswer {
  return problem(400, 'validation_error', message);
}
