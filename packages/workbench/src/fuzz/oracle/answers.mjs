import { errorCatalogue } from '@trove/core';

import { Violation } from '../findings.mjs';
import { isGeneral } from '../requests/contract.mjs';
import { internalsIn, leakIn } from './forbidden.mjs';

/** Codes that a server with a healthy disk, index and embedder should never return. */
const unexpectedCodes = new Set([
  'internal_error',
  'storage_unavailable',
  'engine_closed',
  'embedding_unavailable',
]);

/**
 * Checks a response against the contract. Returns its parsed body (undefined for none) or throws a `Violation`.
 * `expected`: the allowed statuses of a request with a known fault.
 */
export function checkAnswer(contract, draft, answer, canaries) {
  const { operation, intent, label, expected } = draft;
  const about = (law, message) =>
    new Violation(`${law} ${operation.id} ${label}`, `${operation.id} (${label}): ${message}`);
  const { status } = answer;
  const leak = leakIn(answer.text, canaries) ?? leakIn(JSON.stringify(answer.headers), canaries);
  if (leak !== null) throw about('leak', `the answer holds ${leak}`);
  if (status >= 500 && ![501, 502, 503].includes(status)) throw about('500', `status ${status}`);
  if (answer.headers['x-request-id'] === undefined) throw about('id', 'no X-Request-Id');
  if (intent === 'valid' && status === 422) throw about('valid', 'a valid request is refused');
  if (intent === 'nearly' && !expected.includes(status)) {
    throw about('nearly', `status ${status} instead of ${expected.join(' or ')}`);
  }
  if ((draft.method ?? operation.method) === 'HEAD' || draft.method === 'OPTIONS') {
    return undefined;
  }
  if (!answer.complete) return undefined;
  const own = draft.method === undefined ? operation.answers.get(status) : undefined;
  if (status < 400) return checkSuccess(own, answer, about);
  const body = parsed(answer, about);
  if (isInShape(operation, own, body)) return body;
  // Requests without a route get the error envelope.
  if (own !== undefined && !own.isEnvelope) throw about('error', 'it has another shape');
  checkEnvelope(contract, own, answer, body, about);
  return body;
}

/** Whether the body matches the operation's errors without an envelope. */
function isInShape({ answers }, own, body) {
  const shapes = own === undefined ? [...answers.values()] : [own];
  return shapes.some(({ codes, isEnvelope, matches }) => codes && !isEnvelope && matches(body));
}

function parsed({ text, headers }, about) {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
    throw about('type', `content type ${headers['content-type']}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw about('json', 'the body is no JSON');
  }
}

/** Returns the body of a JSON response. */
function checkSuccess(own, answer, about) {
  const { status, text, headers } = answer;
  if (own === undefined) throw about('status', `status ${status} is not in the document`);
  if (own.matches === null) {
    const type = headers['content-type']?.replace(/;.*/, '') ?? null;
    if (type !== own.type) throw about('type', `content type ${type} instead of ${own.type}`);
    if (type === null && text !== '') throw about('body', 'there is a body');
    return undefined;
  }
  const body = parsed(answer, about);
  if (own.matches(body)) return body;
  const [error] = own.matches.errors;
  throw about('schema', `the body breaks its schema: ${error.instancePath} ${error.message}`);
}

function checkEnvelope({ envelope }, own, { status, headers }, body, about) {
  if (!envelope(body)) throw about('envelope', 'the error is no envelope');
  const { code, detail, suggestions } = body;
  if (!Object.hasOwn(errorCatalogue, code)) throw about('code', `unknown code ${code}`);
  if (unexpectedCodes.has(code)) throw about('unprovoked', `${status} ${code}: ${detail}`);
  const listed = own?.codes?.includes(code) === true || isGeneral(status);
  if (!listed) throw about('status', `${status} ${code} is not in the document`);
  const internals = internalsIn([detail, ...suggestions].join('\n'));
  if (internals !== null) throw about('internals', `the error says "${internals}"`);
  if (detail.trim() === '') throw about('envelope', 'the detail is empty');
  // A connector's message contains the remedy itself.
  const isSaid = suggestions.length > 0 || code === 'connector_unhealthy';
  if (!isSaid) throw about('envelope', 'no suggestion');
  const promised = { 401: 'www-authenticate', 405: 'allow', 503: 'retry-after' }[status];
  if (promised !== undefined && code !== 'storage_unavailable' && headers[promised] === undefined) {
    throw about('header', `${status} without ${promised}`);
  }
}
