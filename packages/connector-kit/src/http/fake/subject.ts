import { randomUUID } from 'node:crypto';
import { silentLogger, type ConnectorPlugin } from '@trove/core';

import type { LoginDescription } from '../description/index.js';
import { workOf } from '../children.js';
import { pathOf } from '../entries.js';
import { entriesOf } from '../list.js';
import type { PlannedObject } from '../plan.js';
import { createRun, HttpSource } from '../source.js';
import type { FakeWorld } from './fake-world.js';
import { scopeIn } from './fake-world.js';
import {
  addReply,
  changeContent,
  changeRecords,
  moveFolder,
  type ItemChanges,
} from './item-changes.js';
import { isPath, setAt } from './places.js';
import type { DerivedFake } from './derived-fake.js';
import type { StoredItem } from './stored-items.js';

export interface SubjectOptions<O> {
  /** All objects of the source with their records or bytes, as the suite takes them. */
  readonly objects: readonly O[];
  /** A path where nothing exists. */
  readonly absent: string;
  /** Configurations that the schema must refuse. */
  readonly refused?: readonly unknown[];
  /** How to change items of streams whose mapping is a function, by stream. */
  readonly changes?: Readonly<Record<string, ItemChanges>>;
}

/** A subject of `selectConnectorCases`. Members that the description does not allow are absent. */
export interface FakeSubject<O> {
  readonly plugin: ConnectorPlugin;
  readonly target: string;
  readonly config: unknown;
  readonly http?: typeof globalThis.fetch;
  readonly objects: readonly O[];
  readonly absent: string;
  readonly refused?: readonly unknown[];
  readonly checkpoints: true;
  readonly change?: (path: string) => Promise<void>;
  readonly remove?: (path: string) => Promise<void>;
  readonly changeRecords?: (path: string) => Promise<void>;
  readonly addReply?: (path: string) => Promise<void>;
  readonly moveFolder?: () => Promise<void>;
  readonly expireCursors?: () => Promise<void>;
  readonly expireAccess?: () => Promise<void>;
  readonly replaceCredential?: () => Promise<Readonly<Record<string, string>>>;
  readonly unreachable?: { readonly config: unknown };
  readonly secret?: string;
}

export function makeSubject<O extends { readonly path: string }>(
  fake: DerivedFake,
  world: FakeWorld,
  configOf: (url: string) => unknown,
  { objects, absent, refused, changes = {} }: SubjectOptions<O>,
): FakeSubject<O> {
  const { plan, description } = world;
  const streams = [...plan.streams.values()];
  const descriptions = streams.map((stream) => stream.description);
  const hasDocuments = descriptions.some(({ document }) => document !== undefined);
  const hasCursors = descriptions.some(
    ({ incremental }) => incremental?.by === 'feed' || incremental?.by === 'export',
  );
  const secretName = secretOf(description.auth);
  const locator = new ItemLocator(fake, world);
  return {
    plugin: fake.plugin,
    target: fake.target,
    config: fake.config,
    ...(fake.http === undefined ? {} : { http: fake.http }),
    objects,
    absent,
    ...(refused === undefined ? {} : { refused }),
    checkpoints: true,
    ...(hasDocuments
      ? { change: async (path) => changeContent(fake, await locator.itemAt(path)) }
      : {}),
    ...(hasDocuments ||
    plan.objects.some(({ description: { for: parent } }) => parent !== undefined)
      ? {
          remove: async (path) => {
            const { stream, id } = await locator.itemAt(path);
            fake.delete(stream.name, id);
          },
        }
      : {}),
    ...(plan.objects.length === 0
      ? {}
      : {
          changeRecords: async (path) => {
            const { object, parent } = await locator.objectAt(path);
            changeRecords(fake, world, { object, parent, changes });
          },
        }),
    ...(streams.some(
      ({ object, description: each }) =>
        object !== null && object === plan.streams.get(each.for ?? '')?.object,
    )
      ? {
          addReply: async (path) => {
            const { object, parent } = await locator.objectAt(path);
            addReply(fake, world, { object, parent, changes });
          },
        }
      : {}),
    ...(descriptions.some(({ document }) => isPath(document?.tree?.name))
      ? { moveFolder: async () => moveFolder(fake, world) }
      : {}),
    ...(hasCursors ? { expireCursors: async () => fake.expireCursors() } : {}),
    ...(hasTokenEndpoint(description.auth)
      ? { expireAccess: async () => fake.expireAccess() }
      : {}),
    ...secretMembers(fake, secretName, configOf),
  };
}

function secretMembers(
  fake: DerivedFake,
  name: string | null,
  configOf: (url: string) => unknown,
): Pick<FakeSubject<never>, 'replaceCredential' | 'unreachable' | 'secret'> {
  if (name === null)
    return fake.http === undefined
      ? { unreachable: { config: configOf(`${fake.origin}/nowhere`) } }
      : {};
  const secret = `secret-${randomUUID()}`;
  return {
    replaceCredential: async () => {
      const next = `next-${randomUUID()}`;
      fake.replaceSecret(name, next);
      return { [name]: next };
    },
    unreachable: { config: setAt(fake.config, name, secret) },
    secret,
  };
}

/** Returns the only secret setting of a login without a token endpoint, or null. */
function secretOf(auth: LoginDescription | readonly LoginDescription[] | undefined): string | null {
  const [first] = auth === undefined ? [] : [auth].flat();
  if (typeof first !== 'object' || 'oauth2' in first) return null;
  if ('bearer' in first) return first.bearer;
  const names = [...JSON.stringify(first).matchAll(/\{secret\.(\w+)\}/g)].map(([, name]) => name);
  return names.length === 1 ? (names[0] ?? null) : null;
}

function hasTokenEndpoint(
  auth: LoginDescription | readonly LoginDescription[] | undefined,
): boolean {
  const [first] = auth === undefined ? [] : [auth].flat();
  return typeof first === 'object' && 'oauth2' in first && first.oauth2.tokenUrl !== undefined;
}

/** An object of records, and the item that it stands for. */
interface LocatedRecords {
  readonly object: PlannedObject;
  readonly parent: StoredItem | null;
}

/** Finds items by the paths that the connector gives them. */
class ItemLocator {
  readonly #fake: DerivedFake;
  readonly #world: FakeWorld;

  constructor(fake: DerivedFake, world: FakeWorld) {
    this.#fake = fake;
    this.#world = world;
  }

  async itemAt(path: string): Promise<StoredItem> {
    const { item } = await this.#find(path);
    return item;
  }

  async objectAt(path: string): Promise<LocatedRecords> {
    const { plan } = this.#world;
    const fixed = plan.objects.find(
      ({ description }) =>
        description.for === undefined &&
        pathOf(description.path, scopeIn(this.#world, null)) === path,
    );
    if (fixed !== undefined) return { object: fixed, parent: null };
    const { item, object } = await this.#find(path);
    const planned = plan.objects.find(({ name }) => name === object);
    if (planned === undefined) throw new Error(`"${path}" has no records.`);
    return { object: planned, parent: item };
  }

  async #find(
    path: string,
  ): Promise<{ readonly item: StoredItem; readonly object: string | null }> {
    const { plan, items, description, config, target } = this.#world;
    const signal = new AbortController().signal;
    const source = new HttpSource(description, this.#fake.plugin.keys, {
      config,
      target,
      signal,
      logger: silentLogger,
      http: this.#fake.http ?? fetch,
      credentials: this.#world.credentials,
    });
    try {
      const run = createRun(signal);
      for (const stream of plan.streams.values())
        for (const item of items.all(stream.name)) {
          if (item.isGone) continue;
          const { parents } = scopeIn(this.#world, item.parent);
          const page = { stream, work: workOf(stream.name, parents, undefined) };
          for (const { entry, object } of await entriesOf(source, page, item.value, run))
            if (entry.path === path) return { item, object };
        }
    } finally {
      source.close();
    }
    throw new Error(`The fake has no item with the path "${path}".`);
  }
}
