import type { ExplainedRequest, SyncExplanation } from '@trove/core';

const maxRequests = 1000;

/** Describes the problem of a result of `explain`, in the terms of the author of the connector. */
export function explanationProblem(explanation: SyncExplanation): string | null {
  const { incremental, requests }: Partial<SyncExplanation> = Object(explanation);
  if (typeof incremental !== 'boolean' || !Array.isArray(requests))
    return 'it is not an object with `incremental` and `requests`';
  if (requests.length > maxRequests) return `it has more than ${maxRequests} requests`;
  const wrong = requests.findIndex((request) => !isRequest(request));
  return wrong === -1
    ? null
    : `\`requests[${wrong}]\` is not an object with \`name\`, \`request\` and optional \`body\`, \`repeats\` and \`paged\``;
}

function isRequest(request: ExplainedRequest): boolean {
  const { name, request: text, body, repeats, paged }: Partial<ExplainedRequest> = Object(request);
  return (
    typeof name === 'string' &&
    typeof text === 'string' &&
    (body === undefined || typeof body === 'string') &&
    (repeats === undefined || typeof repeats === 'string') &&
    (paged === undefined || typeof paged === 'boolean')
  );
}
