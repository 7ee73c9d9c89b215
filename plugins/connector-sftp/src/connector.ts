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
import type { FileEntryWithStats } from 'ssh2';

import { SftpConnection } from './connection.js';
import {
  browseEntryOf,
  entryOf,
  joinPath,
  linkProblem,
  nameProblem,
  typeOf,
  type RemoteAttributes,
} from './entries.js';
import { locationOf, type SftpContext } from './location.js';
import { RemoteFiles } from './remote-files.js';
import { RemoteWalk } from './walk.js';

/** Shorter than the engine's limit of ten seconds, because this error names the server. */
const checkTimeoutMs = 8000;
const maxProblemsShown = 5;

/** Creates a source of the files in a folder of another machine. */
export function createSftpConnector(context: SftpContext): Connector {
  const location = locationOf(context);
  const connection = new SftpConnection(location, context);
  const files = new RemoteFiles(connection);
  const rules = new PathRules(context.config.ignore);

  /** Describes a member of a folder. A link is described like its target. */
  const describeMember = async (
    path: string,
    { filename, attrs }: FileEntryWithStats,
    signal: AbortSignal,
  ): Promise<BrowseEntry> => {
    const member = joinPath(path, filename);
    const problem = nameProblem(filename);
    let attributes: RemoteAttributes = attrs;
    let skip = problem;
    if (typeOf(attrs) === 'link' && problem === null) {
      try {
        attributes = await files.stat(member, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!isTroveError(error) || error.retryable) throw error;
        skip = linkProblem(error.code);
      }
    }
    return browseEntryOf(
      filename,
      attributes,
      skip ?? rules.reason(member, typeOf(attributes) === 'dir'),
    );
  };

  return {
    async *list({ since, signal, warn = () => undefined }): AsyncGenerator<Entry, void, undefined> {
      const from = since === undefined ? -Infinity : Date.parse(since);
      const root = await files.stat('', signal);
      if (typeOf(root) === 'file') {
        yield entryOf('', root);
        return;
      }
      const walk = new RemoteWalk(files, { rules, warn, signal });
      for await (const entry of walk.entries())
        if ((entry.modifiedAt ?? Infinity) >= from) yield entry;
      const { problems } = walk;
      if (problems.length === 0) return;
      const count = `${problems.length} folders could not be listed.`;
      const details = problems.slice(0, maxProblemsShown).join(' ');
      throw new TroveError('listing_incomplete', `${count} ${details}`);
    },

    async read(path, { range = { start: 0 }, signal }): Promise<Content> {
      const attributes = await files.stat(path, signal);
      if (typeOf(attributes) !== 'file')
        throw new TroveError('not_found', `There is no file at "${path.slice(0, 200)}".`);
      return { bytes: files.read(path, range, signal), start: range.start, transferable: true };
    },

    async *browse(path, { signal }): AsyncGenerator<BrowseEntry, void, undefined> {
      const attributes = await files.stat(path, signal);
      if (typeOf(attributes) !== 'dir') {
        const name = (path === '' ? location.path : path).split('/').at(-1) ?? '';
        yield browseEntryOf(name, attributes, rules.reason(path, false));
        return;
      }
      for await (const batch of files.members(path, signal))
        for (const member of batch) yield describeMember(path, member, signal);
    },

    async stat(path, { signal }): Promise<Entry | null> {
      try {
        const attributes = await files.stat(path, signal);
        return typeOf(attributes) === 'file' ? entryOf(path, attributes) : null;
      } catch (error) {
        if (isTroveError(error) && error.code === 'not_found') return null;
        throw error;
      }
    },

    async check({ signal }): Promise<Health> {
      const timeout = AbortSignal.timeout(checkTimeoutMs);
      try {
        const stop = AbortSignal.any([signal, timeout]);
        const isFolder = typeOf(await files.stat('', stop)) === 'dir';
        const root = await files.root(stop);
        const detail = `${root} on ${location.host} can be ${isFolder ? 'listed' : 'read'}.`;
        return { ok: true, detail };
      } catch (error) {
        signal.throwIfAborted();
        if (isTroveError(error)) return { ok: false, detail: describeError(error) };
        if (!timeout.aborted) throw error;
        const detail = `${location.host} did not answer within ${checkTimeoutMs / 1000} seconds. Check the address and the network.`;
        return { ok: false, detail };
      }
    },

    close: () => connection.close(),
  };
}
