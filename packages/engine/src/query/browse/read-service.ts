import { inject, injectable, createToken } from '@trove/core/di';
import {
  charsOf,
  isTroveError,
  parseByteRange,
  parseLocator,
  parseRange,
  TroveError,
  type Entry,
  type Infer,
  type LineRange,
  type Locator,
} from '@trove/core';
import type { SummaryKind } from '@trove/core/store';
import { Gate } from '@trove/runtime';
import { CallerPoolToken, type ComputePool } from '../../content/compute/compute-pool.js';
import { ContentsToken, type Contents, type ObjectContent } from '../../content/contents.js';
import {
  ActiveObjectsToken,
  type ActiveObjects,
} from '../../generations/selection/active-objects.js';
import {
  SourceFinderToken,
  type Location,
  type SourceFinder,
} from '../../sources/connectors/source-finder.js';
import { SourceTreeToken, type SourceTree } from '../../sources/connectors/source-tree.js';
import type { Export } from '../../api/calls.js';
import type {
  catQuerySchema,
  CatResponse,
  linesQuerySchema,
  ObjectMeta,
  PathQuery,
} from '../../api/schemas.js';
import { summaryKindOf } from '../../content/summary-locator.js';
import { likelyMediaType } from '../../sources/objects/stated-type.js';
import { readLastLines, readLinePart, readLines } from '../../content/text-lines.js';
import type { ByteContent } from '../../content/byte-content.js';
import type { Outline } from '../../content/chunking/index.js';
import type { RecordContent } from '../../content/record-content.js';
import {
  maxCatChars,
  readRange,
  readRecords,
  readWhole,
  requireOneSelection,
  selectLines,
  tooLarge,
  widened,
  withNumbers,
  type LineSelection,
  type ReadLines,
} from './line-selection.js';
import type { TextPieces } from '../../content/content-request.js';

/** Maximum byte range of a cat. */
const maxCatBytes = 1024 * 1024;
/** Maximum bytes of an object to outline, because it is read as a whole. */
const maxOutlineBytes = 8 * 1024 * 1024;
/** Each outline holds a whole text in a thread. */
const maxOutlines = 4;
const outlineLimitMs = 10_000;

type LinesRequest = Infer<typeof linesQuerySchema>;

/** An existing object, opened for reading. */
interface OpenedObject {
  readonly location: Location;
  readonly entry: Entry;
  readonly content: ObjectContent;
}

/** The selected part of an object. */
interface SelectedText extends ReadLines {
  /** Whether the lines are those of a definition. Only set if the request asks for one. */
  readonly enclosed?: boolean;
}

/** The token of `ReadService` in an engine's container. */
export const ReadToken = createToken<ReadService>('engine.read');

/** Reads objects from their source: cat, head, tail, export. */
@injectable()
export class ReadService {
  readonly #sources: SourceFinder;
  readonly #store: Pick<ActiveObjects, 'findSummaries'>;
  readonly #tree: SourceTree;
  readonly #contents: Contents;
  readonly #pool: ComputePool;
  readonly #outlineGate = new Gate(maxOutlines);

  constructor(
    @inject(SourceFinderToken) sources: SourceFinder,
    @inject(ActiveObjectsToken) store: Pick<ActiveObjects, 'findSummaries'>,
    @inject(SourceTreeToken) tree: SourceTree,
    @inject(ContentsToken) contents: Contents,
    @inject(CallerPoolToken) pool: ComputePool,
  ) {
    this.#sources = sources;
    this.#store = store;
    this.#tree = tree;
    this.#contents = contents;
    this.#pool = pool;
  }

  async cat(
    query: Infer<typeof catQuerySchema>,
    signal: AbortSignal,
  ): Promise<CatResponse | ObjectMeta> {
    requireOneSelection(query);
    const { path, range, bytes, locator, meta, density, numbers } = query;
    const lineRange = range === undefined ? null : parseRange(range);
    const byteRange = bytes === undefined ? null : parseByteRange(bytes);
    const parsedLocator = locator === undefined ? null : parseLocator(locator);

    const summaryKind = parsedLocator === null ? null : summaryKindOf(parsedLocator);
    if (summaryKind !== null) return this.#summary(path, summaryKind);
    const object = await this.#open(path, 'reads', signal);
    const { location, content } = object;
    if (meta) return metaOf(object);
    if (density !== undefined && density !== 'deep') {
      const { text, entries } = await this.#outline(object, density, signal);
      return toCatResponse(object, { text }, density === 'peek' ? [...entries] : null);
    }
    if (byteRange !== null) {
      if (content.form === 'records')
        throw new TroveError('range_unsupported', `${location.uri} consists of records, not bytes`);
      const text = await content.textOfRange(byteRange, maxCatBytes);
      return toCatResponse(object, { text });
    }
    const selected = selectLines(lineRange, parsedLocator);
    const read = await this.#readSelected(object, selected, query, signal);
    return toCatResponse(object, numbers ? { ...read, text: withNumbers(read) } : read);
  }

  /** Reads the selected part of an object, or all of it. */
  async #readSelected(
    object: OpenedObject,
    { range, locator }: LineSelection,
    { context, enclosing }: Pick<Infer<typeof catQuerySchema>, 'context' | 'enclosing'>,
    signal: AbortSignal,
  ): Promise<SelectedText> {
    const { location, content } = object;
    // After opening: whether the object exists matters first.
    if ((context > 0 || enclosing) && range === null) {
      throw new TroveError(
        'validation_error',
        'context and enclosing: use them with `range` or a locator of lines',
      );
    }
    if (content.form === 'records') {
      if (enclosing)
        throw new TroveError('validation_error', 'enclosing: records have no definitions');
      if (locator !== null) return { text: await recordsAt(object, content, locator) };
      return range === null
        ? readWhole(location.uri, content)
        : readRecords(content, range, context);
    }
    if (range === null) {
      if (locator !== null) throw locatorNotFound(location.uri);
      return readWhole(location.uri, content);
    }
    const chars = locator === null ? null : charsOf(locator);
    if (chars !== null && context === 0 && !enclosing) {
      const text = await readLinePart(content.text(), range.start, chars, maxCatChars);
      if (text === '') throw locatorNotFound(location.uri);
      return { text, lines: { from: range.start, to: range.start, total: null } };
    }
    const definition = enclosing ? await this.#enclosing(object, content, range, signal) : null;
    const read = await readRange(content, widened(definition ?? range, context));
    if (locator !== null && read.text === '') throw locatorNotFound(location.uri);
    return enclosing ? { ...read, enclosed: definition !== null } : read;
  }

  /** Returns the lines of the smallest definition around the start of a range, or null. */
  async #enclosing(
    { location }: OpenedObject,
    content: ByteContent,
    range: LineRange,
    signal: AbortSignal,
  ): Promise<LineRange | null> {
    const found = await this.#outlineGate.run(signal, async () => {
      const held = await content.bytes(maxOutlineBytes);
      if (held === null) throw tooLarge(location.uri, 'bytes', maxOutlineBytes);
      const request = { object: held.object, line: range.start };
      return this.#pool
        .run('enclosing', request, { limitMs: outlineLimitMs, signal })
        .finally(held.release);
    });
    return found?.lines ? { start: found.lines[0], end: found.lines[1] } : null;
  }

  /** Returns the summary of an object or folder. */
  async #summary(path: string, kind: SummaryKind): Promise<CatResponse> {
    const location = await this.#sources.locate(path);
    const isFolder = kind === 'directory_summary' && location.path !== '';
    const stored = isFolder ? `${location.path}/` : location.path;
    const found = await this.#store.findSummaries(location.record.id, [stored]);
    const summary = found.find((each) => each.kind === kind);
    if (summary === undefined) throw locatorNotFound(location.uri);
    return {
      source: location.uri,
      content: summary.text,
      partial: false,
      lines: null,
      outline: null,
    };
  }

  async head({ path, n }: LinesRequest, signal: AbortSignal): Promise<CatResponse> {
    const object = await this.#open(path, 'reads', signal);
    const { content } = object;
    if (content.form !== 'records')
      return toCatResponse(
        object,
        await readRange(content, { start: 1, end: n }, { counts: false }),
      );
    const text = await readLines(content.text({ limit: n }), { start: 1, end: n }, maxCatChars);
    return toCatResponse(object, { text });
  }

  async tail({ path, n }: LinesRequest, signal: AbortSignal): Promise<CatResponse> {
    const object = await this.#open(path, 'reads', signal);
    const { tail } = await object.location.connector.capabilities(signal);
    if (!tail)
      throw new TroveError('tail_unsupported', `${object.location.uri} has no stable order`);
    const { content } = object;
    const lines =
      content.form === 'bytes'
        ? await content.lastLines(n, maxCatChars)
        : await readLastLines(content.text(), n, maxCatChars);
    return { source: object.location.uri, content: lines, partial: false };
  }

  async export({ path }: PathQuery, signal: AbortSignal): Promise<Export> {
    const { location, content } = await this.#open(path, 'exports', signal);
    return {
      source: location.uri,
      partial: false,
      content: await startReading(content.text(), signal),
    };
  }

  /** Opens an object. Throws `not_found` and `is_directory`. */
  async #open(path: string, use: 'reads' | 'exports', signal: AbortSignal): Promise<OpenedObject> {
    const location = await this.#sources.locate(path);
    const entry = await this.#tree.stat(location, signal);
    if (entry === null) {
      if (await this.#isDirectory(location, signal)) throw directoryError(location.uri);
      throw new TroveError('not_found', `There is nothing at ${location.uri}`);
    }
    if (entry.kind === 'directory') throw directoryError(location.uri);
    const content = await this.#contents.open(location.connector, entry, use, signal);
    return { location, entry, content };
  }

  async #isDirectory(location: Location, signal: AbortSignal): Promise<boolean> {
    try {
      const entries = this.#tree.browse(location, signal);
      await entries.next();
      await entries.return();
      return true;
    } catch (error) {
      if (isTroveError(error) && error.code === 'not_found') return false;
      throw error;
    }
  }

  async #outline(
    { location, content }: OpenedObject,
    density: 'peek' | 'skim',
    signal: AbortSignal,
  ): Promise<Outline> {
    const unsupported = new TroveError('density_unsupported', `${location.uri} has no outline`);
    if (content.form === 'records') throw unsupported;
    const { outline } = await this.#outlineGate.run(signal, async () => {
      const held = await content.bytes(maxOutlineBytes);
      if (held === null) throw tooLarge(location.uri, 'bytes', maxOutlineBytes);
      const request = { object: held.object, density };
      return this.#pool
        .run('outline', request, { limitMs: outlineLimitMs, signal })
        .finally(held.release);
    });
    if (outline === null) throw unsupported;
    return outline;
  }
}

function locatorNotFound(uri: string): TroveError {
  return new TroveError('locator_not_found', `${uri} contains nothing at this locator`);
}

async function recordsAt(
  { location }: OpenedObject,
  content: RecordContent,
  locator: Locator,
): Promise<string> {
  const found = await content.textAt(locator, maxCatChars);
  if (found === null) throw locatorNotFound(location.uri);
  return found;
}

function toCatResponse(
  { location }: OpenedObject,
  { text, lines = null, enclosed }: SelectedText,
  outline: CatResponse['outline'] = null,
): CatResponse {
  const response = { source: location.uri, content: text, partial: false, lines, outline };
  return enclosed === undefined ? response : { ...response, enclosed };
}

function metaOf({ location, entry }: OpenedObject): ObjectMeta {
  return {
    source: location.uri,
    media_type: likelyMediaType(entry, location.uri),
    size_hint: entry.size,
    fingerprint: entry.fingerprint,
    content: '',
  };
}

/**
 * Reads the first piece, so an unreadable object fails before the answer starts. Releases the object when the signal
 * aborts, even if the rest is never read.
 */
async function startReading(
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

function directoryError(uri: string): TroveError {
  return new TroveError('is_directory', `${uri} is a directory`);
}
