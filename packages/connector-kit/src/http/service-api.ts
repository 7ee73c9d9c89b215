import type { ConnectorContext, Health } from '@trove/core';

import { LoginCheck } from './check.js';
import type { ServiceReply } from './client.js';
import type { ErrorRule, HttpDescription } from './description/index.js';
import type { HttpRequest } from './request.js';
import { HttpSource, type Run } from './source.js';

/** The part of a description that does not concern lists. */
export type ServiceDescription = Pick<
  HttpDescription,
  'auth' | 'base' | 'check' | 'errors' | 'headers' | 'limits'
>;

/** A request of code: its texts have no placeholders. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** The path below `base`, with escaped names. */
  readonly path: string;
  /** Parameters without a value are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value. */
  readonly body?: unknown;
}

/**
 * A web service whose connector is not made of a description, such as a database. Requests log in, keep the limits of the
 * login, and are judged by the rules of the description.
 */
export class ServiceApi {
  readonly #source: HttpSource;
  readonly #check: LoginCheck;

  constructor(
    description: ServiceDescription,
    keys: readonly string[],
    context: ConnectorContext<unknown>,
    options: { readonly maxAnswerBytes?: number } = {},
  ) {
    this.#source = new HttpSource({ ...description, streams: {} }, keys, context, options);
    this.#check = new LoginCheck(this.#source);
  }

  /** Sends a request. `rules` are tried before those of the service. */
  send(
    { method, path, query = {}, headers = {}, body }: ServiceRequest,
    signal: AbortSignal,
    rules: readonly ErrorRule[] = [],
  ): Promise<ServiceReply> {
    const { client } = this.#source;
    const scope = this.#source.scope(runOf(signal));
    const url = new URL(client.base.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const common = this.#source.build({ get: '/' }, scope).headers;
    const request: HttpRequest = {
      method,
      url,
      headers: { ...common, ...headers },
      body,
      form: undefined,
      isGraphql: false,
    };
    return client.send(request, scope, signal, rules);
  }

  /** Sends the request of `check`. */
  health(signal: AbortSignal): Promise<Health> {
    return this.#check.health(runOf(signal));
  }

  /** Releases the login. */
  close(): void {
    this.#source.close();
  }
}

function runOf(signal: AbortSignal): Run {
  return {
    start: Date.now(),
    signal,
    warn: () => undefined,
    values: {},
    loaded: new Map(),
  };
}
