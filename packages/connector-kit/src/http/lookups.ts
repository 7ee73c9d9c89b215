import { TroveError } from '@trove/core';

import type { Client } from './client.js';
import type { Lookup, Scope } from './description/index.js';
import { textOf, valueAt } from './json.js';
import { IdBatches } from './id-batches.js';
import { changePage, buildRequest } from './request.js';
import { evaluate } from './template.js';
import { firstPage, nextPage } from './paging.js';
import { SharedRequests } from './shared-requests.js';

/** The names of one look-up are requested again after this time. */
const maxAgeMs = 600_000;
const maxNames = 20_000;
/** The characters of all values of a look-up, as JSON. */
const maxChars = 16 * 1024 * 1024;
const maxPages = 1000;

/** The latest values of a look-up by id. */
class Names {
  readonly #values = new Map<string, { readonly value: unknown; readonly chars: number }>();
  #chars = 0;

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): unknown {
    return this.#values.get(key)?.value;
  }

  /** Drops the oldest values beyond the limits. */
  set(key: string, value: unknown): void {
    this.#delete(key);
    const chars = key.length + (JSON.stringify(value) ?? '').length;
    if (chars > maxChars) return;
    this.#values.set(key, { value, chars });
    this.#chars += chars;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= maxNames && this.#chars <= maxChars) return;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    this.#chars -= this.#values.get(key)?.chars ?? 0;
    this.#values.delete(key);
  }
}

/** The latest values of a look-up with certain placeholders. */
interface KnownNames {
  readonly names: Names;
  /** Joins the ids that are requested at the same time. Undefined: the look-up has no batches. */
  readonly batches: IdBatches | undefined;
}

/** A look-up with the values for its placeholders. */
interface LookupCall {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Values by id, such as the names of users. Calls share them until they are too old. */
export class Lookups {
  readonly #client: Client;
  readonly #lookups: Readonly<Record<string, Lookup>>;
  readonly #known = new SharedRequests<KnownNames>(maxAgeMs);
  /** Values of look-ups that each call requests again, by the signal of the call. */
  readonly #fresh = new WeakMap<AbortSignal, SharedRequests<KnownNames>>();
  /** Requests in progress, by call and id. */
  readonly #running = new SharedRequests<unknown>(0);

  constructor(client: Client, lookups: Readonly<Record<string, Lookup>>) {
    this.#client = client;
    this.#lookups = lookups;
  }

  /** Returns undefined for an unknown id. Throws for a look-up that is not described. */
  async find(
    { name, given }: LookupCall,
    id: unknown,
    scope: Scope,
    signal: AbortSignal,
  ): Promise<unknown> {
    const lookup = Object.hasOwn(this.#lookups, name) ? this.#lookups[name] : undefined;
    if (lookup === undefined)
      throw new TroveError('config_invalid', `The description has no look-up \`${name}\``);
    const key = textOf(id);
    if (key === undefined || key === '') return undefined;
    const own = { ...scope, values: { ...scope.values, given } };
    const call = JSON.stringify([name, given]);
    const { names, batches } = await this.#namesOf(call, lookup, own, signal);
    if (names.has(key) || isListing(lookup)) return names.get(key);
    const value = await this.#running.get(`${call}/${key}`, signal, () =>
      batches === undefined
        ? this.#request(lookup, key, own, signal)
        : batches.find(key, signal, (ids) => this.#requestBatch(lookup, ids, own, signal)),
    );
    names.set(key, value);
    return value;
  }

  #namesOf(call: string, lookup: Lookup, scope: Scope, signal: AbortSignal): Promise<KnownNames> {
    const kept = lookup.fresh === true ? this.#keptFor(signal) : this.#known;
    const { batch } = lookup;
    return kept.get(call, signal, async () => ({
      names: isListing(lookup) ? await this.#list(lookup, scope, signal) : new Names(),
      batches: batch === undefined ? undefined : new IdBatches(batch),
    }));
  }

  #keptFor(signal: AbortSignal): SharedRequests<KnownNames> {
    const kept = this.#fresh.get(signal) ?? new SharedRequests<KnownNames>(maxAgeMs);
    this.#fresh.set(signal, kept);
    return kept;
  }

  async #request(lookup: Lookup, id: string, scope: Scope, signal: AbortSignal): Promise<unknown> {
    const own = { ...scope, values: { ...scope.values, id } };
    const request = buildRequest(lookup, this.#client.base, own);
    const reply = await this.#client.send(request, own, signal, lookup.errors);
    return 'none' in reply ? undefined : evaluate(lookup.value, reply.answer.body, own);
  }

  async #requestBatch(
    lookup: Lookup,
    ids: readonly string[],
    scope: Scope,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, unknown>> {
    const own = { ...scope, values: { ...scope.values, ids } };
    const found = await this.#list(lookup, own, signal);
    return new Map(ids.map((id) => [id, found.get(id)]));
  }

  async #list(lookup: Lookup, scope: Scope, signal: AbortSignal): Promise<Names> {
    const names = new Names();
    const first = buildRequest(lookup, this.#client.base, scope);
    let change = firstPage(lookup.page);
    for (let pages = 0; pages < maxPages; pages++) {
      const reply = await this.#client.send(
        changePage(first, change),
        scope,
        signal,
        lookup.errors,
      );
      if ('none' in reply) return names;
      const found = valueAt(reply.answer.body, lookup.items ?? '.');
      const listed: readonly unknown[] = Array.isArray(found) ? found : [];
      for (const item of listed) {
        const key = textOf(valueAt(item, lookup.key ?? 'id'));
        if (key !== undefined) names.set(key, await evaluate(lookup.value, item, scope));
      }
      change = nextPage(lookup.page, reply.answer, listed, change);
      if (change === null) return names;
    }
    throw new TroveError(
      'connector_unhealthy',
      `A look-up has more than ${maxPages} pages: ${first.url.pathname}`,
    );
  }
}

/** Whether one listing has the names of all ids. */
function isListing({ items, batch }: Lookup): boolean {
  return items !== undefined && batch === undefined;
}
