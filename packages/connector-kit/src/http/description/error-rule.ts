import type { Answer } from './value.js';

/**
 * A rule for answers, also for errors in answers with status 200. The rules of a stream are tried before the rules of the service,
 * in order. The first match decides. Without a match, errors of GraphQL count by their codes: `RATELIMITED` is `wait`,
 * `UNAUTHENTICATED` is `login`, `NOT_FOUND` is `absent`, `INTERNAL_SERVER_ERROR` is `retry`, and others are `fail`, also with
 * status 200 and a part of the data. Otherwise, the status decides: 401 is `login`, 403 is `wait` with a time in its headers, otherwise
 * `fail`, 404 and 410 are `absent`, 429 is `wait`, 408, 425 and 5xx are `retry`, and other statuses from 400 are `fail`.
 */
export interface ErrorRule {
  readonly when: ErrorCondition | ErrorPredicate;
  readonly do: ErrorAction;
  /** The error code of the connector without its prefix: `missing_scope` becomes `slack.missing_scope`. */
  readonly code?: string;
  /** A sentence for people about the cause and the remedy: `The token lacks the scope {needed}.` Placeholders read the body. */
  readonly say?: string;
}

type ErrorPredicate = { matches(answer: Answer): boolean }['matches'];

/** All given members must match. */
export interface ErrorCondition {
  /** Default: any status, also 200. */
  readonly status?: number | readonly number[];
  /** Values of the body by their paths, one of a list: `{ error: ['invalid_auth', 'token_revoked'] }`. */
  readonly body?: Readonly<Record<string, ErrorScalar | readonly ErrorScalar[]>>;
  /** The code of an error of GraphQL, one of a list. It is in `extensions.code` or `type` of the error: `FORBIDDEN`. */
  readonly graphql?: string | readonly string[];
  /** A text that the body contains. */
  readonly text?: string;
}

type ErrorScalar = string | number | boolean | null;

/**
 * | action | effect |
 * | --- | --- |
 * | `retry` | The call fails with a retryable error. It continues at its last checkpoint |
 * | `wait` | The same, after the time that the answer states. All sources of the login wait |
 * | `skip` | The request counts as empty. Listings and syncs of changes show the sentence as a warning |
 * | `incomplete` | The items of the answer count, but the service leaves others out. The listing ends as incomplete, with the sentence |
 * | `absent` | The item does not exist: a record or document is not found, and the children of a parent are empty |
 * | `expired` | The token of a change feed or of a page is too old. The listing starts over |
 * | `login` | The login was refused. It is refreshed once, then the call fails |
 * | `fail` | The call fails with the sentence |
 * | `ok` | The answer is no error, although another rule matches it |
 */
export type ErrorAction =
  | 'retry'
  | 'wait'
  | 'skip'
  | 'incomplete'
  | 'absent'
  | 'expired'
  | 'login'
  | 'fail'
  | 'ok';
