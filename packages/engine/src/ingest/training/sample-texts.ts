import type { Entry } from '@trove/core';
import type { NewTask } from '@trove/core/store';
import { withRetries } from '@trove/runtime';
import { embeddingText } from '../../content/compute/embedding-text.js';
import { chunkRecord } from '../../content/chunking/index.js';
import type { ByteContent, ReservedBytes } from '../../content/byte-content.js';
import { validRecords } from '../../sources/connectors/invalid-record.js';
import type { ObjectPlan } from '../../sources/objects/object-plan.js';
import type { RecordContent } from '../../content/record-content.js';
import { searchableText } from '../../content/record-values.js';
import { nameOf } from '../../sources/objects/stated-type.js';
import { classifyBinary } from '../../content/classification.js';
import type { TaskSource } from '../tasks/prepare-object.js';
import { readAfterSample } from './read-sampled.js';
import type { IngestServices } from '../tasks/process-task.js';
import { mayMoveUnread } from '../moves/origin.js';

/** More texts do not improve search measurably. */
const maxTexts = 2000;
/** The minimum per object, if it has as many texts. Fewer objects are read this way. */
const minTextsPerObject = 4;
/** Larger objects take long to read and represent the others poorly. */
const maxBytes = 8 * 1024 * 1024;
/** Objects that are read concurrently. */
const maxReads = 16;
/** With fewer texts, co-occurrences of words are mostly chance. */
const minTexts = 256;
/** Most chunks are longer. */
const minChunkChars = 100;
/** Multiples of the golden ratio modulo 1 are evenly distributed after any number of steps. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;
const partLimits = { items: 256, ms: 100 } as const;

type SampleContext = Pick<IngestServices, 'contents' | 'pool' | 'planner' | 'settings'>;

interface SampleCandidate {
  readonly entry: Entry;
  readonly plan: ObjectPlan;
}

/**
 * Samples texts as they will be embedded, from objects spread evenly over the tasks. Null if there are too few to train
 * with. Objects that cannot be read are skipped, because their tasks report the reason. Failed reads are retried,
 * because temporary failures must not change the sample.
 */
export async function sampleTexts(
  context: SampleContext,
  source: TaskSource,
  tasks: readonly NewTask[],
): Promise<string[] | null> {
  const planOf = await context.planner.plannerOf(source.connector);
  // The other tasks read nothing, so the sample must not read for them, either.
  const candidates = tasks
    .flatMap(({ op, entry }) =>
      entry === null || op === 'records' || (op === 'move' && mayMoveUnread(entry, source.job))
        ? []
        : [{ entry, plan: planOf(entry) }],
    )
    .filter(({ entry, plan }) => plan.refusal === null && (entry.size ?? 0) <= maxBytes);
  if (estimateMaxChunks(candidates) < minTexts) return null;
  const each = Math.max(minTextsPerObject, Math.ceil(maxTexts / candidates.length));
  const first = await sampleObjects(context, source, spreadEvenly(candidates), each);
  if (first.texts.length >= minTexts) return first.texts;
  // A mail folder among attachments may hold most of the texts.
  const more = Math.ceil(maxTexts / Math.max(1, first.truncated.length));
  const { texts } = await sampleObjects(context, source, first.truncated, more);
  const all = [...first.texts.filter((text) => !texts.includes(text)), ...texts];
  return all.length < minTexts ? null : all.slice(0, maxTexts);
}

interface TextSample {
  readonly texts: string[];
  /** Objects that have more texts. */
  readonly truncated: readonly SampleCandidate[];
}

async function sampleObjects(
  context: SampleContext,
  source: TaskSource,
  order: readonly SampleCandidate[],
  each: number,
): Promise<TextSample> {
  const texts: string[] = [];
  const truncated: SampleCandidate[] = [];
  for (let from = 0; from < order.length && texts.length < maxTexts; from += maxReads) {
    source.signal.throwIfAborted();
    const some = order.slice(from, from + maxReads);
    const read = await Promise.all(some.map((one) => sampleObject(context, source, one, each)));
    texts.push(...read.flat());
    truncated.push(...some.filter((_, at) => (read[at]?.length ?? 0) >= each));
  }
  return { texts: texts.slice(0, maxTexts), truncated };
}

function estimateMaxChunks(candidates: readonly SampleCandidate[]): number {
  return candidates.reduce(
    (sum, { entry }) => sum + 1 + (entry.size ?? Infinity) / minChunkChars,
    0,
  );
}

/** Orders items such that every prefix is spread over all of them. */
function spreadEvenly<T>(items: readonly T[]): T[] {
  return items
    .map((item, at) => ({ item, place: (at * goldenRatio) % 1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

async function sampleObject(
  context: SampleContext,
  source: TaskSource,
  candidate: SampleCandidate,
  maxSamples: number,
): Promise<string[]> {
  const { signal } = source;
  try {
    return await withRetries(() => readTexts(context, source, candidate, maxSamples), signal);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

async function readTexts(
  context: SampleContext,
  source: TaskSource,
  { entry, plan }: SampleCandidate,
  maxSamples: number,
): Promise<string[]> {
  const { signal } = source;
  const content = await context.contents.open(source.connector, entry, 'ingest', signal);
  if (content.form === 'records') return recordTexts(context, source, entry, content, maxSamples);
  const held = await readBytes(context, source, entry, content);
  if (held === null) return [];
  if (classifyBinary(held.object) !== null) {
    held.release();
    return [];
  }
  const { chunkChars } = context.settings;
  const title = entry.title ?? null;
  const request = {
    object: held.object,
    title,
    chunkChars,
    chunkMax: plan.chunkMax,
    maxSamples,
  };
  return context.pool.run('sample', request, { signal }).finally(held.release);
}

/** Reads the bytes of an object once. A second sample of it, and its task, use the same bytes. */
async function readBytes(
  { settings }: SampleContext,
  { sampled }: TaskSource,
  entry: Entry,
  content: ByteContent,
): Promise<ReservedBytes | null> {
  const kept = sampled.bytes(entry);
  if (kept !== null) return { object: kept, release: () => undefined };
  const held = await content.bytes(settings.maxFileBytes);
  if (held !== null) sampled.keepBytes(entry, held.object);
  return held;
}

async function recordTexts(
  { settings }: SampleContext,
  { record, sampled }: TaskSource,
  entry: Entry,
  content: RecordContent,
  maxSamples: number,
): Promise<string[]> {
  const path = nameOf(record.rootUri, entry.path);
  const texts: string[] = [];
  const collection = sampled.collect(entry);
  let isWhole = false;
  try {
    for await (const records of readAfterSample(content, sampled.records(entry), partLimits)) {
      collection.add(records);
      for (const each of validRecords(records)) {
        const title = each.title ?? entry.title ?? null;
        for (const piece of chunkRecord(searchableText(each, content.rule), settings.chunkChars))
          if (texts.length < maxSamples) texts.push(embeddingText(path, title, '', piece));
      }
      if (texts.length === maxSamples) break;
    }
    // After the maximum, the object may have more records.
    isWhole = texts.length < maxSamples;
  } finally {
    // After an error, the next attempt and the task continue here.
    collection.end(isWhole);
  }
  return texts;
}
