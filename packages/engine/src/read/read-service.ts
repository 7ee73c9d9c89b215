import { inject, injectable } from '@trove/core/di';
import { SettingsToken, SourcesToken } from '../di/tokens.js';
import {
  charsOf,
  isTroveError,
  linesOf,
  locatorKey,
  parseLocator,
  parseRange,
  TroveError,
  type Entry,
  type Locator,
  type ObjectKind,
  type SourceRecord,
} from '@trove/core';
import { kindOf, mediaTypeOf, withoutLineEnd } from '@trove/core/media';
import type { Export } from '../api/engine.js';
import {
  catQuerySchema,
  linesQuerySchema,
  pathQuerySchema,
  type CatQuery,
  type CatResponse,
  type LinesQuery,
  type ObjectMeta,
  type PathQuery,
} from '../api/schemas.js';
import { outline } from '../chunking/index.js';
import { recordLocator } from '../ingest/record-rows.js';
import type { EngineSettings } from '../settings.js';
import { consistsOfRecords } from '../sources/guarded-connector.js';
import type { Location, Sources } from '../sources/sources.js';
import { validate } from '../validation.js';
import { lastLines, rangeOf, wholeText } from './lines.js';
import { decodePieces, type TextPieces } from './object-text.js';

/** Largest answer of cat, head and tail, in characters. */
const catMaxChars = 1024 * 1024;

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
  readonly #settings: EngineSettings;

  constructor(
    @inject(SourcesToken) sources: Sources,
    @inject(SettingsToken) settings: EngineSettings,
  ) {
    this.#sources = sources;
    this.#settings = settings;
  }

  async cat(query: CatQuery, signal: AbortSignal): Promise<CatResponse | ObjectMeta> {
    const { path, range, locator, meta, density } = validate(catQuerySchema, query, '');
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

  async head(query: LinesQuery, signal: AbortSignal): Promise<CatResponse> {
    const { path, n } = validate(linesQuerySchema, query, '');
    const opened = await this.#open(path, signal);
    return answer(
      opened,
      await rangeOf(this.#text(opened, signal), { start: 1, end: n }, catMaxChars),
    );
  }

  async tail(query: LinesQuery, signal: AbortSignal): Promise<CatResponse> {
    const { path, n } = validate(linesQuerySchema, query, '');
    const opened = await this.#open(path, signal);
    const { tail } = await opened.location.connector.capabilities(signal);
    if (!tail)
      throw new TroveError('tail_unsupported', `${opened.location.uri} has no stable order`);
    return answer(opened, await lastLines(this.#text(opened, signal), n, catMaxChars));
  }

  async export(query: PathQuery, signal: AbortSignal): Promise<Export> {
    const { path } = validate(pathQuerySchema, query, '');
    const opened = await this.#open(path, signal);
    return {
      source: opened.location.uri,
      partial: false,
      content: await started(this.#text(opened, signal)),
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

  async *#text(opened: Opened, signal: AbortSignal): TextPieces {
    const { connector, path } = opened.location;
    if (opened.records) {
      for await (const record of connector.records(path, signal))
        yield `${JSON.stringify(record.fields)}\n`;
      return;
    }
    const content = await connector.read(path, signal);
    yield* decodePieces(content, path, this.#settings.maxFileBytes);
  }

  async #located(opened: Opened, locator: Locator, signal: AbortSignal): Promise<string> {
    if (opened.records) return this.#record(opened, locator, signal);
    const lines = linesOf(locator);
    if (lines === null) throw locatorNotFound(opened);
    const chars = charsOf(locator);
    // The line that a part is taken of may be as long as what is indexed.
    const limit = chars === null ? catMaxChars : this.#settings.maxFileBytes;
    const text = await rangeOf(this.#text(opened, signal), lines, limit);
    const content = chars === null ? text : withoutLineEnd(text).slice(chars.start, chars.end);
    if (content.length > catMaxChars) throw tooLarge(opened.location.uri);
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
    const text = await wholeText(this.#text(opened, signal), this.#settings.maxFileBytes);
    const shown = outline(text, kind, mediaType, density);
    if (shown === null) throw unsupported;
    return shown;
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

/** Reads up to the first piece, so that what cannot be read at all fails before an answer has begun. */
async function started(pieces: TextPieces): Promise<TextPieces> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let step = first; step.done !== true; step = await iterator.next()) yield step.value;
    } finally {
      await iterator.return?.();
    }
  })();
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
