import type { JsonSchema } from '@trove/core';

import type { LoginDescription } from './auth.js';
import type { Paging } from './paging.js';
import type { ObjectDescription, StreamDescription } from './stream.js';
import type { Answer, Duration, RequestDescription, Text, Value } from './value.js';

/**
 * A rule for answers, also for errors in answers with status 200. The rules of a stream are tried before those of the service,
 * in order. The first match decides. Without a match: 401 is `login`, 403 is `wait` with a time in its headers, otherwise
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
  /** A text that the body contains. */
  readonly text?: string;
}

type ErrorScalar = string | number | boolean | null;

/**
 * | action | effect |
 * | --- | --- |
 * | `retry` | The call fails with a retryable error. It continues at its last checkpoint |
 * | `wait` | The same, after the time that the answer states. All sources of the login wait |
 * | `skip` | The request counts as empty, with the sentence as a warning. A parent keeps its cursor, so nothing is missed later |
 * | `incomplete` | The items of the answer count, but the service leaves others out. The listing ends as incomplete, with the sentence |
 * | `absent` | The item does not exist: a record or document is not found, and the children of a parent are empty |
 * | `expired` | The token of a change feed or of a page is too old. The listing starts over |
 * | `login` | The login was refused. It is refreshed once, then the call fails |
 * | `fail` | The call fails with the sentence |
 * | `ok` | The answer is none of these, although another rule says so |
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

/** The limits of the service. They apply to all sources with the same login in this process. */
export interface Limits {
  /**
   * Where an answer that must wait states the time, by precedence. Numbers below a billion are seconds from now, others are
   * epoch seconds or milliseconds. Dates are HTTP dates. Default: `header.retry-after`, `header.x-ratelimit-reset`,
   * `header.ratelimit-reset`. `body.retry_after` is a path in the body.
   */
  readonly waitFrom?: readonly string[];
  /** The time to wait if the answer states none. Default one minute. */
  readonly wait?: Duration;
  /** Numbers of requests that the kit never exceeds. */
  readonly budgets?: readonly RequestBudget[];
}

export interface RequestBudget {
  /** A text that the path of the URL contains. Default: all requests. */
  readonly match?: string;
  readonly requests: number;
  readonly per: Duration;
}

/**
 * The request that proves the login. It runs before every listing, and a failure ends the listing. Use a request that fails
 * with a wrong token. Some services answer anonymous requests with 200 and an empty list, which would look like an empty
 * source.
 */
export interface Check<C = unknown> extends RequestDescription<C> {
  /** What people read when the login works: `Connected as {user.name}.` */
  readonly say?: Value<C>;
  /**
   * Sends the request again after every listing, for a service that answers a revoked token with 200 and an empty list. A
   * token that is revoked during the listing then ends it with a failure. Default false.
   */
  readonly again?: boolean;
  /** Scopes that the login must have. The check names the missing ones. */
  readonly scopes?: {
    /** Where the answer lists the scopes: `header.x-oauth-scopes`, or a path in the body. */
    readonly from: string;
    readonly needs: readonly string[];
  };
}

/**
 * Names by id, such as those of users. With `items` and `key`, one listing has all of them, requested on first use. Otherwise
 * one request per id. Up to 20,000 names are kept per sync.
 */
export interface Lookup<C = unknown> extends RequestDescription<C> {
  /** `{id}` is the id. */
  readonly page?: Paging;
  /** The path of the list. Set it with `key`. */
  readonly items?: string;
  /** The path of an item's id. */
  readonly key?: string;
  /** The path of the result in the answer or in the item: `user.profile.real_name`. `.` is all of it. */
  readonly value: Value<C>;
  readonly errors?: readonly ErrorRule[];
}

/** A web service. All members except `keys`, functions and `configSchema` can be written as TOML or JSON. */
export interface HttpDescription<C = unknown> {
  /** The root of all paths: `https://api.github.com`. Requests to other origins get no login. */
  readonly base: Text<C>;
  /** A list: the first login whose secrets are set. Default: none. */
  readonly auth?: LoginDescription<C> | readonly LoginDescription<C>[];
  /** Headers of all requests. */
  readonly headers?: Readonly<Record<string, Text<C>>>;
  readonly check: Check<C>;
  readonly errors?: readonly ErrorRule[];
  readonly limits?: Limits;
  readonly lookups?: Readonly<Record<string, Lookup<C>>>;
  readonly objects?: Readonly<Record<string, ObjectDescription<C>>>;
  readonly streams: Readonly<Record<string, StreamDescription<C>>>;
}

/** A connector of a web service. */
export interface HttpConnectorDescription<
  S extends JsonSchema = JsonSchema,
  C = unknown,
> extends HttpDescription<C> {
  /** URI schemes. The first one is the prefix of the error codes. */
  readonly keys: readonly string[];
  readonly configSchema: S;
}
