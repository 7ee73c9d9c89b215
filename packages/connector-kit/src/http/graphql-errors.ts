import type { Answer, ErrorAction } from './description/index.js';
import { valueAt } from './json.js';

/** What services do not name alike. */
const actions: Readonly<Record<string, ErrorAction>> = {
  RATELIMITED: 'wait',
  RATE_LIMITED: 'wait',
  RATE_LIMIT_EXCEEDED: 'wait',
  THROTTLED: 'wait',
  AUTHENTICATION_ERROR: 'login',
  UNAUTHENTICATED: 'login',
  NOT_FOUND: 'absent',
  INTERNAL_SERVER_ERROR: 'retry',
  INTERNAL_ERROR: 'retry',
  SERVICE_UNAVAILABLE: 'retry',
  TIMEOUT: 'retry',
};

/** Returns the codes of the errors in an answer of GraphQL. */
export function graphqlCodes({ body }: Answer): readonly string[] {
  return errorsIn(body).flatMap((error) =>
    ['extensions.code', 'type']
      .map((path) => valueAt(error, path))
      .filter((code) => typeof code === 'string'),
  );
}

/**
 * Returns what to do with an answer of GraphQL that has errors, also one with status 200. Undefined: the status decides. A part
 * of the data does not count, because missing items would count as deleted.
 */
export function graphqlAction(answer: Answer): ErrorAction | undefined {
  for (const code of graphqlCodes(answer)) {
    const action = Object.hasOwn(actions, code) ? actions[code] : undefined;
    if (action !== undefined) return action;
  }
  return answer.status < 400 && errorsIn(answer.body).length > 0 ? 'fail' : undefined;
}

function errorsIn(body: unknown): readonly unknown[] {
  const errors = valueAt(body, 'errors');
  return Array.isArray(errors) ? errors : [];
}
