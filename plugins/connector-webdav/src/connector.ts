import {
  describeError,
  isTroveError,
  TroveError,
  type BrowseEntry,
  type Connector,
  type Content,
  type Entry,
  type Health,
} from '@trove/core';
import { PathRules } from '@trove/text/ignore';
import { mediaTypeOf } from '@trove/text/media-types';

import { browseEntryOf, entryOf, joinPath, problemOf } from './entries.js';
import { describe } from './listing.js';
import type { DavListing } from './members.js';
import { isFilePath } from './paths.js';
import { DavServer, type WebdavContext } from './server.js';
import { DavWalk } from './walk.js';

/** Shorter than the engine's limit of ten seconds, because this error names the server. */
const checkTimeoutMs = 8000;
const maxProblemsShown = 5;

/** Creates a source of the files in a folder of a WebDAV server. */
export function createWebdavConnector(context: WebdavContext): Connector {
  const server = new DavServer(context);
  const rules = new PathRules(context.config.ignore);

  const describeAt = (path: string, depth: 0 | 1, signal: AbortSignal): Promise<DavListing> =>
    describe(server, pathOf(path), { depth }, signal);

  const walk = async function* (
    root: DavListing,
    warn: (sentence: string) => void,
    signal: AbortSignal,
  ): AsyncGenerator<Entry, void, undefined> {
    const skips = (path: string): boolean => rules.reason(path, true) !== null;
    const visits = new DavWalk(server, { skips, warn, signal });
    for await (const { path, member } of visits.members(root)) {
      if (rules.reason(path, false) === null)
        yield entryOf(path, member.resource, problemOf(member));
    }
    const { problems } = visits;
    if (problems.length === 0) return;
    const count = `${problems.length} folders could not be listed.`;
    const details = problems.slice(0, maxProblemsShown).join(' ');
    throw new TroveError('listing_incomplete', `${count} ${details}`);
  };

  return {
    async *list({ since, signal, warn = () => undefined }): AsyncGenerator<Entry, void, undefined> {
      const from = since === undefined ? -Infinity : Date.parse(since);
      const root = await describeAt('', 1, signal);
      const isFile = root.self !== null && !root.self.isCollection;
      if (isFile) {
        yield entryOf('', root.self);
        return;
      }
      for await (const entry of walk(root, warn, signal))
        if ((entry.modifiedAt ?? Infinity) >= from) yield entry;
    },

    async read(path, { range, signal }): Promise<Content> {
      const start = range?.start ?? 0;
      if (range?.end !== undefined && range.end <= start) return { bytes: new Uint8Array(), start };
      const result = await server.read(pathOf(path), range, signal);
      const { status, body, headers } = result.response;
      if (status === 416) {
        await body?.cancel();
        return { bytes: new Uint8Array(), start };
      }
      const stated = headers.get('content-type');
      const bytes = body ?? new Uint8Array();
      return { bytes, start: result.start, mediaType: statedType(path, stated) };
    },

    async *browse(path, { signal }): AsyncGenerator<BrowseEntry, void, undefined> {
      const { self, members } = await describeAt(path, 1, signal);
      if (self !== null && !self.isCollection) {
        const name = path === '' ? nameOf(server.url) : path.slice(path.lastIndexOf('/') + 1);
        yield browseEntryOf({ name, problem: null, resource: self }, rules.reason(path, false));
        return;
      }
      for (const member of members) {
        const below = joinPath(path, member.name);
        const { isCollection } = member.resource;
        yield browseEntryOf(member, problemOf(member) ?? rules.reason(below, isCollection));
      }
    },

    async stat(path, { signal }): Promise<Entry | null> {
      try {
        const { self } = await describeAt(path, 0, signal);
        if (self === null || self.isCollection) return null;
        return entryOf(path, self);
      } catch (error) {
        if (isTroveError(error) && error.code === 'not_found') return null;
        throw error;
      }
    },

    async check({ signal }): Promise<Health> {
      const timeout = AbortSignal.timeout(checkTimeoutMs);
      try {
        const { self, members } = await describeAt('', 1, AbortSignal.any([signal, timeout]));
        const isFile = self !== null && !self.isCollection;
        const isEmpty = members.length === 0;
        const detail = isFile
          ? `${server.url} can be read.`
          : `${server.url} can be listed${isEmpty ? ', but it is empty' : ''}.`;
        return { ok: true, detail };
      } catch (error) {
        signal.throwIfAborted();
        if (isTroveError(error)) return { ok: false, detail: describeError(error) };
        if (!timeout.aborted) throw error;
        const detail = `${server.url} did not answer within ${checkTimeoutMs / 1000} seconds. Check the address and the network.`;
        return { ok: false, detail };
      }
    },
  };
}

/** Throws `not_found` for a path that no file can have. */
function pathOf(path: string): string {
  if (isFilePath(path)) return path;
  throw new TroveError('not_found', `There is nothing at "${path.slice(0, 200)}".`);
}

/** Returns the media type of the server if the name gives none and the type is not a default. */
function statedType(path: string, type: string | null): string | null {
  const isExplicit = type !== null && !/^application\/octet-stream\b/.test(type);
  return isExplicit && mediaTypeOf(path) === null ? type : null;
}

function nameOf(url: string): string {
  const segment = url.slice(url.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
