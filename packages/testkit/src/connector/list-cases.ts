import {
  withoutCheckpoints,
  joinUri,
  objectKinds,
  parseUri,
  relativePath,
  type Connector,
  type Entry,
} from '@trove/core';

import { expect, expectEqual, expectRejection } from '../expect.js';
import { connectorCase, withTimeout } from './connector-case.js';
import { coupledPaths, first } from './contents.js';
import { neverAborted, collect, listing, withConnector } from './open.js';
import type { ConnectorSubject } from './subject.js';

const earliestTime = Date.UTC(1971, 0, 1);
const abortMs = 10_000;

/** Requirements on every listing. */
export const listCases = [
  connectorCase(
    'lists-known-objects',
    'lists each known object and no other indexable one',
    [],
    async (connector, subject) => {
      const listed = await listing(connector);
      expectEqual([...listed.keys()].sort(), knownPaths(subject), 'listed paths');
    },
  ),
  connectorCase('lists-each-path-once', 'lists no path twice', [], async (connector) => {
    expectEqual(repeated(await paths(connector)), [], 'paths listed more than once');
  }),
  connectorCase(
    'paths-are-addresses',
    'lists paths that survive conversion to a URI and back',
    [],
    async (connector, { target }) => {
      for (const { path } of await collect(connector.list({ signal: neverAborted() }))) {
        const uri = joinUri(target, path);
        expectEqual(relativePath(target, uri), path, `path of ${uri}`);
        const root = parseUri(target).path;
        expectEqual(parseUri(uri).path, path === '' ? root : `${root}/${path}`, `path of ${uri}`);
      }
    },
  ),
  connectorCase(
    'entries-are-well-formed',
    'lists valid sizes in bytes, times in milliseconds, kinds and texts',
    [],
    async (connector) => {
      const entries = await collect(connector.list({ signal: neverAborted() }));
      for (const entry of entries) expectWellFormed(entry);
    },
  ),
  connectorCase(
    'identities-are-unique',
    'assigns no identity to two objects',
    [],
    async (connector) => {
      const entries = await collect(connector.list({ signal: neverAborted() }));
      const identities = entries.flatMap(({ identity }) => identity ?? []);
      expectEqual(repeated(identities), [], 'identities of more than one object');
    },
  ),
  connectorCase(
    'listing-repeats',
    'lists the same objects again, also from another connector',
    [],
    async (connector, subject) => {
      const once = fingerprints(await listing(connector));
      expectEqual(fingerprints(await listing(connector)), once, 'second listing');
      const other = await withConnector(subject, listing);
      expectEqual(fingerprints(other), once, 'listing of another connector');
    },
  ),
  connectorCase('listings-do-not-mix', 'serves two concurrent listings', [], async (connector) => {
    const alone = await paths(connector);
    const both = await Promise.all([paths(connector), paths(connector)]);
    expectEqual(both, [alone, alone], 'paths of two concurrent listings');
  }),
  connectorCase(
    'listing-can-be-left',
    'lists again after an abandoned listing',
    [],
    async (connector) => {
      const before = await paths(connector);
      for await (const entry of withoutCheckpoints(connector.list({ signal: neverAborted() }))) {
        expect(before.includes(entry.path), `"${entry.path}" was not listed before`);
        break;
      }
      expectEqual(await paths(connector), before, 'paths after an abandoned listing');
    },
  ),
  connectorCase('abort-before-listing', 'lists nothing after an abort', [], async (connector) => {
    const list = connector.list({ signal: AbortSignal.abort() });
    await withTimeout(
      expectRejection(collect(list), 'listing with an aborted signal'),
      'abort',
      abortMs,
    );
  }),
  connectorCase(
    'abort-while-listing',
    'ends a listing with an error when it is aborted half-way',
    [],
    async (connector) => {
      // A single object has no half-way point.
      if ((await paths(connector)).length < 2) return;
      const aborter = new AbortController();
      const abortAtFirst = async (): Promise<void> => {
        for await (const entry of withoutCheckpoints(connector.list({ signal: aborter.signal }))) {
          aborter.abort(new Error(`stop after ${entry.path}`));
        }
      };
      await withTimeout(
        expectRejection(abortAtFirst(), 'a listing aborted half-way'),
        'abort',
        abortMs,
      );
    },
  ),
  connectorCase(
    'empty-source-is-empty',
    'lists nothing for an empty source',
    ['emptyTarget'],
    async (_, subject) => {
      const target = subject.emptyTarget ?? '';
      const listed = await withConnector(subject, listing, { target });
      expectEqual([...listed.keys()], [], 'paths of an empty source');
    },
  ),
  connectorCase(
    'since-is-honoured',
    'skips only objects that are certainly older than `since`',
    ['since'],
    async (connector) => {
      const all = await entriesSince(connector);
      const timed = timedPaths(all);
      expectEqual(
        timedPaths(await entriesSince(connector, earliestTime)),
        timed,
        'paths since 1971',
      );
      expectEqual(
        timedPaths(await entriesSince(connector, tomorrow())),
        [],
        'paths since tomorrow',
      );
    },
  ),
  connectorCase(
    'since-keeps-unknown-times',
    'lists objects without a time regardless of `since`',
    ['since'],
    async (connector) => {
      const untimed = untimedPaths(await entriesSince(connector));
      const late = untimedPaths(await entriesSince(connector, tomorrow()));
      expectEqual(late, untimed, 'paths without a time, since tomorrow');
    },
  ),
  connectorCase(
    'lists-given-paths',
    'lists the objects at or below the given paths like a full listing',
    ['paths'],
    async (connector, { absent }) => {
      const all = await collect(connector.list({ signal: neverAborted() }));
      const folders = all.map(({ path }) => path.split('/').slice(0, -1).join('/'));
      for (const path of new Set([...all.map((entry) => entry.path), ...folders])) {
        const isNamed = (entry: Entry): boolean =>
          path === '' || entry.path === path || entry.path.startsWith(`${path}/`);
        const named = await collect(connector.list({ signal: neverAborted(), paths: [path] }));
        expectEqual(inOrder(named), inOrder(all.filter(isNamed)), `entries at "${path}"`);
      }
      const files = all.slice(0, 2).map(({ path }) => path);
      const some = await collect(
        connector.list({ signal: neverAborted(), paths: [...files, absent] }),
      );
      expectEqual(inOrder(some), inOrder(all.slice(0, 2)), 'entries at several paths');
    },
  ),
  connectorCase(
    'change-shows',
    'changes the fingerprint of a changed object, or has none',
    ['change'],
    async (connector, subject) => {
      const { path } = first(subject.objects, 'object');
      const before = (await listing(connector)).get(path);
      await subject.change?.(path);
      const after = (await listing(connector)).get(path);
      expect(after !== undefined, `${path}: is not listed after the change`);
      const isTold = after.fingerprint === null || after.fingerprint !== before?.fingerprint;
      expect(isTold, `${path}: keeps its fingerprint after the change`);
    },
  ),
  connectorCase(
    'removal-shows',
    'lists a removed object no more, and the others still',
    ['remove'],
    async (connector, subject) => {
      const { path } = first(subject.objects, 'object');
      const before = await paths(connector);
      await subject.remove?.(path);
      const gone = coupledPaths(subject, path);
      const others = (all: readonly string[]): string[] =>
        all.filter((listed) => listed === path || !gone.includes(listed));
      const left = others(before).filter((listed) => listed !== path);
      expectEqual(others(await paths(connector)), left, 'paths after a removal');
    },
  ),
  connectorCase(
    'removal-includes-coupled',
    'no longer lists objects coupled with a removed one',
    ['remove', 'coupled'],
    async (connector, subject) => {
      for (const group of subject.coupled ?? []) {
        const before = await paths(connector);
        const missing = group.filter((path) => !before.includes(path));
        expectEqual(missing, [], 'paths of `coupled` that are not listed');
        await subject.remove?.(first(group, 'path in a list of `coupled`'));
        const left = (await paths(connector)).filter((listed) => group.includes(listed));
        expectEqual(left, [], 'paths that are still listed');
      }
    },
  ),
];

function expectWellFormed(entry: Entry): void {
  const { path, size, modifiedAt, fingerprint, kind, skip, title } = entry;
  expect(
    size === null || (Number.isSafeInteger(size) && size >= 0),
    `${path}: size must be a number of bytes, or null`,
  );
  const latest = Date.now() + 48 * 3600 * 1000;
  expect(
    modifiedAt === null || (modifiedAt > earliestTime && modifiedAt < latest),
    `${path}: modifiedAt must be milliseconds since 1970, or null`,
  );
  expect(
    fingerprint === null || (typeof fingerprint === 'string' && fingerprint !== ''),
    `${path}: fingerprint must be a non-empty text, or null`,
  );
  expect(kind === undefined || objectKinds.includes(kind), `${path}: kind is unknown`);
  expect(skip === undefined || skip.trim() !== '', `${path}: skip must give the reason`);
  expect(title === undefined || title.trim() !== '', `${path}: title must not be blank`);
}

/** Returns the paths of a listing, sorted, with duplicates. */
async function paths(connector: Connector): Promise<string[]> {
  return (await entriesSince(connector)).map(({ path }) => path).sort();
}

async function entriesSince(connector: Connector, since?: number): Promise<Entry[]> {
  const from = since === undefined ? {} : { since: new Date(since).toISOString() };
  return collect(connector.list({ signal: neverAborted(), ...from }));
}

function timedPaths(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ path, modifiedAt }) => (modifiedAt === null ? [] : [path])).sort();
}

function untimedPaths(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ path, modifiedAt }) => (modifiedAt === null ? [path] : [])).sort();
}

function tomorrow(): number {
  return Date.now() + 24 * 3600 * 1000;
}

function knownPaths({ objects }: ConnectorSubject): string[] {
  return objects.map(({ path }) => path).sort();
}

function fingerprints(entries: ReadonlyMap<string, Entry>): [string, string | null][] {
  const pairs = [...entries].map(([path, { fingerprint }]): [string, string | null] => [
    path,
    fingerprint,
  ]);
  return pairs.sort(([a], [b]) => (a < b ? -1 : 1));
}

function inOrder(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function repeated(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}
