import type { Entry } from '@trove/core';
import type { NewTask } from '@trove/core/store';
import { withRetries } from '@trove/runtime';
import { embeddingText } from '../../content/compute/embedding-text.js';
import { chunkRecord } from '../../content/chunking/index.js';
import { usable } from '../../sources/connectors/bad-record.js';
import type { ObjectPlan } from '../../sources/objects/object-plan.js';
import type { RecordContent } from '../../content/record-content.js';
import { searchableText } from '../../content/record-values.js';
import { nameOf } from '../../sources/objects/stated-type.js';
import { takePlainlyBinary } from '../../content/classification.js';
import type { TaskSource } from '../tasks/prepare-object.js';
import type { ProcessContext } from '../tasks/process-task.js';

/** Texts to learn from: with more of them, search is not measurably better. */
const wanted = 2000;
/** Of one object at least, if it has as many, so that few objects have to be read. */
const ofObject = 4;
/** Larger objects take long to read, and say less about the others. */
const largest = 8 * 1024 * 1024;
/** Objects read at a time. */
const readAtOnce = 16;
/** With fewer texts, which words occur together is mostly chance. */
const fewest = 256;
/** A chunk is rarely shorter. */
const shortestChunk = 100;
/** One step of the golden ratio after the other, from 0 to 1, is even wherever one stops. */
const golden = (Math.sqrt(5) - 1) / 2;
const part = { items: 256, ms: 100 } as const;

type Context = Pick<ProcessContext, 'contents' | 'pool' | 'planner' | 'settings'>;

interface Candidate {
  readonly entry: Entry;
  readonly plan: ObjectPlan;
}

/**
 * Texts as they will be embedded, from objects spread evenly over those that are to be indexed; null when they are too few
 * to learn from. An object that cannot be read gives none: its task will say why. Reads that fail are tried again, so that a
 * source that was disturbed teaches what an undisturbed one does.
 */
export async function sampleTexts(
  context: Context,
  source: TaskSource,
  tasks: readonly NewTask[],
): Promise<string[] | null> {
  const planOf = await context.planner.plannerOf(source.connector);
  const candidates = tasks
    .flatMap(({ entry }) => (entry === null ? [] : [{ entry, plan: planOf(entry) }]))
    .filter(({ entry, plan }) => plan.refusal === null && (entry.size ?? 0) <= largest);
  if (chunksAtMost(candidates) < fewest) return null;
  const each = Math.max(ofObject, Math.ceil(wanted / candidates.length));
  const first = await textsOfAll(context, source, evenly(candidates), each);
  if (first.texts.length >= fewest) return first.texts;
  // One folder of mail among its attachments has most of what there is.
  const more = Math.ceil(wanted / Math.max(1, first.cut.length));
  const { texts } = await textsOfAll(context, source, first.cut, more);
  const all = [...first.texts.filter((text) => !texts.includes(text)), ...texts];
  return all.length < fewest ? null : all.slice(0, wanted);
}

interface Sampled {
  readonly texts: string[];
  /** Those that have more. */
  readonly cut: readonly Candidate[];
}

async function textsOfAll(
  context: Context,
  source: TaskSource,
  order: readonly Candidate[],
  each: number,
): Promise<Sampled> {
  const texts: string[] = [];
  const cut: Candidate[] = [];
  for (let from = 0; from < order.length && texts.length < wanted; from += readAtOnce) {
    source.signal.throwIfAborted();
    const some = order.slice(from, from + readAtOnce);
    const read = await Promise.all(some.map((one) => textsOf(context, source, one, each)));
    texts.push(...read.flat());
    cut.push(...some.filter((_, at) => (read[at]?.length ?? 0) >= each));
  }
  return { texts: texts.slice(0, wanted), cut };
}

function chunksAtMost(candidates: readonly Candidate[]): number {
  return candidates.reduce(
    (sum, { entry }) => sum + 1 + (entry.size ?? Infinity) / shortestChunk,
    0,
  );
}

/** In an order of which any beginning is spread over all of it. */
function evenly<T>(items: readonly T[]): T[] {
  return items
    .map((item, at) => ({ item, place: (at * golden) % 1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

async function textsOf(
  context: Context,
  source: TaskSource,
  candidate: Candidate,
  atMost: number,
): Promise<string[]> {
  const { signal } = source;
  try {
    return await withRetries(() => readTexts(context, source, candidate, atMost), signal);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

async function readTexts(
  context: Context,
  source: TaskSource,
  { entry, plan }: Candidate,
  atMost: number,
): Promise<string[]> {
  const { signal } = source;
  const content = await context.contents.open(source.connector, entry, 'ingest', signal);
  if (content.form === 'records') return recordTexts(context, source, entry, content, atMost);
  const held = await content.bytes(context.settings.maxFileBytes);
  if (held === null) return [];
  if (takePlainlyBinary(held.object) !== null) {
    held.release();
    return [];
  }
  const { chunkChars } = context.settings;
  const title = entry.title ?? null;
  const request = { object: held.object, title, chunkChars, chunkMax: plan.chunkMax, atMost };
  return context.pool.run('sample', request, { signal }).finally(held.release);
}

async function recordTexts(
  { settings }: Context,
  { record }: TaskSource,
  entry: Entry,
  content: RecordContent,
  atMost: number,
): Promise<string[]> {
  const path = nameOf(record.rootUri, entry.path);
  const texts: string[] = [];
  for await (const records of content.parts(part)) {
    for (const each of usable(records)) {
      const title = each.title ?? entry.title ?? null;
      for (const piece of chunkRecord(searchableText(each, content.rule), settings.chunkChars)) {
        texts.push(embeddingText(path, title, '', piece));
        if (texts.length === atMost) return texts;
      }
    }
  }
  return texts;
}
