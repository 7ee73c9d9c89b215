import type { MetadataStore, TransformationCache, VectorIndex } from '@trove/core';
import { runInThread } from '../uploads/upload-thread.js';

/** Measured no more often than this. */
const freshMs = 60_000;
/** Whoever asks is not kept waiting any longer for what is being measured. */
const waitMs = 1000;

/** Bytes on disk, or in a database elsewhere; null: not known, or not yet. */
export type DiskUse = Readonly<Record<DiskPart, number | null>>;

export const diskParts = [
  'metadata',
  'index',
  'transformation_cache',
  'artifact_cache',
  'uploads',
] as const;
export type DiskPart = (typeof diskParts)[number];

/** What is measured. Of the folders, null is none. */
export interface Measured {
  readonly store: MetadataStore;
  readonly index: VectorIndex;
  readonly cache: TransformationCache | null;
  readonly artifactFolder: string | null;
  readonly uploadFolder: string | null;
}

/** Measures what an engine keeps, in the background, and remembers it. */
export class DiskUseService {
  readonly #measures: Readonly<Record<DiskPart, () => Promise<number | null>>>;
  #known: DiskUse = { ...nothing };
  #measuring: Promise<void> | null = null;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor({ store, index, cache, artifactFolder, uploadFolder }: Measured) {
    this.#measures = {
      metadata: async () => (await store.size?.()) ?? null,
      index: async () => (await index.size?.()) ?? null,
      transformation_cache: async () => (cache === null ? 0 : ((await cache.size?.()) ?? null)),
      artifact_cache: () => folderSize(artifactFolder),
      uploads: () => folderSize(uploadFolder),
    };
  }

  /** Up to a minute old; what has never been measured is waited for, a second at most. */
  async known(): Promise<DiskUse> {
    const isOld = performance.now() - this.#measuredAt > freshMs;
    if (isOld) void this.measure();
    if (this.#measuring !== null && this.#measuredAt === Number.NEGATIVE_INFINITY) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)));
      await Promise.race([this.#measuring, late]);
      clearTimeout(timer);
    }
    return this.#known;
  }

  /** As it is now. */
  async measure(): Promise<DiskUse> {
    this.#measuring ??= this.#measure().finally(() => (this.#measuring = null));
    await this.#measuring;
    return this.#known;
  }

  async #measure(): Promise<void> {
    await Promise.all(
      diskParts.map(async (part) => {
        const bytes = await this.#measures[part]().catch(() => null);
        this.#known = { ...this.#known, [part]: bytes };
      }),
    );
    this.#measuredAt = performance.now();
  }
}

const nothing: DiskUse = {
  metadata: null,
  index: null,
  transformation_cache: null,
  artifact_cache: null,
  uploads: null,
};

/** Of all files below a folder. */
async function folderSize(folder: string | null): Promise<number> {
  return folder === null ? 0 : runInThread('measure', { folder });
}
