import {
  inject,
  injectable,
  LoggerToken,
  MetadataStoreToken,
  createToken,
  TransformationCacheToken,
  VectorIndexToken,
} from '@trove/core/di';
import { isTroveError, messageOf, type Logger } from '@trove/core';
import type { VectorIndex } from '@trove/core/index';
import type { ConnectorRecord, MetadataStore, TransformationCache } from '@trove/core/store';
import type { Workers } from '@trove/core/workers';
import { resolveWithin } from '@trove/runtime';
import {
  ArtifactFolderToken,
  SourceFolderToken,
  UploadFolderToken,
  WorkersToken,
} from '../../tokens.js';
import { ProblemLog } from './problem-log.js';

/** How long a measurement is reused. */
const maxAgeMs = 60_000;
/** The longest time that a caller waits for a measurement. */
const maxWaitMs = 1000;

/** Bytes on disk or in a remote database. Null: unknown, or not measured yet. */
export type DiskUse = Readonly<Record<DiskPart, number | null>>;

export const diskParts = [
  'metadata',
  'index',
  'transformation_cache',
  'artifact_cache',
  'uploads',
] as const;
export type DiskPart = (typeof diskParts)[number];

/** The token of `DiskUseService` in an engine's container. */
export const DiskUseToken = createToken<DiskUseService>('engine.disk_use');

/** Measures the engine's storage in the background and caches the result. */
@injectable()
export class DiskUseService {
  readonly #measures: Readonly<Record<DiskPart, () => Promise<number | null>>>;
  readonly #problem: ProblemLog;
  /** The bytes of each uploaded tree, and of each folder of a connector, by name. */
  readonly #folders = { trees: emptySizes, sources: emptySizes };
  #cached: DiskUse = { ...unknownUse };
  #measuring: Promise<void> | null = null;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'size'>,
    @inject(VectorIndexToken) index: Pick<VectorIndex, 'size'>,
    @inject(TransformationCacheToken) cache: Pick<TransformationCache, 'size'> | null,
    @inject(ArtifactFolderToken) artifactFolder: string | null,
    @inject(UploadFolderToken) uploadFolder: string | null,
    @inject(SourceFolderToken) sourceFolder: string | null,
    @inject(WorkersToken) workers: Workers,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#problem = new ProblemLog(logger, {
      started: 'disk usage cannot be measured',
      ended: 'disk usage is measured again',
    });
    this.#measures = {
      metadata: async () => (await store.size?.()) ?? null,
      index: async () => (await index.size?.()) ?? null,
      transformation_cache: async () => (cache === null ? 0 : ((await cache.size?.()) ?? null)),
      artifact_cache: async () => totalOf(await sizesIn(artifactFolder, workers)),
      uploads: async () => {
        this.#folders.sources = await sizesIn(sourceFolder, workers);
        this.#folders.trees = await sizesIn(uploadFolder, workers);
        return totalOf(this.#folders.trees);
      },
    };
  }

  /** Returns sizes up to a minute old. Older sizes are measured again; the caller waits for that at most a second. */
  async recent(): Promise<DiskUse> {
    const isOld = performance.now() - this.#measuredAt > maxAgeMs;
    if (isOld) void this.measure();
    if (isOld && this.#measuring !== null) {
      await resolveWithin(this.#measuring, maxWaitMs, undefined);
    }
    return this.#cached;
  }

  /** Returns the bytes of the files that only this source has, as of the last measurement. */
  filesOf({ id, tree }: Pick<ConnectorRecord, 'id' | 'tree'>): number {
    const { trees, sources } = this.#folders;
    return (tree === null ? 0 : (trees.get(tree) ?? 0)) + (sources.get(id) ?? 0);
  }

  /** Measures now and returns the sizes. */
  async measure(): Promise<DiskUse> {
    this.#measuring ??= this.#measure().finally(() => (this.#measuring = null));
    await this.#measuring;
    return this.#cached;
  }

  async #measure(): Promise<void> {
    const failed: string[] = [];
    const measured = diskParts.map(async (part) => {
      const bytes = await this.#measures[part]().catch((error: unknown) => {
        if (!isClosed(error)) failed.push(`${part}: ${messageOf(error)}`);
        return null;
      });
      this.#cached = { ...this.#cached, [part]: bytes };
    });
    await Promise.all(measured);
    this.#problem.update(failed.length === 0 ? null : failed.sort().join('; '));
    this.#measuredAt = performance.now();
  }
}

const unknownUse: DiskUse = {
  metadata: null,
  index: null,
  transformation_cache: null,
  artifact_cache: null,
  uploads: null,
};

function isClosed(error: unknown): boolean {
  return isTroveError(error) && error.code === 'engine_closed';
}

type Sizes = ReadonlyMap<string, number>;

const emptySizes: Sizes = new Map();

function totalOf(sizes: Sizes): number {
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns the size of each entry of a folder. Runs in a thread, because blocking calls take a fraction of the time. */
async function sizesIn(folder: string | null, workers: Workers): Promise<Sizes> {
  if (folder === null) return emptySizes;
  const worker = workers.startThread(new URL('./measure-worker.js', import.meta.url), {
    data: folder,
  });
  try {
    worker.ref();
    return await new Promise<Sizes>((resolve, reject) => {
      worker.listen({ message: (sizes) => resolve(toSizes(sizes)), ended: reject });
    });
  } finally {
    await worker.terminate();
  }
}

function toSizes(message: unknown): Sizes {
  const entries = Object.entries<unknown>(Object(message));
  return new Map(entries.map(([name, bytes]) => [name, Number(bytes)]));
}
