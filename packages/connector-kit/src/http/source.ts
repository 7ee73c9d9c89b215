import {
  isTroveError,
  messageOf,
  TroveError,
  type ConnectorContext,
  type Logger,
} from '@trove/core';

import { Client, type ClientOptions, type ServiceReply } from './client.js';
import type {
  ErrorRule,
  HttpDescription,
  Lookup,
  RequestDescription,
  Scope,
  StreamDescription,
} from './description/index.js';
import { RequestLogin } from './login/login.js';
import { identityOf } from './login/secrets.js';
import type { PostToken } from './login/oauth2.js';
import type { FolderTree } from './folder-tree.js';
import { ItemFaults } from './item-faults.js';
import { Lookups } from './lookups.js';
import { planOf, type Plan, type PlannedStream } from './plan.js';
import { buildRequest, completeRequest, type HttpRequest } from './request.js';
import { rootScope } from './scope.js';
import { acquireLogin } from './shared-login.js';
import { renderText } from './template.js';
import { parseJson, readBody } from './body.js';

/** Changes of the request of a stream. */
export type StreamPart = RequestDescription & Pick<StreamDescription, 'items'>;

/** One call of a connector's method. */
export interface Run {
  /** When it began, in milliseconds since 1970. */
  readonly start: number;
  readonly signal: AbortSignal;
  readonly warn: (sentence: string) => void;
  /** What the caller requests: `key`, `thread`, `identity`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Changes of the requests of a stream. */
  readonly partOf?: (stream: PlannedStream) => StreamPart | undefined;
  /** What the call has loaded, by name. */
  readonly loaded: Map<string, Promise<FolderTree>>;
  readonly faults: ItemFaults;
  /** Only a part of each stream is requested, which may not exist or consist of one item. */
  readonly isPart?: boolean;
}

/** Begins a call of a connector's method. */
export function createRun(
  signal: AbortSignal,
  warn: Run['warn'] = () => undefined,
  values: Run['values'] = {},
): Run {
  return { start: Date.now(), signal, warn, values, loaded: new Map(), faults: new ItemFaults() };
}

/** What a source needs of the context of its connector. */
type SourceContext = Pick<
  ConnectorContext<unknown>,
  'config' | 'credentials' | 'http' | 'logger' | 'signal' | 'target'
>;

/** An open source: a description with a configuration. */
export class HttpSource {
  /** The first URI scheme of the connector, which begins its error codes. */
  readonly key: string;
  readonly description: HttpDescription;
  readonly plan: Plan;
  readonly client: Client;
  readonly login: RequestLogin;
  readonly host: string;
  readonly logger: Logger;
  readonly #context: SourceContext;
  readonly #lookups: Lookups;
  readonly #release: () => void;

  constructor(
    description: HttpDescription,
    keys: readonly string[],
    context: SourceContext,
    options: Pick<ClientOptions, 'maxAnswerBytes'> = {},
  ) {
    this.key = keys[0] ?? '';
    this.description = description;
    this.plan = planOf(description);
    this.logger = context.logger;
    this.#context = context;
    const root = rootScope(this.#context.config, this.#context.target);
    const base = renderText(description.base, root);
    if (!URL.canParse(base))
      throw new TroveError('config_invalid', `The address of the service is not a URL: ${base}`);
    const [key = ''] = keys;
    const { origin, host } = new URL(base);
    this.host = host;
    const auth = description.auth === undefined ? [] : [description.auth].flat();
    const name = JSON.stringify([key, context.credentials.login, origin]);
    const { shared, release } = acquireLogin(
      { name, identity: identityOf(auth, root), origin },
      description.limits ?? {},
      context.credentials.limits,
    );
    this.#release = release;
    this.login = new RequestLogin({
      auth,
      credentials: context.credentials,
      tokens: shared.tokens,
      target: context.target,
      post: (request) => postForToken(context.http, request, context.signal),
    });
    this.client = new Client({
      ...options,
      http: context.http,
      key,
      base,
      limits: shared.limits,
      errors: description.errors ?? [],
      login: this.login,
    });
    this.#lookups = new Lookups(this.client, completeLookups(description));
  }

  /** The scope of a request or a mapping. */
  scope(run: Run, parts: Partial<Scope> = {}): Scope {
    const scope: Scope = {
      ...rootScope(this.#context.config, this.#context.target),
      until: run.start,
      ...parts,
      values: { ...run.values, ...parts.values },
      lookup: (name, id, given = {}) => this.#lookups.find({ name, given }, id, scope, run.signal),
    };
    return scope;
  }

  build(description: RequestDescription, scope: Scope): HttpRequest {
    return buildRequest(completeRequest(this.description, description), this.client.base, scope);
  }

  send(
    description: RequestDescription,
    scope: Scope,
    run: Run,
    rules: readonly ErrorRule[] = [],
  ): Promise<ServiceReply> {
    return this.client.send(this.build(description, scope), scope, run.signal, rules);
  }

  /** Runs code of the description. Returns undefined, warns and notes a fault if it throws. `kind`: what it makes of `item`. */
  async attempt<T>(
    { kind, item }: { readonly kind: string; readonly item: string },
    run: Run,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      const made = await work();
      run.faults.addUsed(kind);
      return made;
    } catch (error) {
      if (run.signal.aborted || isRequestFailure(error)) throw error;
      const sentence = `${item} is left out: ${messageOf(error)}`;
      run.faults.addUnusable(kind, sentence, error);
      this.logger.warn(sentence);
      run.warn(sentence);
      return undefined;
    }
  }

  close(): void {
    this.#release();
  }
}

/** Codes of errors that concern one item, such as an item without a key. */
const itemCodes: ReadonlySet<string> = new Set(['plugin_invalid', 'config_invalid']);

/** Returns the look-ups with what all requests have. */
function completeLookups(description: HttpDescription): Readonly<Record<string, Lookup>> {
  return Object.fromEntries(
    Object.entries(description.lookups ?? {}).map(([name, lookup]) => [
      name,
      completeRequest(description, lookup),
    ]),
  );
}

/** Whether an error comes from a request of a look-up, so it concerns more than one item. */
function isRequestFailure(error: unknown): boolean {
  return isTroveError(error) && !itemCodes.has(error.code);
}

async function postForToken(
  http: typeof globalThis.fetch,
  { url, headers, form, body }: Parameters<PostToken>[0],
  signal: AbortSignal,
): ReturnType<PostToken> {
  const own = new Headers({ accept: 'application/json', ...headers });
  if (form === undefined) own.set('content-type', 'application/json');
  const response = await http(url, {
    method: 'POST',
    headers: own,
    body: form === undefined ? JSON.stringify(body ?? {}) : new URLSearchParams(form),
    signal,
  });
  const at = new URL(url);
  const text = await readBody(response, at);
  return {
    status: response.status,
    headers: response.headers,
    body: parseJson(text, response, at),
    url,
  };
}
