import { isTroveError, TroveError } from '@trove/core';

import { judgeAnswer, serviceMessage, type Verdict } from './answer-rules.js';
import { parseJson, readBody } from './body.js';
import type { Answer, ErrorRule, Scope } from './description/index.js';
import type { LoginLimits } from './limits.js';
import type { RequestLogin } from './login/login.js';
import type { HttpRequest } from './request.js';

/**
 * An answer, or the reason why there is none. `gap`: the reason why the answer leaves items out. `isMissing`: the service has
 * nothing at this address, with the status 404 or 410.
 */
export type ServiceReply =
  | { readonly answer: Answer; readonly gap?: string }
  | {
      readonly none: 'absent' | 'skip' | 'expired';
      readonly say: string;
      readonly isMissing: boolean;
    };

export interface ClientOptions {
  readonly http: typeof globalThis.fetch;
  /** The prefix of the connector's own error codes. */
  readonly key: string;
  readonly base: string;
  readonly login: RequestLogin;
  readonly limits: LoginLimits;
  readonly errors: readonly ErrorRule[];
  /** The maximum size of an answer. Default 32 MiB. */
  readonly maxAnswerBytes?: number;
}

/** Sends requests with the login, within the limits, and judges the answers. */
export class Client {
  readonly #options: ClientOptions;
  readonly base: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.base = options.base;
  }

  /** Sends a request for JSON. `rules` are tried before those of the service. */
  async send(
    request: HttpRequest,
    scope: Scope,
    signal: AbortSignal,
    rules: readonly ErrorRule[] = [],
  ): Promise<ServiceReply> {
    const { response, secret } = await this.#fetch(request, scope, signal);
    const answer = await this.#readAnswer(response, request.url);
    const verdict = this.#judge(answer, request, rules);
    if (verdict.do !== 'login') return this.#replyOf(answer, verdict, signal);
    const again = await this.#fetch(request, scope, signal, secret);
    if (again.secret === secret) {
      await again.response.body?.cancel();
      throw this.#refusal(answer, verdict);
    }
    const second = await this.#readAnswer(again.response, request.url);
    return this.#replyOf(second, this.#judge(second, request, rules), signal);
  }

  /** Sends a request for bytes. The caller reads or cancels the body of the response. */
  async sendForBytes(
    request: HttpRequest,
    scope: Scope,
    signal: AbortSignal,
    rules: readonly ErrorRule[],
  ): Promise<{ readonly response: Response } | Exclude<ServiceReply, { answer: Answer }>> {
    for (let refused: string | undefined; ;) {
      const { response, secret } = await this.#fetch(request, scope, signal, refused);
      if (response.ok) return { response };
      const answer = await this.#readAnswer(response, request.url);
      const verdict = this.#judge(answer, request, rules);
      if (verdict.do === 'login' && refused === undefined) {
        refused = secret;
        continue;
      }
      const reply = await this.#replyOf(answer, verdict, signal);
      if ('none' in reply) return reply;
      throw this.#failure(answer, verdict);
    }
  }

  async #fetch(
    request: HttpRequest,
    scope: Scope,
    signal: AbortSignal,
    refused?: string,
  ): Promise<{ readonly response: Response; readonly secret: string }> {
    const { base, login, limits, http } = this.#options;
    signal.throwIfAborted();
    await limits.admit(request.url, signal);
    const isOwn = request.url.origin === new URL(base).origin;
    const { request: full, secret } = isOwn
      ? await login.apply(request, scope, refused)
      : { request, secret: '' };
    try {
      const response = await http(full.url, { ...initOf(full), signal });
      return { response, secret };
    } catch (error) {
      if (isTroveError(error) && error.retryAfterMs !== undefined)
        throw await limits.pause(request.url.host, null, error.retryAfterMs, signal);
      throw error;
    }
  }

  #judge(answer: Answer, { isGraphql }: HttpRequest, rules: readonly ErrorRule[]): Verdict {
    return judgeAnswer(answer, [...rules, ...this.#options.errors], isGraphql);
  }

  async #replyOf(answer: Answer, verdict: Verdict, signal: AbortSignal): Promise<ServiceReply> {
    const { limits } = this.#options;
    const { host } = new URL(answer.url);
    switch (verdict.do) {
      case 'ok':
        return { answer };
      case 'incomplete':
        return { answer, gap: this.#sentence(answer, verdict) };
      case 'absent':
      case 'skip':
      case 'expired':
        return {
          none: verdict.do,
          say: this.#sentence(answer, verdict),
          isMissing: answer.status === 404 || answer.status === 410,
        };
      case 'wait':
        throw await limits.pause(
          host,
          answer,
          limits.statedWaitMs(answer) ?? limits.defaultWaitMs,
          signal,
          verdict.say,
        );
      case 'login':
        throw this.#refusal(answer, verdict);
      case 'retry':
      case 'fail':
        throw this.#failure(answer, verdict);
    }
  }

  /** Parses the body of a response as JSON, if it says that it is. */
  async #readAnswer(response: Response, url: URL): Promise<Answer> {
    const { status, headers } = response;
    const text = await readBody(response, url, this.#options.maxAnswerBytes);
    return { status, headers, body: parseJson(text, response, url), url: response.url || url.href };
  }

  #failure(answer: Answer, verdict: Verdict): TroveError {
    return new TroveError('connector_unhealthy', this.#sentence(answer, verdict), {
      retryable: verdict.do === 'retry',
      suggestions: [],
      ...this.#pluginCode(verdict),
    });
  }

  #refusal(answer: Answer, verdict: Verdict): TroveError {
    return new TroveError('connector_unhealthy', this.#sentence(answer, verdict), {
      suggestions: verdict.say === undefined ? ['Check the credentials of the source.'] : [],
      ...this.#pluginCode(verdict),
    });
  }

  #pluginCode({ code }: Verdict): { readonly pluginCode?: string } {
    return code === undefined ? {} : { pluginCode: `${this.#options.key}.${code}` };
  }

  #sentence(answer: Answer, { do: action, say }: Verdict): string {
    if (say !== undefined) return say;
    const { host, pathname } = new URL(answer.url);
    const message = serviceMessage(answer);
    const what = action === 'login' ? 'refused the login' : `refused ${pathname}`;
    return `${host} ${what} (HTTP ${answer.status})${message === '' ? '' : `: ${message}`}`;
  }
}

function initOf({ method, headers, body, form }: HttpRequest): RequestInit {
  const all = new Headers({ accept: 'application/json' });
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  if (form !== undefined) return { method, headers: all, body: new URLSearchParams(form) };
  if (body === undefined) return { method, headers: all };
  if (!all.has('content-type')) all.set('content-type', 'application/json');
  return { method, headers: all, body: JSON.stringify(body) };
}
