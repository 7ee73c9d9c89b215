import {
  TroveError,
  type ConnectorContext,
  type ExplainedRequest,
  type Health,
  type JsonSchema,
} from '@trove/core';

import { LoginCheck } from './check.js';
import type { ServiceReply } from './client.js';
import type { ErrorRule, HttpDescription, RequestDescription, Scope } from './description/index.js';
import { explainSync } from './explain.js';
import { loginMethod } from './login/oauth-login.js';
import type { HttpRequest } from './request.js';
import { createRun, HttpSource } from './source.js';

/** A web service whose listings a description cannot express, so its connector requests them itself. */
export type HttpServiceDescription<C = unknown> = Omit<
  HttpDescription<C>,
  'lookups' | 'objects' | 'streams'
>;

export interface HttpServiceOptions {
  /** The URI schemes of the connector. */
  readonly keys: readonly string[];
  readonly configSchema: JsonSchema;
  /** A larger answer fails. */
  readonly maxAnswerBytes?: number;
}

export interface ServiceRequestOptions {
  readonly signal: AbortSignal;
  /** Rules that are tried before those of the service. */
  readonly errors?: readonly ErrorRule[];
}

/** Sends requests to a web service with its login, its limits and its error rules. */
export class HttpService {
  readonly #source: HttpSource;
  readonly #check: LoginCheck;
  readonly #configSchema: JsonSchema;

  constructor(
    description: HttpServiceDescription,
    { keys, configSchema, ...options }: HttpServiceOptions,
    context: ConnectorContext<unknown>,
  ) {
    this.#source = new HttpSource({ ...description, streams: {} }, keys, context, options);
    this.#check = new LoginCheck(this.#source);
    this.#configSchema = configSchema;
  }

  /** The root of all paths. */
  get base(): string {
    return this.#source.client.base;
  }

  /**
   * Sends a request for JSON. A `get` may be the URL of a next page. Texts that the connector did not write itself are
   * given as functions, because they may look like placeholders.
   */
  async send(
    request: RequestDescription,
    { signal, errors = [] }: ServiceRequestOptions,
  ): Promise<ServiceReply> {
    const scope = this.#source.scope(createRun(signal));
    return this.#source.client.send(this.#build(request, scope), scope, signal, errors);
  }

  /**
   * Sends a request for bytes. The caller reads or cancels the body of the response. A redirect to another host gets no
   * login.
   */
  async sendForBytes(
    request: RequestDescription,
    { signal, errors = [] }: ServiceRequestOptions,
  ): ReturnType<HttpSource['client']['sendForBytes']> {
    const scope = this.#source.scope(createRun(signal));
    const headers = { accept: '*/*', ...request.headers };
    const built = this.#build({ ...request, headers }, scope);
    return this.#source.client.sendForBytes(built, scope, signal, errors);
  }

  /** Throws for another host, which only an answer can name, because it could be one of the private network. */
  #build(request: RequestDescription, scope: Scope): HttpRequest {
    const built = this.#source.build(request, scope);
    const { origin, host } = new URL(this.base);
    if (built.url.origin === origin) return built;
    throw new TroveError(
      'connector_unhealthy',
      `${host} names a page of another host: ${built.url.origin}`,
      { suggestions: [] },
    );
  }

  /** Throws if the login does not work. */
  async assertWorks(signal: AbortSignal): Promise<void> {
    await this.#check.assertWorks(createRun(signal));
  }

  /** Like `assertWorks`, unless the login has worked in the last minute. */
  assertWorksLately(signal: AbortSignal): Promise<void> {
    return this.#check.assertWorksLately(createRun(signal));
  }

  health(signal: AbortSignal): Promise<Health> {
    return this.#check.health(createRun(signal));
  }

  /** Returns the requests of the login and of the check, with which every sync begins. */
  async explainCheck(signal: AbortSignal): Promise<readonly ExplainedRequest[]> {
    const run = createRun(signal);
    const { requests } = await explainSync(this.#source, this.#configSchema, undefined, run);
    return requests;
  }

  close(): void {
    this.#source.close();
  }
}

/** Returns the members of a connector plugin with which people log in to a service. */
export function serviceLogin(
  description: Pick<HttpServiceDescription, 'auth'>,
): ReturnType<typeof loginMethod> {
  return loginMethod(description.auth);
}
