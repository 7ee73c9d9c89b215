import {
  withoutCheckpoints,
  TroveError,
  type BrowseEntry,
  type Entry,
  type SourceRecord,
} from '@trove/core';

import { explanation, put, secret, type Mutation } from './connector-world.js';
import { calm, missing } from './connectors.js';

/** For each case about records, the tree, changes and health, a connector that fails only this case. */
export const otherMutants: Readonly<Record<string, Mutation>> = {
  'gives-exact-records': records((all) => all.reverse()),
  'record-keys-are-unique': {
    prepare: (world) => {
      const { source, subject } = world;
      const objects = subject.objects.map((object) => {
        if (!('records' in object)) return object;
        const [a, b, ...rest] = object.records;
        if (a === undefined || b === undefined) throw missing();
        return { path: object.path, records: [a, { ...b, key: a.key }, ...rest] };
      });
      for (const object of objects) if ('records' in object) put(source, object);
      return { ...world, subject: { ...subject, objects } };
    },
  },
  'finds-a-record-by-key': {
    connector: (good) => ({
      records: (path, { key: _, ...options }) => good.records?.(path, options) ?? never(),
    }),
  },
  'records-have-the-key-fields': {
    connector: (good) => ({
      async *list(request) {
        for await (const entry of withoutCheckpoints(good.list(request))) yield misnamed(entry);
      },
      async stat(path, options) {
        const entry = (await good.stat?.(path, options)) ?? null;
        return entry === null ? null : misnamed(entry);
      },
    }),
  },
  'records-from-a-place': {
    connector: (good) => ({
      records: (path, { offset: _, limit: __, ...options }) =>
        good.records?.(path, options) ?? never(),
    }),
  },
  'finds-a-thread': {
    connector: (good) => ({
      records: (path, { thread: _, ...options }) => good.records?.(path, options) ?? never(),
    }),
  },
  'gives-keys-only': {
    connector: (good) => ({
      async *records(path, options) {
        for await (const record of withoutCheckpoints(good.records?.(path, options) ?? []))
          if (options.keysOnly !== true || record.key['id'] !== 2) yield record;
      },
    }),
  },
  'records-of-missing-not-found': {
    connector: (good) => ({
      async *records(path, options) {
        if ((await good.stat?.(path, options)) === null) return;
        if (good.records !== undefined) yield* good.records(path, options);
      },
    }),
  },
  'abort-before-records': {
    connector: (good) => ({
      async *records(path, options) {
        if (good.records !== undefined) yield* good.records(path, { ...options, signal: calm() });
      },
    }),
  },
  'browse-reaches-everything': browsing((entries, path) => {
    return path === 'docs' ? entries.filter(({ type }) => type === 'file') : entries;
  }),
  'browse-shows-an-object': browsing((entries, path) => (path === 'README.md' ? [] : entries)),
  'browse-missing-not-found': {
    connector: (good) => ({
      async *browse(path, options) {
        if (path.includes('nothing')) return;
        if (good.browse !== undefined) yield* good.browse(path, options);
      },
    }),
  },
  'stat-equals-listing': {
    connector: (good) => ({
      async stat(path, options) {
        const entry = (await good.stat?.(path, options)) ?? null;
        return entry === null ? null : { ...entry, size: null };
      },
    }),
  },
  'stat-missing-is-null': {
    connector: (good) => ({
      async stat(path, options) {
        const entry = await good.stat?.(path, options);
        return entry ?? { path, size: null, modifiedAt: null, fingerprint: null };
      },
    }),
  },
  'first-changes-are-everything': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? []) {
          const isLast = 'entry' in change && change.entry.path === 'tables/users';
          if (request.cursor !== undefined || !isLast) yield change;
        }
      },
    }),
  },
  'cursor-can-be-stored': {
    connector: (good) => ({
      async *changes(request) {
        const cursor = request.cursor instanceof Date ? request.cursor.getTime() : undefined;
        const commit = (next: unknown): void => request.commit(new Date(Number(next)));
        yield* good.changes?.({ ...request, cursor, commit }) ?? [];
      },
    }),
  },
  'changes-lose-nothing': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? []) {
          if (!('removed' in change) || /^(tables|docs\/deep)\//.test(change.removed)) yield change;
        }
      },
    }),
  },
  'changes-start-over': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? []) {
          if (!('reset' in change)) yield change;
        }
      },
    }),
  },
  'changes-of-records-are-true': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? []) {
          yield 'records' in change ? { ...change, removedKeys: [{ id: 2 }] } : change;
        }
      },
    }),
  },
  'changes-count-records': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? [])
          yield 'records' in change ? { ...change, total: (change.total ?? 0) + 1 } : change;
      },
    }),
  },
  'changes-report-removed-records': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? []) {
          if (!('records' in change)) yield change;
          else yield { path: change.path, records: change.records, removedKeys: [] };
        }
      },
    }),
  },
  'complete-scopes-keep-records': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? [])
          yield 'records' in change ? { ...change, complete: 'object' } : change;
      },
    }),
  },
  'changes-report-late-messages': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? []) {
          if (!('records' in change)) yield change;
          else {
            const { path, removedKeys } = change;
            const alone = change.records.filter(({ thread }) => thread === undefined);
            yield { path, records: alone, removedKeys };
          }
        }
      },
    }),
  },
  'changes-follow-a-moved-folder': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? [])
          if (!('removed' in change) || !change.removed.startsWith('docs/deep/')) yield change;
      },
    }),
  },
  'changes-report-coupled': {
    connector: (good) => ({
      async *changes(request) {
        for await (const change of good.changes?.(request) ?? [])
          if (!('removed' in change) || change.removed !== 'tables/users.sql') yield change;
      },
    }),
  },
  'changes-report-no-false-removal': {
    connector: (good) => ({
      async *changes(request) {
        yield* good.changes?.(request) ?? [];
        if (request.cursor !== undefined) yield { removed: 'README.md' };
      },
    }),
  },
  'check-approves': {
    connector: (good) => ({
      async check(options) {
        const health = (await good.check?.(options)) ?? { ok: false, detail: '' };
        return health.ok ? { ok: true, detail: '' } : health;
      },
    }),
  },
  'check-disapproves': {
    connector: (good) => ({
      async check(options) {
        const health = await good.check?.(options);
        if (health?.ok !== true) throw new TroveError('connector_unhealthy', 'No.');
        return health;
      },
    }),
  },
  'explains-offline': {
    connector: (good) => ({
      async explain(options) {
        const health = await good.check?.(options);
        if (health?.ok !== true) throw new TroveError('connector_unhealthy', 'No.');
        return explanation;
      },
    }),
  },
  'unreachable-is-not-empty': {
    connector: (good) => ({
      async *list(request) {
        request.signal.throwIfAborted();
        const health = await good.check?.(request);
        if (health?.ok === true) yield* good.list(request);
      },
    }),
  },
  'keeps-secrets': {
    connector: (good) => ({
      async check(options) {
        const health = (await good.check?.(options)) ?? { ok: false, detail: '' };
        return health.ok ? health : { ok: false, detail: `${secret} was refused.` };
      },
    }),
  },
};

function misnamed(entry: Entry): Entry {
  return entry.keyFields === undefined ? entry : { ...entry, keyFields: ['number'] };
}

async function* never(): AsyncGenerator<never> {
  throw missing();
}

function records(change: (all: SourceRecord[]) => SourceRecord[]): Mutation {
  return {
    connector: (good) => ({
      async *records(path, options) {
        const all: SourceRecord[] = [];
        for await (const record of withoutCheckpoints(good.records?.(path, options) ?? []))
          all.push(record);
        yield* change(all);
      },
    }),
  };
}

function browsing(change: (entries: BrowseEntry[], path: string) => BrowseEntry[]): Mutation {
  return {
    connector: (good) => ({
      async *browse(path, options) {
        const entries: BrowseEntry[] = [];
        for await (const entry of good.browse?.(path, options) ?? []) entries.push(entry);
        yield* change(entries, path);
      },
    }),
  };
}
