import type { FakeAnswer, FakeRequest, Fault, ServiceModel } from './fake-service.js';

type Matches = Fault['matches'];

/** Answers one matching request as if the caller had sent too many. */
export function rateLimitFault(model: ServiceModel, matches: Matches, retryAfterMs: number): Fault {
  return { matches, apply: (request) => model.rateLimited(request, retryAfterMs) };
}

/** Refuses the token from the request after `after` on. */
export function revokedTokenFault(model: ServiceModel, matches: Matches, after: number): Fault {
  return { matches, after, times: Infinity, apply: (request) => model.unauthorized(request) };
}

/** Answers the third matching request with an error page that is not JSON, as a gateway does. */
export function serverErrorFault(matches: Matches, status = 502): Fault {
  const body = `<html><body><h1>${status} Bad Gateway</h1></body></html>`;
  return {
    matches,
    after: 2,
    apply: () => ({ status, headers: { 'content-type': 'text/html' }, body }),
  };
}

/** Cuts the body of one answer in half. The status still says success. */
export function truncatedFault(matches: Matches): Fault {
  return {
    matches,
    apply: async (_request, normal) => {
      const { json, ...answer } = await normal();
      const text = JSON.stringify(json);
      const headers = { 'content-type': 'application/json', ...answer.headers };
      return { ...answer, headers, body: text.slice(0, text.length / 2) };
    },
  };
}

/** Removes members of one answer, such as the one that states whether there are more pages. */
export function missingMembersFault(matches: Matches, names: readonly string[]): Fault {
  return {
    matches,
    apply: async (_request, normal) => {
      const { json, ...answer } = await normal();
      const members = Object.entries(Object(json)).filter(([name]) => !names.includes(name));
      return { ...answer, json: Object.fromEntries(members) };
    },
  };
}

/** Repeats the answer of the first matching request once, for the second one. */
export function repeatedPageFault(matches: Matches): Fault {
  let first: FakeAnswer | null = null;
  return {
    matches,
    times: 2,
    apply: async (_request: FakeRequest, normal) => (first ??= await normal()),
  };
}

/** Removes the items of the first matching answer, but not the way to the next page. `empty` returns the changed body. */
export function emptyPageFault(matches: Matches, empty: (json: unknown) => unknown): Fault {
  return {
    matches,
    apply: async (_request, normal) => {
      const answer = await normal();
      return { ...answer, json: empty(answer.json) };
    },
  };
}
