import { createHash } from 'node:crypto';
import { isTroveError, messageOf } from '@trove/core';

import { joinPath } from './entries.js';
import { describe } from './listing.js';
import type { DavListing, DavMember } from './members.js';
import type { DavServer } from './server.js';

const maxConcurrent = 4;
const maxDepth = 100;
/**
 * Equal listings in a row that prove a link back to a parent. Folders without files may have equal names and times by chance,
 * for example after the extraction of an archive.
 */
const repeatsOfLoop = { withFiles: 1, withoutFiles: 3 };
/** The user can never read these collections. */
const refusals = new Set(['path_not_allowed', 'not_found']);

export interface DavWalkOptions {
  /** Returns whether to leave out a collection. */
  readonly skips: (path: string) => boolean;
  readonly warn: (sentence: string) => void;
  readonly signal: AbortSignal;
}

export interface WalkedMember {
  readonly path: string;
  readonly member: DavMember;
}

interface Collection {
  readonly path: string;
  readonly depth: number;
  /** The collections above this one, with the digests of their listings. */
  readonly ancestors: readonly ListedCollection[];
}

interface ListedCollection {
  readonly path: string;
  readonly digest: string | null;
}

interface PendingListing {
  readonly collection: Collection;
  readonly listing: Promise<DavListing>;
}

/**
 * Visits all collections below a listed one, one request for each, because many servers refuse to list everything at once.
 * Yields the members that are no collections.
 */
export class DavWalk {
  /** Sentences about collections that could not be listed. */
  readonly problems: string[] = [];
  readonly #server: DavServer;
  readonly #options: DavWalkOptions;
  readonly #waiting: Collection[] = [];

  constructor(server: DavServer, options: DavWalkOptions) {
    this.#server = server;
    this.#options = options;
  }

  async *members(root: DavListing): AsyncGenerator<WalkedMember, void, undefined> {
    const cancel = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, cancel.signal]);
    const pending: PendingListing[] = [];
    try {
      yield* this.#visit({ path: '', depth: 0, ancestors: [] }, root);
      for (;;) {
        while (pending.length < maxConcurrent) {
          const collection = this.#waiting.shift();
          if (collection === undefined) break;
          const listing = this.#list(collection.path, signal);
          // It is awaited in its turn, or never if the walk ends early.
          listing.catch(() => undefined);
          pending.push({ collection, listing });
        }
        const next = pending.shift();
        if (next === undefined) return;
        const listing = await this.#settled(next);
        if (listing !== null) yield* this.#visit(next.collection, listing);
      }
    } finally {
      cancel.abort();
    }
  }

  #list(path: string, signal: AbortSignal): Promise<DavListing> {
    const options = { depth: 1, isCollection: true } as const;
    return describe(this.#server, path, options, signal);
  }

  /** Returns null for a collection that cannot be listed. */
  async #settled({ collection: { path }, listing }: PendingListing): Promise<DavListing | null> {
    try {
      return await listing;
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (!isTroveError(error) || error.code === 'rate_limited') throw error;
      if (!refusals.has(error.code)) this.problems.push(`"${path}": ${messageOf(error)}`);
      // A missing collection was deleted during the walk.
      else if (error.code === 'path_not_allowed')
        this.#options.warn(`The user may not list "${path}". It is left out.`);
      return null;
    }
  }

  *#visit(collection: Collection, listing: DavListing): Generator<WalkedMember, void, undefined> {
    const { path, depth, ancestors } = collection;
    const { skips, warn, signal } = this.#options;
    const digest = digestOf(listing);
    const equal = ancestors.filter((ancestor) => digest !== null && ancestor.digest === digest);
    const [same] = equal;
    const hasFiles = listing.members.some(({ resource }) => !resource.isCollection);
    const repeats = hasFiles ? repeatsOfLoop.withFiles : repeatsOfLoop.withoutFiles;
    if (same !== undefined && equal.length >= repeats) {
      warn(`"${path}" leads back to "${same.path === '' ? '/' : same.path}". It is left out.`);
      return;
    }
    const inside = [...ancestors, { path, digest }];
    for (const member of listing.members) {
      const memberPath = joinPath(path, member.name);
      const { isCollection, failure } = member.resource;
      const isListable = isCollection && failure === null && member.problem === null;
      // What is below it is still there.
      if (failure !== null && isTransient(failure))
        this.problems.push(`"${memberPath}": the server could not describe it (HTTP ${failure})`);
      else if (!isListable) yield { path: memberPath, member };
      else if (depth >= maxDepth) warn(`"${memberPath}" is more than ${maxDepth} folders deep.`);
      else if (!skips(memberPath))
        this.#waiting.push({ path: memberPath, depth: depth + 1, ancestors: inside });
      signal.throwIfAborted();
    }
  }
}

function isTransient(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}

/**
 * Returns a digest of a listing: a collection with the listing of one of its parents is that parent again, by a link on the
 * server. Null for a listing without collections, which cannot lead back.
 */
function digestOf({ members }: DavListing): string | null {
  if (!members.some(({ resource: { isCollection } }) => isCollection)) return null;
  const facts = members.map(({ name, resource: { isCollection, size, modifiedAt, etag } }) =>
    JSON.stringify([name, isCollection, size, modifiedAt, etag]),
  );
  return createHash('sha256').update(facts.sort().join('\n')).digest('base64');
}
