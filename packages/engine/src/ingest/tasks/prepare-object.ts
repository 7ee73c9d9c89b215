import { isTroveError, joinUri, TroveError, type Entry } from '@trove/core';
import type { ConnectorRecord, JobRecord, ObjectRecord } from '@trove/core/store';
import type { ComputePool } from '../../content/compute/compute-pool.js';
import type { AnalyseResult } from '../../content/compute/messages.js';
import type { ByteContent } from '../../content/byte-content.js';
import { classifyBinary, type ObjectBytes } from '../../content/classification.js';
import type { EngineSettings } from '../../settings.js';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';
import type { ObjectPlan } from '../../sources/objects/object-plan.js';
import { fieldsOf } from '../records/record-rows.js';
import type { SampledContent } from '../training/sampled-content.js';

export interface PrepareContext {
  readonly pool: ComputePool;
  readonly settings: EngineSettings;
}

export interface TaskSource {
  readonly job: JobRecord;
  readonly record: ConnectorRecord;
  readonly connector: GuardedConnector;
  /** What was read to train the embedder. */
  readonly sampled: SampledContent;
  readonly signal: AbortSignal;
}

export interface ObjectToIndex {
  readonly id: string;
  readonly entry: Entry;
  readonly plan: ObjectPlan;
  /** As currently stored. */
  readonly before: ObjectRecord | undefined;
  /** No earlier attempt has been made, so the index has no rows of the object. */
  readonly isFirstAttempt: boolean;
}

/** The result of reading and preparing an object. `ready`: it has rows and texts to embed. */
export type Prepared = Awaited<ReturnType<typeof prepareObject>>;

/** An object with rows to write. */
export type ReadyObject = Omit<Extract<Prepared, { status: 'ready' }>, 'contentHash'> & {
  readonly contentHash: string | null;
};

/** Reads an object and creates its rows in worker threads. Throws `ObjectGoneError` if the source no longer has it. */
export async function prepareObject(
  { pool, settings }: PrepareContext,
  source: TaskSource,
  object: ObjectToIndex,
  content: ByteContent,
) {
  const limit = settings.maxFileBytes;
  const sampled = source.sampled.takeBytes(object.entry);
  const held =
    sampled === null
      ? await withGoneError(content.bytes(limit))
      : { object: sampled, release: () => undefined };
  if (held === null)
    throw new TroveError('payload_too_large', `The object has more than ${limit} bytes`);
  const binary = classifyBinary(held.object);
  if (binary !== null) {
    held.release();
    return { ...binary, status: 'binary' } as const;
  }
  const knownHash = source.job.full ? null : (object.before?.contentHash ?? null);
  return prepareBytes({ pool, settings }, source, object, held.object, knownHash).finally(
    held.release,
  );
}

/** Creates the rows of an object from its bytes. `knownHash`: see `PrepareRequest`. */
export async function prepareBytes(
  { pool, settings }: PrepareContext,
  source: TaskSource,
  object: ObjectToIndex,
  bytes: ObjectBytes,
  knownHash: string | null,
) {
  const request = { ...rowFactsOf(settings, source, object), object: bytes, knownHash };
  const parts: AnalyseResult[] = [];
  const onPart = (part: AnalyseResult): void => void parts.push(part);
  const prepared = await pool.run('prepare', request, { signal: source.signal, onPart });
  return prepared.status === 'ready'
    ? { ...prepared, ...joinParts([...parts, prepared]) }
    : prepared;
}

function rowFactsOf(
  settings: EngineSettings,
  source: TaskSource,
  { id, entry, plan }: ObjectToIndex,
) {
  return {
    objectId: id,
    connectorId: source.record.id,
    connectorType: source.record.type,
    source: joinUri(source.record.rootUri, entry.path),
    title: entry.title ?? null,
    modifiedAt: entry.modifiedAt,
    fields: fieldsOf(entry),
    chunkChars: settings.chunkChars,
    chunkMax: plan.chunkMax,
    settingsKey: plan.settingsKey,
    trainedState: plan.trainedState,
  };
}

function joinParts(parts: readonly AnalyseResult[]): AnalyseResult {
  const isEmbedded = parts.some(({ texts }) => texts === null);
  return {
    rows: parts.flatMap((part) => part.rows),
    texts: isEmbedded ? null : parts.flatMap(({ texts }) => texts ?? []),
  };
}

/** The source no longer has the object. */
export class ObjectGoneError extends Error {}

/** Returns the result of reading from a source. Throws `ObjectGoneError` if the source has no such object. */
export async function withGoneError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!isTroveError(error) || error.code !== 'not_found') throw error;
    throw new ObjectGoneError(error.message, { cause: error });
  }
}
