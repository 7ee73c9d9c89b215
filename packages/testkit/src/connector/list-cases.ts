import {
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
    'lists-what-is-there',
    'lists each known object, and nothing else to be indexed',
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
    'lists paths that come back unchanged from a URI',
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
    'gives sizes in bytes, times in milliseconds, known kinds and texts where they belong',
    [],
    async (connector) => {
      const entries = await collect(connector.list({ signal: neverAborted() }));
      for (const entry of entries) expectWellFormed(entry);
    },
  ),
  connectorCase(
    'identities-are-unique',
    'gives no identity to two objects',
    [],
    async (connector) => {
      const entries = await collect(connector.list({ signal: neverAborted() }));
      const identities = entries.flatMap(({ identity }) => identity ?? []);
      expectEqual(repeated(identities), [], 'identities of more than one object');
    },
  ),
  connectorCase(
    'listing-repeats',
    'lists the same twice when nothing changed, from another connector too',
    [],
    async (connector, subject) => {
      const once = fingerprints(await listing(connector));
      expectEqual(fingerprints(await listing(connector)), once, 'second listing');
      const other = await withConnector(subject, listing);
      expectEqual(fingerprints(other), once, 'listing of another connector');
    },
  ),
  connectorCase('listings-do-not-mix', 'serves two listings at once', [], async (connector) => {
    const alone = await paths(connector);
    const both = await Promise.all([paths(connector), paths(connector)]);
    expectEqual(both, [alone, alone], 'paths of two listings at once');
  }),
  connectorCase(
    'listing-can-be-left',
    'lists anew after a listing that was left half-way',
    [],
    async (connector) => {
      const before = await paths(connector);
      for await (const entry of connector.list({ signal: neverAborted() })) {
        expect(before.includes(entry.path), `"${entry.path}" was not listed before`);
        break;
      }
      expectEqual(await paths(connector), before, 'paths after a listing that was left');
    },
  ),
  connectorCase(
    'abort-before-listing',
    'lists nothing once the signal is aborted',
    [],
    async (connector) => {
      const list = connector.list({ signal: AbortSignal.abort() });
      await withTimeout(
        expectRejection(collect(list), 'listing with an aborted signal'),
        'abort',
        abortMs,
      );
    },
  ),
  connectorCase(
    'abort-while-listing',
    'ends a listing with an error when the signal aborts half-way',
    [],
    async (connector) => {
      // Of a single object, there is nothing half-way.
      if ((await paths(connector)).length < 2) return;
      const aborter = new AbortController();
      const abortAtFirst = async (): Promise<void> => {
        for await (const entry of connector.list({ signal: aborter.signal })) {
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
    'lists nothing that it knows to be older than `since`, and everything since long ago',
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
    'lists what it knows no time of, whatever `since` says',
    ['since'],
    async (connector) => {
      const untimed = untimedPaths(await entriesSince(connector));
      const late = untimedPaths(await entriesSince(connector, tomorrow()));
      expectEqual(late, untimed, 'paths without a time, since tomorrow');
    },
  ),
  connectorCase(
    'lists-what-is-named',
    'lists what is at the paths that are asked for, or below them, as it lists everything',
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
    'gives a changed object another fingerprint, or none',
    ['change'],
    async (connector, subject) => {
      const { path } = first(subject.objects, 'object');
      const before = (await listing(connector)).get(path);
      await subject.change?.(path);
      const after = (await listing(connector)).get(path);
      expect(after !== undefined, `${path}: is not listed after it was changed`);
      const isTold = after.fingerprint === null || after.fingerprint !== before?.fingerprint;
      expect(isTold, `${path}: was changed, but has the fingerprint that it had`);
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
    'removal-takes-what-is-coupled',
    'lists nothing any more of what goes with a removed object',
    ['remove', 'coupled'],
    async (connector, subject) => {
      for (const group of subject.coupled ?? []) {
        const before = await paths(connector);
        const missing = group.filter((path) => !before.includes(path));
        expectEqual(missing, [], 'paths of `coupled` that are not listed');
        await subject.remove?.(first(group, 'path in a list of `coupled`'));
        const left = (await paths(connector)).filter((listed) => group.includes(listed));
        expectEqual(left, [], 'paths that are listed still');
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
    `${path}: fingerprint must be a text that is not empty, or null`,
  );
  expect(kind === undefined || objectKinds.includes(kind), `${path}: kind is none of the known`);
  expect(skip === undefined || skip.trim() !== '', `${path}: skip must say why`);
  expect(title === undefined || title.trim() !== '', `${path}: title must not be blank`);
}

/** The paths of a listing, sorted, duplicates included. */
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
