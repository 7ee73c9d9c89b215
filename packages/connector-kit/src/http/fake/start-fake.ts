import { parseUri, type ConnectorPlugin } from '@trove/core';

import { descriptionOf } from '../define.js';
import { planOf } from '../plan.js';
import { rootScope } from '../scope.js';
import { renderText } from '../template.js';
import { DescribedService, type FakeHandler } from './described-service.js';
import type { DerivedFake } from './derived-fake.js';
import { startFakeService } from './fake-service.js';
import type { FakeWorld, StreamAnswer } from './fake-world.js';
import { LoginGate } from './login-gate.js';
import { isPath, setAt } from './places.js';
import { StoredItems, type FakeItem } from './stored-items.js';
import { faultOf } from './stream-faults.js';
import { makeSubject, type FakeSubject, type SubjectOptions } from './subject.js';

export interface HttpFakeOptions {
  /** Returns the configuration of the source. `url` is the address of the fake. */
  readonly config: (url: string) => unknown;
  /** The URI of the source. Default: the first scheme of the connector with the authority `fake`. */
  readonly target?: string;
  /** The number of items in a page. Default 2. */
  readonly pageSize?: number;
  /** The answer to the check. Default: an empty object. */
  readonly check?: FakeItem;
  /** The id of the root folder. Default `root`. */
  readonly rootFolder?: string;
  /** Answers listings of streams whose list or paging is a function, by stream. */
  readonly answers?: Readonly<Record<string, StreamAnswer>>;
  /** Answers other requests that cannot be derived. Called before all others, with a valid login. */
  readonly handle?: FakeHandler;
}

/** A derived fake that is a subject of the conformance suite, too. */
export interface HttpFake extends DerivedFake {
  /** Returns the subject of the conformance suite, with changes that are derived from the description. */
  subject<O extends { readonly path: string }>(options: SubjectOptions<O>): FakeSubject<O>;
}

/** Starts a fake of the service that a connector's description describes. Only for tests. */
export async function startHttpFake(
  plugin: ConnectorPlugin,
  options: HttpFakeOptions,
): Promise<HttpFake> {
  const description = descriptionOf(plugin);
  const plan = planOf(description);
  const target = options.target ?? `${plugin.keys[0]}://fake`;
  parseUri(target);
  let model: DescribedService | null = null;
  const running = (): DescribedService => {
    if (model === null) throw new Error('The fake has not started yet.');
    return model;
  };
  const service = await startFakeService({
    answer: (request) => running().answer(request),
    rateLimited: (request, waitMs) => running().rateLimited(request, waitMs),
    unauthorized: () => running().unauthorized(),
  });
  const config = options.config(service.origin);
  const base = renderText(description.base, rootScope(config, target));
  const gate = new LoginGate(description, rootScope(config, target), target);
  const names = new Map<string, Map<string, unknown>>();
  const items = new StoredItems(plan);
  let tokenAge = 0;
  const world: FakeWorld = {
    description,
    plan,
    config,
    target,
    credentials: gate.credentials,
    base,
    items,
    names,
    pageSize: options.pageSize ?? 2,
    checkBody: options.check ?? {},
    rootFolder: options.rootFolder ?? 'root',
    answers: options.answers ?? {},
    get tokenAge() {
      return tokenAge;
    },
  };
  const described = new DescribedService(world, gate, options.handle ?? (() => undefined));
  model = described;
  const isFixed = new URL(base).origin !== service.origin;
  const fake: HttpFake = {
    ...service,
    plugin,
    target,
    config,
    http: isFixed ? redirectTo(service.origin) : undefined,
    put: (stream, item, parents = {}) => void items.put(stream, item, parents),
    edit: (stream, id, changes) => void items.edit(stream, id, changes),
    delete: (stream, id) => items.delete(stream, id),
    setContent: (stream, id, content, mediaType) => {
      const item = items.find(stream, id);
      if (item.content !== undefined) items.edit(stream, id, {});
      item.content = typeof content === 'string' ? Buffer.from(content) : content;
      if (mediaType !== undefined) item.mediaType = mediaType;
    },
    setName: (lookup, id, name) => {
      const value = description.lookups?.[lookup]?.value;
      if (value === undefined) throw new Error(`The description has no look-up \`${lookup}\`.`);
      const own = names.get(lookup) ?? new Map<string, unknown>();
      names.set(lookup, own.set(id, isPath(value) ? setAt({}, value, name) : name));
    },
    replaceSecret: (setting, secret) => gate.replace(setting, secret),
    expireAccess: () => gate.expireAccess(),
    expireCursors: () => {
      tokenAge++;
    },
    fail: (stream, kind) => service.addFault(faultOf(world, described, stream, kind)),
    subject: (own) => makeSubject(fake, world, options.config, own),
  };
  return fake;
}

/** Returns a client that sends all requests to a fake. Answers keep the URL of the request. */
function redirectTo(origin: string): typeof globalThis.fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const { status, headers, body } = await fetch(new URL(pathname + search, origin), init);
    return new Response(body, { status, headers });
  };
}
