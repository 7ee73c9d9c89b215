import type { Checkpoint } from '@trove/core';

const version = 1;
/** A limit of the engine. */
const maxCheckpointChars = 100_000;

/** What a sync continues from. JSON. */
export interface AsanaCursor {
  /** The cursor of the listing of changed tasks. */
  readonly listing: unknown;
  /** When changed tasks were listed last, in milliseconds since 1970. */
  readonly listedAt: number;
  /** A digest of the projects. */
  readonly digest: string;
  /** The tokens for the events of each project. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** What a sync still has to do. JSON, because checkpoints contain it. */
export interface SyncProgress extends AsanaCursor {
  /** Whether everything is listed, not only the changes. */
  readonly isFull: boolean;
  /** The projects whose events are to be read. */
  readonly projects: readonly string[];
  /** Whether a listing is to be made or continued. */
  readonly isListing: boolean;
  /** Where the listing continues. */
  readonly position?: unknown;
  /** The tasks to read one by one. */
  readonly tasks: readonly string[];
}

/** Returns null for a cursor of another version. */
export function readCursor(value: unknown): AsanaCursor | null {
  const { v, ...cursor }: Partial<AsanaCursor> & { readonly v?: number } = Object(value);
  const { listing, listedAt = 0, digest = '', tokens = {} } = cursor;
  return v === version ? { listing, listedAt, digest, tokens } : null;
}

/** Returns null for a checkpoint of another version. */
export function readProgress(value: unknown): SyncProgress | null {
  const cursor = readCursor(value);
  if (cursor === null) return null;
  const {
    isFull,
    isListing,
    position,
    projects = [],
    tasks = [],
  }: Partial<SyncProgress> = Object(value);
  const flags = { isFull: isFull === true, isListing: isListing === true };
  return { ...cursor, ...flags, position, projects, tasks };
}

/** Returns the cursor after a sync. */
export function storedCursor({ listing, listedAt, digest, tokens }: AsanaCursor): unknown {
  return { v: version, listing, listedAt, digest, tokens };
}

/** Yields a checkpoint, unless it is too large. An interrupted sync then repeats more. */
export function* checkpointOf(progress: SyncProgress): Generator<Checkpoint, void, undefined> {
  const checkpoint = { v: version, ...progress };
  if (JSON.stringify(checkpoint).length <= maxCheckpointChars) yield { checkpoint };
}
