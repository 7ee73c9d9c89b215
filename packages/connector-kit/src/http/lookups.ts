import { TroveError } from '@trove/core';

import type { Client } from './client.js';
import type { Lookup, Scope } from './description/index.js';
import { textOf, valueAt } from './json.js';
import { changePage, buildRequest } from './request.js';
import { evaluate } from './template.js';
import { firstPage, nextPage } from './paging.js';

/** The names of one look-up are requested again after this time. */
const maxAgeMs = 600_000;
const maxNames = 20_000;
const maxPages = 1000;

type Names = Map<string, unknown>;

/** Values by id, such as the names of users. Each is requested once per sync. */
export class Lookups {
  readonly #client: Client;
  readonly #lookups: Readonly<Record<string, Lookup>>;
  readonly #known = new Map<string, { readonly at: number; readonly names: Promise<Names> }>();
  /** Requests in progress, by look-up and id. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(client: Client, lookups: Readonly<Record<string, Lookup>>) {
    this.#client = client;
    this.#lookups = lookups;
  }

  /** Returns undefined for an unknown id. Throws for a look-up that is not described. */
  async find(name: string, id: unknown, scope: Scope, signal: AbortSignal): Promise<unknown> {
    const lookup = Object.hasOwn(this.#lookups, name) ? this.#lookups[name] : undefined;
    if (lookup === undefined)
      throw new TroveError('config_invalid', `The description has no look-up \`${name}\``);
    const key = textOf(id);
    if (key === undefined || key === '') return undefined;
    const names = await this.#namesOf(name, lookup, scope, signal);
    if (names.has(key) || lookup.items !== undefined) return names.get(key);
    const running = `${name}/${key}`;
    const found = this.#running.get(running) ?? this.#request(lookup, key, scope, signal);
    this.#running.set(running, found);
    try {
      remember(names, key, await found);
      return names.get(key);
    } finally {
      this.#running.delete(running);
    }
  }

  #namesOf(name: string, lookup: Lookup, scope: Scope, signal: AbortSignal): Promise<Names> {
    const known = this.#known.get(name);
    if (known !== undefined && Date.now() - known.at < maxAgeMs) return known.names;
    const names =
      lookup.items === undefined
        ? Promise.resolve<Names>(new Map())
        : this.#list(name, lookup, lookup.items, scope, signal);
    this.#known.set(name, { at: Date.now(), names });
    names.catch(() => this.#known.delete(name));
    return names;
  }

  async #request(lookup: Lookup, id: string, scope: Scope, signal: AbortSignal): Promise<unknown> {
    const own = { ...scope, values: { ...scope.values, id } };
    const request = buildRequest(lookup, this.#client.base, own);
    const reply = await this.#client.send(request, own, signal, lookup.errors);
    return 'none' in reply ? undefined : evaluate(lookup.value, reply.answer.body, own);
  }

  async #list(
    name: string,
    lookup: Lookup,
    items: string,
    scope: Scope,
    signal: AbortSignal,
  ): Promise<Names> {
    const names: Names = new Map();
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
      const found = valueAt(reply.answer.body, items);
      const listed: readonly unknown[] = Array.isArray(found) ? found : [];
      for (const item of listed) {
        const key = textOf(valueAt(item, lookup.key ?? 'id'));
        if (key !== undefined) remember(names, key, await evaluate(lookup.value, item, scope));
      }
      change = nextPage(lookup.page, reply.answer, listed, change);
      if (change === null) return names;
    }
    throw new TroveError(
      'connector_unhealthy',
      `The look-up \`${name}\` has more than ${maxPages} pages`,
    );
  }
}

/** Drops the oldest name beyond the maximum. */
function remember(names: Names, key: string, value: unknown): void {
  names.set(key, value);
  const [oldest] = names.keys();
  if (names.size > maxNames && oldest !== undefined) names.delete(oldest);
}
