import {
  withoutCheckpoints,
  TroveError,
  type Connector,
  type Entry,
  type JsonSchema,
} from '@trove/core';

import { makeWorld, put, type Mutation } from './connector-world.js';

type Read = NonNullable<Connector['read']>;

const description = 'What the source asks for.';
const tokenSchema: JsonSchema = { type: 'string', description };

/** For each case about the plugin, its listing and reading, a connector that fails only this case. */
export const listAndReadMutants: Readonly<Record<string, Mutation>> = {
  'plugin-declares-itself': { plugin: (good) => ({ ...good, keys: [...good.keys, 'Memory'] }) },
  'schema-explains-itself': ofToken({ type: 'string', writeOnly: true }),
  'schema-leaves-common-keys': {
    plugin: (good) => ({
      ...good,
      configSchema: {
        ...good.configSchema,
        properties: { ...good.configSchema.properties, every: { type: 'string', description } },
      },
    }),
  },
  'schema-takes-its-defaults': ofToken({ ...tokenSchema, writeOnly: true, default: 4711 }),
  'schema-rejects-invalid': ofToken({ description, writeOnly: true }),
  'schema-marks-secrets': ofToken(tokenSchema),
  'lists-and-reads': { omit: ['read', 'records'] },
  'closes-twice': {
    connector: () => {
      let closed = false;
      return {
        close: async () => {
          if (closed) throw new Error('closed already');
          closed = true;
        },
      };
    },
  },
  'lists-known-objects': {
    prepare: (world) => {
      world.source.set('not known', '');
      return world;
    },
  },
  'lists-each-path-once': {
    connector: (good) => ({
      async *list(request) {
        for await (const entry of withoutCheckpoints(good.list(request))) {
          yield entry;
          const { identity: _, ...again } = entry;
          if (entry.path === 'README.md') yield again;
        }
      },
      stat: async (path, options) => {
        const entry = (await good.stat?.(path, options)) ?? null;
        if (entry === null || path !== 'README.md') return entry;
        const { identity: _, ...again } = entry;
        return again;
      },
    }),
  },
  'paths-are-addresses': {
    prepare: (world) => {
      const { source, subject } = world;
      const objects = subject.objects.map((object) => {
        return object.path === 'data/blob.bin' ? { ...object, path: './blob.bin' } : object;
      });
      source.remove('data/blob.bin');
      for (const object of objects) if (object.path === './blob.bin') put(source, object);
      return { ...world, subject: { ...subject, objects } };
    },
  },
  'entries-are-well-formed': entries((entry) => ({ ...entry, title: ' ' })),
  'identities-are-unique': entries((entry) => ({ ...entry, identity: 'the same' })),
  'listing-repeats': {
    connector: (good) => {
      const suffix = Math.random();
      return changed(good, (entry) => ({
        ...entry,
        fingerprint: `${entry.fingerprint}-${suffix}`,
      }));
    },
  },
  'listings-do-not-mix': {
    connector: (good) => {
      let busy = false;
      return {
        async *list(request) {
          if (busy) return;
          busy = true;
          try {
            yield* good.list(request);
          } finally {
            busy = false;
          }
        },
      };
    },
  },
  'listing-can-be-left': {
    connector: (good) => {
      let broken = false;
      return {
        async *list(request) {
          if (broken) return;
          let ended = false;
          try {
            yield* good.list(request);
            ended = true;
          } finally {
            broken = !ended;
          }
        },
      };
    },
  },
  'abort-before-listing': {
    connector: (good) => ({
      list(request) {
        const late = new AbortController();
        request.signal.addEventListener('abort', () => late.abort());
        return good.list({ ...request, signal: late.signal });
      },
    }),
  },
  'abort-while-listing': {
    connector: (good) => ({
      async *list(request) {
        request.signal.throwIfAborted();
        yield* good.list({ ...request, signal: calm() });
      },
    }),
  },
  'empty-source-is-empty': {
    connector: (good, { empty }) => ({
      async *list(request) {
        let isEmpty = true;
        for await (const entry of good.list(request)) {
          isEmpty = false;
          yield entry;
        }
        const isTheEmptyOne = (await good.check?.({ signal: calm() }))?.detail.startsWith('0 ');
        if (isEmpty && isTheEmptyOne === true && request.since === undefined) {
          empty.set('placeholder', '');
          yield { path: 'placeholder', size: 0, modifiedAt: null, fingerprint: null };
        }
      },
    }),
  },
  'since-is-honoured': {
    connector: (good) => ({ list: ({ since: _, ...request }) => good.list(request) }),
  },
  'lists-given-paths': {
    connector: (good) => ({
      list: ({ paths, ...request }) =>
        good.list(paths === undefined ? request : { ...request, paths: paths.slice(0, 1) }),
    }),
  },
  'since-keeps-unknown-times': {
    connector: (good) => ({
      async *list(request) {
        for await (const entry of withoutCheckpoints(good.list(request)))
          if (request.since === undefined || entry.modifiedAt !== null) yield entry;
      },
    }),
  },
  'change-shows': entries((entry) => ({ ...entry, fingerprint: 'always the same' })),
  'removal-shows': {
    connector: (good) => {
      const seen = new Map<string, Entry>();
      return {
        async *list(request) {
          const unseen = new Set(seen.keys());
          for await (const entry of withoutCheckpoints(good.list(request))) {
            unseen.delete(entry.path);
            seen.set(entry.path, entry);
            yield entry;
          }
          if (request.since !== undefined || request.paths !== undefined) return;
          for (const path of unseen)
            if (!path.startsWith('tables/')) yield seen.get(path) ?? missing();
        },
      };
    },
  },
  'removal-includes-coupled': {
    connector: (good) => {
      let coupled: Entry | undefined;
      return {
        async *list(request) {
          const paths = new Set<string>();
          for await (const entry of withoutCheckpoints(good.list(request))) {
            paths.add(entry.path);
            if (entry.path === 'tables/users.sql') coupled = entry;
            yield entry;
          }
          const isLeft = coupled !== undefined && !paths.has('tables/users');
          const isAll = request.since === undefined && request.paths === undefined;
          if (isLeft && isAll) yield coupled ?? missing();
        },
      };
    },
  },
  'reads-exact-bytes': reading((read) => async (path, options) => {
    const content = await read(path, options);
    const { bytes } = content;
    if (options.range !== undefined) return content;
    if (!(bytes instanceof Uint8Array)) throw missing();
    return { bytes: Buffer.from(Buffer.from(bytes).toString('utf8')) };
  }),
  'size-is-length': entries((entry) => {
    return entry.path.endsWith('.ts') ? { ...entry, size: 1 } : entry;
  }),
  'absent-is-not-found': reading((read) => async (path, options) => {
    const isIt = path === makeWorld().subject.absent && options.range === undefined;
    if (isIt) throw new Error('boom');
    return read(path, options);
  }),
  'absent-has-no-ranges': reading((read) => async (path, options) => {
    const isIt = path === makeWorld().subject.absent && options.range !== undefined;
    return isIt ? { bytes: new Uint8Array() } : read(path, options);
  }),
  'reads-ranges': reading((read) => async (path, options) => {
    const { start: _, ...content } = await read(path, options);
    return content;
  }),
  'transfers-bytes': reading((read) => {
    const remembered = new Map<string, { readonly bytes: Uint8Array }>();
    return async (path, options) => {
      const content = await read(path, options);
      if (options.range !== undefined || !(content.bytes instanceof Uint8Array)) return content;
      const again = remembered.get(path);
      // Reads a changed object again.
      const isSame = again !== undefined && again.bytes.length === content.bytes.length;
      const given = isSame ? again : { bytes: new Uint8Array(content.bytes) };
      remembered.set(path, given);
      return { ...content, bytes: given.bytes, transferable: true };
    };
  }),
  'reads-do-not-mix': {
    connector: (good) => {
      let current = '';
      return {
        async read(path, options) {
          current = path;
          await Promise.resolve();
          return good.read?.(current, options) ?? Promise.reject(missing());
        },
      };
    },
  },
  'reads-changed-objects': {
    connector: (good) => {
      const cache = new Map<string, ReturnType<Read>>();
      return {
        async read(path, options) {
          options.signal.throwIfAborted();
          const { range } = options;
          const known = range === undefined ? cache.get(path) : undefined;
          const content = known ?? good.read?.(path, options);
          if (content === undefined) throw missing();
          await content;
          if (range === undefined) cache.set(path, content);
          return content;
        },
      };
    },
  },
  'abort-before-reading': reading((read) => (path) => read(path, { signal: calm() })),
  'stays-inside': reading((read) => (path, options) => {
    const plain = path
      .replace(/^\//, '')
      .replace(/^x\/\.\.\//, '')
      .replace('\0', '');
    return read(plain, options);
  }),
  'reads-after-failure': {
    connector: (good) => {
      let failed = false;
      return {
        async read(path, options) {
          try {
            const content = await good.read?.(path, options);
            if (content === undefined) throw missing();
            return failed ? { bytes: new Uint8Array() } : content;
          } catch (error) {
            failed = true;
            throw error;
          }
        },
      };
    },
  },
};

/** Returns a plugin with another schema for the token. */
function ofToken(token: JsonSchema): Mutation {
  return {
    plugin: (good) => {
      const schema: JsonSchema = good.configSchema;
      return { ...good, configSchema: { ...schema, properties: { ...schema.properties, token } } };
    },
  };
}

export function calm(): AbortSignal {
  return new AbortController().signal;
}

/** Never thrown, because the good connector has every method. */
export function missing(): TroveError & Entry {
  const nothing: Entry = { path: '', size: null, modifiedAt: null, fingerprint: null };
  return Object.assign(new TroveError('internal_error', 'There is nothing.'), nothing);
}

function reading(change: (read: Read) => Read): Mutation {
  return {
    connector: (good) => {
      const read: Read = (path, options) => good.read?.(path, options) ?? Promise.reject(missing());
      return { read: change(read) };
    },
  };
}

function entries(change: (entry: Entry) => Entry): Mutation {
  return { connector: (good) => changed(good, change) };
}

/** Applies the same change to the listing and to single entries. */
function changed(good: Connector, change: (entry: Entry) => Entry): Partial<Connector> {
  return {
    async *list(request) {
      for await (const entry of withoutCheckpoints(good.list(request))) yield change(entry);
    },
    async stat(path, options) {
      const entry = (await good.stat?.(path, options)) ?? null;
      return entry === null ? null : change(entry);
    },
  };
}
