import type { Connector, ConnectorPlugin, SyncExplanation } from '@trove/core';

import {
  MemorySource,
  memoryConnector,
  type ConnectorSubject,
  type KnownObject,
} from '../../src/index.js';

export const secret = 'canary-token-4711';
const token = 'the right token';
const encoder = new TextEncoder();
/** The paths of a table: its rows and its SQL. */
const table = ['tables/users', 'tables/users.sql'];

/** A source with everything that the suite checks, and the subject that describes it. */
export interface World {
  readonly source: MemorySource;
  readonly empty: MemorySource;
  readonly subject: ConnectorSubject;
}

/** The differences of a mutant from the memory connector. */
export interface Mutation {
  /** Changes the source or the subject's description. */
  readonly prepare?: (world: World) => World;
  readonly plugin?: (good: ConnectorPlugin) => ConnectorPlugin;
  readonly connector?: (good: Connector, world: World) => Partial<Connector>;
  readonly omit?: readonly (keyof Connector)[];
}

const objects: KnownObject[] = [
  text('README.md', '# Read me\nA line that two texts share\nshout, twice\n\nthe end\n'),
  text('docs/a b#1 100%.md', 'first\n\n- second, .* here\nA line that two texts share\nlast'),
  text('docs/deep/😀.ts', 'export const x = 1;\r\nconst y = 2;\r\n'),
  { path: 'data/blob.bin', bytes: Uint8Array.from([0, 1, 2, 255, 254, 10]) },
  {
    path: 'tables/users',
    records: [
      { key: { id: 1 }, fields: { name: 'Ada' } },
      { key: { id: 2 }, fields: { name: 'Ben' } },
      { key: { id: 3 }, fields: { name: 'Cem' } },
    ],
  },
  text('tables/users.sql', 'create table users'),
  {
    path: 'chats/crew',
    records: [
      { key: { ts: '1' }, fields: {}, text: 'Who has the key?', author: 'Ada', thread: 'key' },
      { key: { ts: '2' }, fields: {}, text: 'Lunch', author: 'Ben' },
      { key: { ts: '3' }, fields: {}, text: 'Cem has it.', author: 'Ben', thread: 'key' },
    ],
  },
];

function text(path: string, content: string): KnownObject {
  return { path, bytes: encoder.encode(content) };
}

export function makeWorld(mutation: Mutation = {}): World {
  const source = new MemorySource();
  const empty = new MemorySource();
  for (const each of [source, empty]) each.token = token;
  for (const object of objects) put(source, object);
  const plain: World = { source, empty, subject: subjectOf(source, memoryConnector(source)) };
  const world = mutation.prepare?.(plain) ?? plain;
  return { ...world, subject: { ...world.subject, plugin: pluginOf(world, mutation) } };
}

/** Stores an object. The write time of one object is unknown. */
export function put(source: MemorySource, object: KnownObject): void {
  const options = object.path.endsWith('.ts') ? { modifiedAt: null } : {};
  source.set(object.path, 'bytes' in object ? object.bytes : object.records, options);
}

function subjectOf(source: MemorySource, plugin: ConnectorPlugin): ConnectorSubject {
  return {
    plugin,
    target: 'memory://local/world',
    config: { token, refresh_token: source.refreshToken },
    refused: [{ token: 4711 }, { tokn: token }],
    objects,
    absent: 'docs/nothing here.md',
    change: async (path) => source.set(path, `another content of ${path}\n`.repeat(3)),
    coupled: [table],
    checkpoints: true,
    remove: async (path) => {
      for (const each of table.includes(path) ? table : [path]) source.remove(each);
    },
    changeRecords: async (path) => {
      source.putRecord(path, { key: { id: 2 }, fields: { name: 'Bea' } });
      source.putRecord(path, { key: { id: 4 }, fields: { name: 'Dan' } });
      source.removeRecord(path, { id: 1 });
    },
    addReply: async (path) => {
      source.putRecord(path, { key: { ts: '4' }, fields: {}, text: 'Thanks!', thread: 'key' });
    },
    moveFolder: async () => source.rename('docs/deep/😀.ts', 'docs/moved/😀.ts'),
    expireCursors: async () => source.expireCursors(),
    replaceCredential: async () => {
      source.token = 'another token';
      return { token: source.token };
    },
    expireAccess: async () => source.expireAccess(),
    emptyTarget: 'memory://local/empty',
    unreachable: { config: { token: secret } },
    secret,
  };
}

/** Returns the memory connector with the members of the mutation. */
function pluginOf(world: World, mutation: Mutation): ConnectorPlugin {
  const inner = memoryConnector(world.source, { incremental: true, checkpoints: true });
  const ofEmpty = memoryConnector(world.empty, { incremental: true, checkpoints: true });
  const plugin: ConnectorPlugin = {
    ...inner,
    async create(context) {
      const config = Object(context.config);
      const isEmpty = context.target.endsWith('/empty');
      const good = await (isEmpty ? ofEmpty : inner).create({ ...context, config });
      const connector = { ...bound(good), ...mutation.connector?.(good, world) };
      for (const name of mutation.omit ?? []) Reflect.deleteProperty(connector, name);
      return connector;
    },
  };
  return mutation.plugin?.(plugin) ?? plugin;
}

/** What a source would say that sends requests. The memory source sends none. */
export const explanation: SyncExplanation = {
  incremental: false,
  requests: [{ name: 'objects', request: 'GET memory://local/world' }],
};

/** Returns the methods of a connector as members of a plain object, and an explanation. */
function bound(good: Connector): Connector {
  return {
    list: (request) => good.list(request),
    close: async () => {},
    explain: async () => explanation,
    ...(good.read && { read: good.read.bind(good) }),
    ...(good.records && { records: good.records.bind(good) }),
    ...(good.changes && { changes: good.changes.bind(good) }),
    ...(good.browse && { browse: good.browse.bind(good) }),
    ...(good.stat && { stat: good.stat.bind(good) }),
    ...(good.grep && { grep: good.grep.bind(good) }),
    ...(good.watch && { watch: good.watch.bind(good) }),
    ...(good.check && { check: good.check.bind(good) }),
  };
}
