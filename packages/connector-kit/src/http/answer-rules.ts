import type { Answer, ErrorAction, ErrorRule } from './description/index.js';
import { graphqlAction, graphqlCodes } from './graphql-errors.js';
import { textOf, valueAt } from './json.js';

/** What to do with an answer. */
export interface Verdict {
  readonly do: ErrorAction;
  readonly code?: string;
  /** A sentence for people. */
  readonly say?: string;
}

const retryStatuses: ReadonlySet<number> = new Set([408, 425]);
const messagePaths = [
  'error.message',
  'message',
  'msg',
  'error_description',
  'error',
  'detail',
  'errors.0.message',
];
const maxMessageChars = 300;

/** Applies the rules in order, then the defaults. `isGraphql`: the answer is one to a query of GraphQL. */
export function judgeAnswer(
  answer: Answer,
  rules: readonly ErrorRule[],
  isGraphql = false,
): Verdict {
  const rule = rules.find(({ when }) => matches(when, answer));
  if (rule === undefined)
    return { do: (isGraphql ? graphqlAction(answer) : undefined) ?? defaultAction(answer) };
  const { do: action, code, say } = rule;
  return {
    do: action,
    ...(code === undefined ? {} : { code }),
    ...(say === undefined ? {} : { say: fillIn(say, answer) }),
  };
}

/** Returns the message of the service in an answer, or ''. */
export function serviceMessage({ body }: Answer): string {
  for (const path of messagePaths) {
    const message = textOf(valueAt(body, path));
    if (message !== undefined && message !== '') return message.slice(0, maxMessageChars);
  }
  return '';
}

function matches(when: ErrorRule['when'], answer: Answer): boolean {
  if (typeof when === 'function') return when(answer);
  const { status, body = {}, text, graphql } = when;
  if (
    graphql !== undefined &&
    !graphqlCodes(answer).some((code) => [graphql].flat().includes(code))
  )
    return false;
  if (status !== undefined && ![status].flat().includes(answer.status)) return false;
  if (text !== undefined && !JSON.stringify(answer.body ?? '').includes(text)) return false;
  return Object.entries(body).every(([path, wanted]) =>
    [wanted].flat().some((each) => each === (valueAt(answer.body, path) ?? null)),
  );
}

function defaultAction(answer: Answer): ErrorAction {
  const { status } = answer;
  if (status < 400) return 'ok';
  if (status === 401) return 'login';
  if (status === 403) return isLimit(answer) ? 'wait' : 'fail';
  if (status === 404 || status === 410) return 'absent';
  if (status === 429) return 'wait';
  return retryStatuses.has(status) || status >= 500 ? 'retry' : 'fail';
}

/** Whether a refusal is due to a limit. Many services send the time of the next reset with every answer. */
function isLimit({ headers }: Answer): boolean {
  return headers.has('retry-after') || Number(headers.get('x-ratelimit-remaining') ?? 1) === 0;
}

function fillIn(say: string, { body }: Answer): string {
  return say.replace(/\{([\w.[\]-]+)\}/g, (_, path: string) => textOf(valueAt(body, path)) ?? '');
}
