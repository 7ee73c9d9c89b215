import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MetadataStore } from '@trove/core/store';
import storePlugins from '@trove/store-knex';
import { pluginContext } from '@trove/testkit';
import { createTrove, type AddRequest } from 'trove';
import { ServerProcess } from './server-process.js';
import { snapshot, type Snapshot } from './snapshot.js';

/** A folder for a test with its homes, sources and processes. */
export class World {
  readonly root: string;
  readonly #processes: ServerProcess[] = [];

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<World> {
    return new World(await mkdtemp(join(tmpdir(), 'trove-faults-')));
  }

  async end(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.end('SIGKILL')));
  }

  async remove(): Promise<void> {
    await this.end();
    await rm(this.root, { recursive: true, force: true });
  }

  path(...names: string[]): string {
    return join(this.root, ...names);
  }

  start(args: readonly string[], env: Readonly<Record<string, string>>): ServerProcess {
    const started = new ServerProcess(args, this.root, env);
    this.#processes.push(started);
    return started;
  }

  /** A server with its own home, on SQLite with a worker in the process. */
  run(home = 'home', env: Readonly<Record<string, string>> = {}): ServerProcess {
    return this.start(['run', '--bind', '127.0.0.1:0'], { TROVE_HOME: this.path(home), ...env });
  }
}

/** A home that is never disturbed, for comparison. */
export class Reference {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  /** Syncs the sources. Returns the resulting index and the duration. */
  async sync(
    targets: readonly string[],
    request: Partial<AddRequest> = {},
  ): Promise<{ left: Snapshot; ms: number }> {
    const engine = await createTrove({ home: this.#home });
    const started = performance.now();
    try {
      for (const target of targets) {
        const { job_id: id } = await engine.add({ ...request, target, process: true });
        const job = await engine.job(id);
        if (job.status !== 'succeeded') throw new Error(`the reference: ${JSON.stringify(job)}`);
      }
    } finally {
      await engine.close();
    }
    const ms = performance.now() - started;
    return { left: await snapshotOfHome(this.#home), ms };
  }
}

/**
 * Queues a sync in a home without a running server, and returns the id of its job. The next server then meets
 * the disturbance while it runs the job, not while it answers the request.
 */
export async function queue(
  home: string,
  target: string,
  request: Partial<AddRequest> = {},
): Promise<string> {
  const engine = await createTrove({ home });
  try {
    return (await engine.add({ ...request, target })).job_id;
  } finally {
    await engine.close();
  }
}

export async function snapshotOfHome(home: string): Promise<Snapshot> {
  return withStore('sqlite', { path: join(home, 'metadata.db') }, (store) =>
    snapshot(join(home, 'index.lance'), store),
  );
}

export function snapshotOfPostgres(dsn: string, indexFolder: string): Promise<Snapshot> {
  return withStore('postgres', { dsn }, (store) => snapshot(indexFolder, store));
}

/** Does the same as a server with another embedder when no other server seems to run. */
export async function dropGeneration(home: string): Promise<boolean> {
  const config = { path: join(home, 'metadata.db') };
  const other = { embedding: 'other/8', dimension: 8 };
  return withStore('sqlite', config, (store) => store.generations.drop(1, 0), other);
}

async function withStore<T>(
  backend: 'sqlite' | 'postgres',
  config: { readonly path?: string; readonly dsn?: string },
  use: (store: MetadataStore) => Promise<T>,
  generation = { embedding: 'lexical/v2/512', dimension: 512 },
): Promise<T> {
  const [plugin] = storePlugins;
  const store = await plugin.create({
    backend,
    namespace: 'default',
    generation,
    ...pluginContext({ config }),
  });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
