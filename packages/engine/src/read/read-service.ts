import { inject, injectable } from '@trove/core/di';
import { ComputePoolToken, ReadBudgetToken, SourcesToken } from '../di/tokens.js';
import {
  charsOf,
  isTroveError,
  linesOf,
  locatorKey,
  parseLocator,
  parseRange,
  TroveError,
  type Entry,
  type Infer,
  type Locator,
  type ObjectKind,
  type SourceRecord,
} from '@trove/core';
import { kindOf, mediaTypeOf } from '@trove/core/content';
import { Gate } from '@trove/runtime';
import type { Export } from '../api/engine.js';
import type {
  catQuerySchema,
  CatResponse,
  linesQuerySchema,
  ObjectMeta,
  PathQuery,
} from '../api/schemas.js';
import type { ComputePool } from '../compute/compute-pool.js';
import { recordLocator } from '../ingest/record-rows.js';
import { consistsOfRecords } from '../connectors/guarded-connector.js';
import type { Location, Sources } from '../connectors/sources.js';
import { lastLines, partOfLine, rangeOf, wholeText } from '../content/lines.js';
import { readText, type TextPieces } from '../content/object-text.js';
import type { ReadBudget } from '../content/read-budget.js';

/** Largest answer of cat, head and tail, in characters. */
const catMaxChars = 1024 * 1024;
/** Longest text to outline, as it is read as a whole. */
const outlineMaxChars = 4 * 1024 * 1024;
/** Each holds a whole text, here and in a thread. */
const outlinesAtOnce = 4;
const outlineMs = 10_000;

type LinesRequest = Infer<typeof linesQuerySchema>;

/** An object that was found, and whether it consists of records. */
interface Opened {
  readonly location: Location;
  readonly entry: Entry;
  readonly records: boolean;
}

/** Reads objects from their source: cat, head, tail, export. */
@injectable()
export class ReadService {
  readonly #sources: Sources;
  readonly #budget: ReadBudget;
  readonly #pool: ComputePool;
  readonly #outlineGate = new Gate(outlinesAtOnce);

  constructor(
    @inject(SourcesToken) sources: Sources,
    @inject(ReadBudgetToken) budget: ReadBudget,
    @inject(ComputePoolToken) pool: ComputePool,
  ) {
    this.#sources = sources;
    this.#budget = budget;
    this.#pool = pool;
  }

  async cat(
    { path, range, locator, meta, density }: Infer<typeof catQuerySchema>,
    signal: AbortSignal,
  ): Promise<CatResponse | ObjectMeta> {
    const given =
      [range, locator, density].filter((part) => part !== undefined).length + (meta ? 1 : 0);
    if (given > 1)
      throw new TroveError(
        'validation_error',
        'range, locator, density and meta: at most one of them',
      );
    const wanted = range === undefined ? null : parseRange(range);
    const place = locator === undefined ? null : parseLocator(locator);

    const opened = await this.#open(path, signal);
    if (meta) return metaOf(opened);
    if (place !== null) return answer(opened, await this.#located(opened, place, signal));
    if (density !== undefined && density !== 'deep')
      return answer(opened, await this.#outline(opened, density, signal));
    if (wanted !== null) {
      if (opened.records)
        throw new TroveError(
          'range_unsupported',
          `${opened.location.uri} consists of records, not of lines`,
        );
      return answer(opened, await rangeOf(this.#text(opened, signal), wanted, catMaxChars));
    }
    if ((opened.entry.size ?? 0) > 4 * catMaxChars) throw tooLarge(opened.location.uri);
    return answer(opened, await wholeText(this.#text(opened, signal), catMaxChars));
  }

  async head({ path, n }: LinesRequest, signal: AbortSignal): Promise<CatResponse> {
    const opened = await this.#open(path, signal);
    return answer(
      opened,
      await rangeOf(this.#text(opened, signal), { start: 1, end: n }, catMaxChars),
    );
  }

  async tail({ path, n }: LinesRequest, signal: AbortSignal): Promise<CatResponse> {
    const opened = await this.#open(path, signal);
    const { tail } = await opened.location.connector.capabilities(signal);
    if (!tail)
      throw new TroveError('tail_unsupported', `${opened.location.uri} has no stable order`);
    return answer(opened, await lastLines(this.#text(opened, signal), n, catMaxChars));
  }

  async export({ path }: PathQuery, signal: AbortSignal): Promise<Export> {
    const opened = await this.#open(path, signal);
    return {
      source: opened.location.uri,
      partial: false,
      content: await started(this.#text(opened, signal, 'exports'), signal),
    };
  }

  /** Throws `not_found` and `is_directory`. */
  async #open(path: string, signal: AbortSignal): Promise<Opened> {
    const location = await this.#sources.locate(path);
    const entry = await location.connector.stat(location.path, signal);
    if (entry === null) {
      if (await this.#isDirectory(location, signal)) throw directory(location.uri);
      throw new TroveError('not_found', `There is nothing at ${location.uri}`);
    }
    if (entry.kind === 'directory') throw directory(location.uri);
    const abilities = await location.connector.capabilities(signal);
    return { location, entry, records: consistsOfRecords(abilities, entry.kind) };
  }

  async #isDirectory({ connector, path }: Location, signal: AbortSignal): Promise<boolean> {
    try {
      const entries = connector.browse(path, signal);
      await entries.next();
      await entries.return();
      return true;
    } catch (error) {
      if (isTroveError(error) && error.code === 'not_found') return false;
      throw error;
    }
  }

  async *#text(
    { location: { connector, path }, entry, records }: Opened,
    signal: AbortSignal,
    use: 'reads' | 'exports' = 'reads',
  ): TextPieces {
    if (!records) {
      const object = { path, size: entry.size };
      yield* readText(this.#budget, connector, object, use, signal);
      return;
    }
    const share = await this.#budget.reserve(use, null, signal);
    try {
      yield* recordLines(connector.records(path, signal));
    } finally {
      share.release();
    }
  }

  async #located(opened: Opened, locator: Locator, signal: AbortSignal): Promise<string> {
    if (opened.records) return this.#record(opened, locator, signal);
    const lines = linesOf(locator);
    if (lines === null) throw locatorNotFound(opened);
    const chars = charsOf(locator);
    const text = this.#text(opened, signal);
    const content =
      chars === null
        ? await rangeOf(text, lines, catMaxChars)
        : await partOfLine(text, lines.start, chars, catMaxChars);
    if (content === '') throw locatorNotFound(opened);
    return content;
  }

  async #record(opened: Opened, locator: Locator, signal: AbortSignal): Promise<string> {
    const { connector, path } = opened.location;
    const rule = connector.rules.of(path);
    const wanted = locatorKey(locator);
    const key = rule?.locator_fields === undefined ? locator : undefined;
    for await (const record of connector.records(path, signal, key)) {
      if (matches(record, wanted, rule)) return `${JSON.stringify(record.fields)}\n`;
    }
    throw locatorNotFound(opened);
  }

  async #outline(opened: Opened, density: 'peek' | 'skim', signal: AbortSignal): Promise<string> {
    const { location, entry, records } = opened;
    const unsupported = new TroveError('density_unsupported', `${location.uri} has no outline`);
    if (records) throw unsupported;
    const mediaType = entry.mediaType ?? mediaTypeOf(entry.path === '' ? location.uri : entry.path);
    const kind: ObjectKind = entry.kind ?? kindOf(location.uri, mediaType, false);
    const { outline } = await this.#outlineGate.run(signal, async () => {
      const text = await wholeText(this.#text(opened, signal), outlineMaxChars);
      signal.throwIfAborted();
      return this.#pool.run(
        'outline',
        { text, kind, mediaType, density },
        { limitMs: outlineMs, signal },
      );
    });
    if (outline === null) throw unsupported;
    return outline;
  }
}

function matches(
  record: SourceRecord,
  wanted: string,
  rule: Parameters<typeof recordLocator>[1],
): boolean {
  return locatorKey(recordLocator(record, rule)) === wanted;
}

function answer({ location }: Opened, content: string): CatResponse {
  return { source: location.uri, content, partial: false };
}

function metaOf({ location, entry }: Opened): ObjectMeta {
  return {
    source: location.uri,
    media_type: entry.mediaType ?? mediaTypeOf(location.uri),
    size_hint: entry.size,
    fingerprint: entry.fingerprint,
    content: '',
  };
}

async function* recordLines(records: AsyncIterable<SourceRecord>): TextPieces {
  for await (const { fields } of records) yield `${JSON.stringify(fields)}\n`;
}

/**
 * Reads up to the first piece, so that an unreadable object fails before the answer starts. Releases the object when
 * the signal aborts, even if nobody consumes the rest.
 */
async function started(
  pieces: TextPieces,
  signal: AbortSignal,
): Promise<AsyncIterableIterator<string>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<string> | null = await iterator.next();
  const end = async (): Promise<IteratorResult<string>> => {
    signal.removeEventListener('abort', abort);
    await iterator.return?.();
    return { done: true, value: undefined };
  };
  const abort = (): void => void end().catch(() => undefined);
  signal.addEventListener('abort', abort, { once: true });
  const rest: AsyncIterableIterator<string> = {
    async next() {
      const step = first ?? (await iterator.next());
      first = null;
      if (step.done === true) signal.removeEventListener('abort', abort);
      return step;
    },
    return: end,
    [Symbol.asyncIterator]: () => rest,
  };
  return rest;
}

function directory(uri: string): TroveError {
  return new TroveError('is_directory', `${uri} is a directory`);
}

function locatorNotFound({ location }: Opened): TroveError {
  return new TroveError(
    'locator_not_found',
    `What the locator names is no longer in ${location.uri}`,
  );
}

function tooLarge(uri: string): TroveError {
  return new TroveError(
    'object_too_large_for_cat',
    `${uri} has more than ${catMaxChars} characters`,
  );
}
