/** A part of a request: its query, headers or body. Texts are templates (see `Text`). */
export interface RequestPart<C = unknown> {
  /** Parameters of the URL. A list repeats the parameter. A parameter without a value is left out. */
  readonly query?: Readonly<Record<string, Text<C> | number | boolean | readonly string[]>>;
  readonly headers?: Readonly<Record<string, Text<C>>>;
  /** A JSON body. In it, a text that consists of one placeholder keeps the type of the value: a number stays a number. */
  readonly body?: unknown;
  /** A body of form fields (`application/x-www-form-urlencoded`), in place of `body`. */
  readonly form?: Readonly<Record<string, Text<C> | number | boolean>>;
  /** A query of GraphQL, in place of `body`. Without `post`, it is sent to the address in `graphql` of the service. */
  readonly graphql?: GraphqlPart<C>;
}

/** A query of GraphQL. Changes of a request may replace the query, and add variables or replace them. */
export interface GraphqlPart<C = unknown> {
  /** The document of the query, which is sent as it is. It must only read, because it may be repeated. */
  readonly query?: string;
  /** The variables by name: JSON values whose texts are templates, or functions. A variable without a value is left out. */
  readonly variables?: Readonly<Record<string, VariableFunction<C> | JsonValue>>;
}

type VariableFunction<C> = { variable(scope: Scope<C>): unknown }['variable'];
type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | Readonly<Record<string, unknown>>;

/** A request to the service. It has `get`, `post` or `graphql`. */
export interface RequestDescription<C = unknown> extends RequestPart<C> {
  /** The path below `base`, or an absolute URL: `/issues/{id}`. Placeholders are escaped. `{+name}` keeps slashes. */
  readonly get?: Text<C>;
  /** Like `get`, for a POST. The request must only read, because it may be repeated. */
  readonly post?: Text<C>;
}

/**
 * A text with placeholders, or a function that returns the text. Placeholders have no spaces, so `{ id }` is plain text.
 *
 * | placeholder | value |
 * | --- | --- |
 * | `{id}`, `{user.name}` | a member of the item at hand. In a request of a stream, this is the item of its parent (`for`) |
 * | `{item.since}` | the same, for a member with the name of another placeholder |
 * | `{channels.id}` | a member of the parent item of the stream `channels` |
 * | `{config.team}` | a setting |
 * | `{target.authority}`, `{target.path}`, `{target.parts.0}` | parts of the URI of the source |
 * | `{secret.token}` | a secret setting. Only in `auth`. `{secret.key.client_email}` reads from a secret that is JSON |
 * | `{since}`, `{until}` | the time that an incremental request begins with and the start of the run, in its `format` |
 * | `{key.id}`, `{thread}`, `{identity}` | in `one` and `ofThread`: what the caller requests |
 * | `{token}` | in a change feed: its token |
 * | `{pattern}` | in `grep`: the text to search |
 * | `{id}`, `{ids}` | in a look-up: the id, or the ids of a batch |
 * | `{given.table}` | in a look-up: a value that the caller gives with the id |
 * | `{container.id}` | in `nested`: a member of the item that contains the listed ones |
 */
export type Text<C = unknown> = string | TextFunction<C>;

type TextFunction<C> = {
  text(scope: Scope<C>): string | number | boolean | undefined;
}['text'];

/**
 * A value of an item: a path such as `fields.summary` or `labels[].name` (a list), a text with placeholders such as
 * `{title} ({state})`, or a function of the item. `.` is the item itself. A path without a value yields nothing. Functions
 * may be asynchronous. Their parameter may be declared with the type that the service documents.
 */
export type Value<C = unknown> = string | ValueFunction<C>;

type ValueFunction<C> = { value(item: unknown, scope: Scope<C>): unknown }['value'];

/** What a function of a description can use besides the item. */
export interface Scope<C = unknown> {
  /** The validated configuration. */
  readonly config: C;
  /** The parts of the URI of the source. `path` has no leading slash, `parts` are the authority and the steps of the path. */
  readonly target: {
    readonly authority: string;
    readonly path: string;
    readonly parts: readonly string[];
  };
  /** The item at hand: in a request of a stream, the item of its parent. */
  readonly item: unknown;
  /** The parent items by the names of their streams, reduced to `keep`. */
  readonly parents: Readonly<Record<string, unknown>>;
  /** The time that an incremental request begins with, in milliseconds since 1970. Undefined for a full request. */
  readonly since: number | undefined;
  /** The start of the run, in milliseconds since 1970. */
  readonly until: number;
  /** Other placeholders: `key`, `thread`, `identity`, `token`, `pattern`. */
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * Returns the value that a look-up has for an id, or undefined. Values are kept for 10 minutes. `given`: values for the
   * placeholders `{given.…}` of its request, such as the table of the id. Ids with different values share no request.
   */
  lookup(name: string, id: unknown, given?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** A duration: `30s`, `10m`, `3h`, `30d`, or milliseconds. */
export type Duration = string | number;

/** An answer of the service. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON. Undefined if the body is not JSON. */
  readonly body: unknown;
  /** The URL of the request after redirects. */
  readonly url: string;
}
