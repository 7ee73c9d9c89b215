import type { JsonSchema, SourceSetup } from '@trove/core';

import type { LoginDescription } from './auth.js';
import type { ErrorRule } from './error-rule.js';
import type { Paging } from './paging.js';
import type { ObjectDescription, StreamDescription } from './stream.js';
import type { Duration, RequestDescription, Text, Value } from './value.js';

/**
 * The limits of the service. They apply to all sources with the same login, also in other processes with the same home. Other
 * machines learn of a pause when the service refuses them.
 */
export interface Limits {
  /**
   * Where an answer that must wait states the time, by precedence. Numbers below a billion are seconds from now, others are
   * epoch seconds or milliseconds. Dates are HTTP or ISO dates. Default: `header.retry-after`, `header.x-ratelimit-reset`,
   * `header.ratelimit-reset`. `body.retry_after` is a path in the body. A header `…-reset` does not count while the header
   * `…-remaining` is above zero, because another limit is reached.
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
   * Sends the request again after every listing and after each object that is not found, for a service that answers a
   * revoked token with empty lists and 404. A token that is revoked during a sync then ends it with a failure. Default false.
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
 * one request per id. Up to 20,000 names and 16 MiB are kept for 10 minutes.
 */
export interface Lookup<C = unknown> extends RequestDescription<C> {
  /** `{id}` is the id. */
  readonly page?: Paging;
  /**
   * The maximum number of ids in one request, which has them as `{ids}`: a list in a body, and joined by commas in a text. Ids
   * that are looked up at the same time share requests. A function of `items` can therefore look up the ids of a whole page.
   */
  readonly batch?: number;
  /** Whether each call of the connector requests it again, for facts such as deletions. By default, values are kept for 10 minutes. */
  readonly fresh?: boolean;
  /** The path of the list. Set it with `key`. Required with `batch`. */
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
  /** The path below `base`, or the URL, to which requests with `graphql` are sent. Default `/graphql`. */
  readonly graphql?: Text<C>;
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
  /** The questions of the wizard. Default: all settings. */
  readonly setup?: SourceSetup;
}
