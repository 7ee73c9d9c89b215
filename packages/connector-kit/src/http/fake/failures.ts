import { judgeAnswer } from '../answer-rules.js';
import type { ErrorAction, ErrorRule, Limits } from '../description/index.js';
import type { FakeAnswer } from './fake-service.js';
import { placeAll, setAt } from './places.js';

const statuses: Partial<Readonly<Record<ErrorAction, number>>> = {
  absent: 404,
  expired: 410,
  fail: 400,
  login: 401,
  retry: 503,
  wait: 429,
};
const message = 'The fake service refused the request.';

/**
 * Returns an answer to which the rules of a description react with an action. Throws if no rule does: write the answer
 * yourself and add it as a fault.
 */
export function failureOf(action: ErrorAction, rules: readonly ErrorRule[]): FakeAnswer {
  const status = statuses[action];
  const candidates = [
    ...rules.flatMap((rule) => (rule.do === action ? (answerTo(rule) ?? []) : [])),
    ...(status === undefined ? [] : [{ status, json: { message } }]),
  ];
  const found = candidates.find((answer) => actionFor(answer, rules) === action);
  if (found !== undefined) return found;
  throw new Error(
    `No answer to which the rules react with \`${action}\` can be derived from the description. Add a fault with this answer.`,
  );
}

/** Returns an answer to too many requests, with the time to wait in each place that the description reads it from. */
export function rateLimitAnswer(
  limits: Limits | undefined,
  rules: readonly ErrorRule[],
  retryAfterMs: number,
): FakeAnswer {
  const seconds = retryAfterMs / 1000;
  const [place = 'header.retry-after'] = limits?.waitFrom ?? [];
  const time = place.includes('reset') ? Math.ceil((Date.now() + retryAfterMs) / 1000) : seconds;
  const waiting = { [place]: time };
  try {
    return placeAll(failureOf('wait', rules), waiting);
  } catch {
    // A refusal with a time counts as a limit, too.
    return placeAll({ status: 403, json: { message } }, waiting);
  }
}

/** Returns an answer for which the condition of a rule holds. Null for a function. */
function answerTo({ when }: ErrorRule): FakeAnswer | null {
  if (typeof when === 'function') return null;
  const { status, body = {}, text, graphql } = when;
  const [first = 200] = status === undefined ? [] : [status].flat();
  const members = Object.entries(body).map(([path, value]) => [path, [value].flat()[0]] as const);
  const json = members.reduce<unknown>((target, [path, value]) => setAt(target, path, value), {
    ...(text === undefined ? {} : { message: text }),
    ...(graphql === undefined
      ? {}
      : { errors: [{ message, extensions: { code: [graphql].flat()[0] } }] }),
  });
  return { status: first, json };
}

function actionFor({ status = 200, headers, json }: FakeAnswer, rules: readonly ErrorRule[]) {
  const answer = { status, headers: new Headers(headers), body: json, url: 'http://fake' };
  return judgeAnswer(answer, rules).do;
}
