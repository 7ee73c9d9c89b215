import type { ExplainedRequest, SyncExplanation, JsonSchema } from '@trove/core';

import { workOf } from './children.js';
import { isCountDue } from './count-records.js';
import { readCursor, type Cursor } from './cursor.js';
import type { Paging, RequestDescription, Scope } from './description/index.js';
import { isTruthy } from './json.js';
import { maskSecrets } from './masked-config.js';
import { listingScope, requestOf } from './pages.js';
import type { PlannedStream } from './plan.js';
import { completeRequest, mergeRequests } from './request.js';
import { knownText, requestText, type ExplainScope } from './request-text.js';
import { isIncremental, isNeeded } from './run-state.js';
import type { HttpSource, Run } from './source.js';
import { unknownValue } from './unknown-value.js';
import { withToken, type Work } from './work.js';

/** How a request differs from one that is made once. */
type Extent = Pick<ExplainedRequest, 'repeats'> & { readonly page?: Paging | undefined };

/** Explains the sync that follows a cursor. Without one, the sync lists everything. */
export async function explainSync(
  source: HttpSource,
  configSchema: JsonSchema,
  value: unknown,
  run: Run,
): Promise<SyncExplanation> {
  const known = readCursor(value);
  const hasTokens = [...source.plan.streams].every(
    ([name, { description }]) =>
      description.incremental?.by !== 'feed' || known?.tokens[name] !== undefined,
  );
  const cursor = hasTokens ? known : null;
  const config = maskSecrets(source.scope(run).config, configSchema);
  const explainer = new Explainer(source, run, config, cursor);
  return { incremental: cursor !== null, requests: await explainer.requests() };
}

class Explainer {
  readonly #source: HttpSource;
  readonly #run: Run;
  readonly #config: unknown;
  readonly #cursor: Cursor | null;
  readonly #base: string;

  /** `config`: without secrets. */
  constructor(source: HttpSource, run: Run, config: unknown, cursor: Cursor | null) {
    this.#source = source;
    this.#run = run;
    this.#config = config;
    this.#cursor = cursor;
    this.#base = knownText(source.description.base, this.#scope()) ?? source.client.base;
  }

  async requests(): Promise<readonly ExplainedRequest[]> {
    const { description, plan } = this.#source;
    const check = this.#request('check', description.check);
    const again = description.check.again === true ? [{ ...check, name: 'check, again' }] : [];
    const streams = [...plan.streams.values()].filter((stream) => this.#isMade(stream));
    return [
      ...(await this.#login()),
      check,
      ...streams.flatMap((stream) => this.#feed(stream)),
      ...streams.flatMap((stream) => this.#listings(stream)),
      ...streams.flatMap((stream) => this.#details(stream)),
      ...this.#lookups(),
      ...again,
    ];
  }

  async #login(): Promise<readonly ExplainedRequest[]> {
    const url = await this.#source.login.tokenUrl();
    const text = url === undefined ? undefined : knownText(url, this.#scope());
    const repeats = 'whenever the access token has expired';
    return text === undefined ? [] : [{ name: 'login', request: `POST ${text}`, repeats }];
  }

  /** The requests of a change feed: for its token in a full sync, and for the changes in an incremental one. */
  #feed({ name, description }: PlannedStream): readonly ExplainedRequest[] {
    const { incremental: feed, one, document } = description;
    if (feed?.by !== 'feed') return [];
    if (this.#cursor === null) return [this.#request(`${name}, token of changes`, feed.start)];
    const scope = this.#scope({ values: { token: this.#cursor.tokens[name] } });
    const changes = this.#request(`${name}, changes`, feed.changes, { page: feed.page }, scope);
    if (feed.item !== undefined || one === undefined) return [changes];
    const assumed = { identity: unknownValue('identity'), key: unknownValue('key') };
    const repeats = document === undefined ? 'for each changed item' : 'for each changed document';
    return [changes, this.#request(`${name}, one`, one, { repeats }, this.#scope({}, assumed))];
  }

  /** The requests that list the items of a stream. */
  #listings(stream: PlannedStream): readonly ExplainedRequest[] {
    const { name, description, object } = stream;
    const { gone, page } = description;
    const cursor = this.#cursor;
    if (cursor === null || (object !== null && !isIncremental(this.#source, object.name)))
      return [
        ...this.#folders(stream),
        this.#listing(stream, undefined),
        ...this.#nested(stream, undefined),
      ];
    const isCounted = object !== null && description.count === undefined;
    const isDue = isCounted && isCountDue(object, cursor, this.#run.start);
    const counts = isDue ? [this.#listing(stream, undefined, object.name)] : [];
    if (description.incremental?.by === 'feed') return counts;
    const since = cursor.held[name] ?? cursor.start;
    const scope = this.#listingScope(stream, since);
    const deleted =
      gone === undefined
        ? []
        : [
            this.#request(
              `${name}, deleted`,
              mergeRequests(gone),
              { page: gone.page ?? page, ...this.#repeats(stream) },
              scope,
            ),
          ];
    return [
      ...counts,
      ...this.#folders(stream),
      this.#listing(stream, since),
      ...this.#nested(stream, since),
      ...deleted,
    ];
  }

  /** The requests for items inside items. */
  #nested(stream: PlannedStream, since: number | undefined): readonly ExplainedRequest[] {
    const { name, description } = stream;
    const { nested, page } = description;
    if (nested === undefined) return [];
    const request = mergeRequests(
      requestOf(stream, workOf(name, {}, since), this.#run),
      nested.send,
    );
    const { known, assumed } = this.#listingScope(stream, since);
    const values = { ...assumed.values, container: unknownValue('container') };
    const scope = { known, assumed: { ...assumed, values } };
    return [
      this.#request(
        `${name}, nested`,
        request,
        { page, repeats: 'for each item with items' },
        scope,
      ),
    ];
  }

  #listing(stream: PlannedStream, since: number | undefined, counts?: string): ExplainedRequest {
    const { name, description } = stream;
    const plain = workOf(name, {}, since);
    const work: Work = counts === undefined ? plain : { ...plain, counts };
    const extent = { page: description.page, ...this.#repeats(stream) };
    const next = this.#continued(stream, work);
    const request = mergeRequests(requestOf(stream, next, this.#run), partOf(next));
    const title = counts === undefined ? name : `${name}, count`;
    return this.#request(title, request, extent, this.#listingScope(stream, since));
  }

  /** An export continues with its token. */
  #continued({ name, description }: PlannedStream, work: Work): Work {
    const token = this.#cursor?.tokens[name];
    return work.since === undefined ? work : withToken(work, description, token);
  }

  #folders({ description }: PlannedStream): readonly ExplainedRequest[] {
    const { tree } = description.document ?? {};
    const folders = tree === undefined ? undefined : this.#source.plan.streams.get(tree.folders);
    if (tree === undefined || folders === undefined) return [];
    const listing = this.#listing(folders, undefined);
    return tree.top === undefined
      ? [listing]
      : [listing, this.#request(`${tree.folders}, top`, tree.top)];
  }

  /** The requests for documents, and for threads with changes. */
  #details(stream: PlannedStream): readonly ExplainedRequest[] {
    const { name, description } = stream;
    const { document, read, ofThread } = description;
    const isFull = this.#cursor === null;
    const scope = (assumed: Scope['values']): ExplainScope => this.#scope({}, assumed);
    const isRead = document !== undefined && read !== undefined && read.inItem !== true;
    const content = isRead
      ? this.#request(
          `${name}, content`,
          mergeRequests(read),
          { repeats: `for each ${isFull ? '' : 'changed '}document` },
          scope({}),
        )
      : undefined;
    const thread =
      ofThread !== undefined && !isFull
        ? this.#request(
            `${name}, thread`,
            mergeRequests(description, ofThread),
            { repeats: 'for each changed thread', page: description.page },
            scope({ thread: unknownValue('thread') }),
          )
        : undefined;
    return [content, thread].filter((request) => request !== undefined);
  }

  #lookups(): readonly ExplainedRequest[] {
    return Object.entries(this.#source.description.lookups ?? {}).map(([name, lookup]) => {
      const { items, key, batch } = lookup;
      const isList = items !== undefined && key !== undefined && batch === undefined;
      const each = batch === undefined ? 'for each id' : `for up to ${batch} ids each`;
      const repeats = isList ? 'if needed' : `${each}, if needed`;
      const given = { given: unknownValue('given') };
      const ids = { id: unknownValue('id'), ids: [unknownValue('ids')] };
      const scope = this.#scope({}, isList ? given : { ...given, ...ids });
      return this.#request(`${name}, look-up`, lookup, { repeats, page: lookup.page }, scope);
    });
  }

  #request(
    name: string,
    description: RequestDescription,
    { page, repeats }: Extent = {},
    scope = this.#scope(),
  ): ExplainedRequest {
    return {
      name,
      ...requestText(completeRequest(this.#source.description, description), this.#base, scope),
      ...(repeats === undefined ? {} : { repeats }),
      ...(page === undefined || page === 'none' ? {} : { paged: true }),
    };
  }

  #repeats({ description, object }: PlannedStream): Extent {
    const parent = description.for;
    if (parent === undefined) return {};
    const outer = this.#source.plan.streams.get(parent);
    const isOwn =
      object !== null &&
      (outer?.object === object ||
        (object.closure.has(parent) && outer?.description.incremental !== undefined));
    const isChanged = this.#cursor !== null && (description.moved !== undefined || isOwn);
    return { repeats: `for each ${isChanged ? 'changed item ' : ''}of ${parent}` };
  }

  /** Whether the sync requests a stream. It does not list streams of folders, or streams that a setting excludes. */
  #isMade({ name, description }: PlannedStream): boolean {
    const { plan } = this.#source;
    const isListed =
      plan.entryStreams.has(name) || plan.objects.some(({ closure }) => closure.has(name));
    const isRead = this.#cursor === null || isNeeded(this.#source, name) || this.#isReadAgain(name);
    return isListed && isRead && this.#mayApply(description.when);
  }

  /** Whether a stream belongs to an object that each sync reads as a whole. */
  #isReadAgain(name: string): boolean {
    return this.#source.plan.objects.some(
      (object) => object.closure.has(name) && !isIncremental(this.#source, object.name),
    );
  }

  /** Whether a condition may hold. One that holds for no item does not look at it. */
  #mayApply(when: PlannedStream['description']['when']): boolean {
    if (typeof when !== 'function') return true;
    let isUsed = false;
    const item = unknownValue('', () => (isUsed = true));
    const { assumed } = this.#scope();
    const lookup = (): Promise<unknown> => {
      isUsed = true;
      return Promise.resolve(item);
    };
    try {
      return isTruthy(when(item, { ...assumed, item, lookup })) || isUsed;
    } catch {
      return true;
    }
  }

  #listingScope(stream: PlannedStream, since: number | undefined): ExplainScope {
    const scope = listingScope(this.#source, stream, workOf(stream.name, {}, since), this.#run);
    const parents = Object.fromEntries(stream.ancestors.map((name) => [name, unknownValue(name)]));
    const item = stream.description.for === undefined ? undefined : unknownValue('');
    return this.#scope({ since: scope.since, values: scope.values }, {}, { item, parents });
  }

  /** `assumed`: values that only an answer has, by name. */
  #scope(
    known: Partial<Pick<Scope, 'since' | 'values'>> = {},
    assumed: Scope['values'] = {},
    items: Pick<Scope, 'item' | 'parents'> = { item: unknownValue(''), parents: {} },
  ): ExplainScope {
    const lookup = (): Promise<unknown> => Promise.resolve(undefined);
    const own = this.#source.scope(this.#run, known);
    const scope: Scope = { ...own, config: this.#config, item: undefined, parents: {}, lookup };
    return {
      known: scope,
      assumed: { ...scope, ...items, values: { ...scope.values, ...assumed } },
    };
  }
}

/** Returns the request of a page as a change of the first one. */
function partOf({ page }: Work): RequestDescription {
  const query = Object.entries(page?.values ?? {}).flatMap(([place, value]) =>
    place.startsWith('query.') ? [[place.slice('query.'.length), value]] : [],
  );
  return query.length === 0 ? {} : { query: Object.fromEntries(query) };
}
