import { inject, injectable, createToken } from '@trove/core/di';
import {
  charsOf,
  isTroveError,
  linesOf,
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
  ConnectorsToken,
  type Connectors,
  type Location,
} from '../../sources/connectors/connectors.js';
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
import { readLastLines, readLinePart, readLines, readText } from '../../content/text-lines.js';
import type { TextPieces } from '../../content/content-request.js';

/** Maximum characters in an answer of cat, head and tail. */
const maxCatChars = 1024 * 1024;
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

/** The token of `ReadService` in an engine's container. */
export const ReadToken = createToken<ReadService>('engine.read');

/** Reads objects from their source: cat, head, tail, export. */
@injectable()
export class ReadService {
  readonly #connectors: Connectors;
  readonly #store: Pick<ActiveObjects, 'findSummaries'>;
  readonly #tree: SourceTree;
  readonly #contents: Contents;
  readonly #pool: ComputePool;
  readonly #outlineGate = new Gate(maxOutlines);

  constructor(
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(ActiveObjectsToken) store: Pick<ActiveObjects, 'findSummaries'>,
    @inject(SourceTreeToken) tree: SourceTree,
    @inject(ContentsToken) contents: Contents,
    @inject(CallerPoolToken) pool: ComputePool,
  ) {
    this.#connectors = connectors;
    this.#store = store;
    this.#tree = tree;
    this.#contents = contents;
    this.#pool = pool;
  }

  async cat(
    { path, range, bytes, locator, meta, density }: Infer<typeof catQuerySchema>,
    signal: AbortSignal,
  ): Promise<CatResponse | ObjectMeta> {
    const selections =
      [range, bytes, locator, density].filter((part) => part !== undefined).length + (meta ? 1 : 0);
    if (selections > 1)
      throw new TroveError(
        'validation_error',
        'range, bytes, locator, density and meta: use at most one of them',
      );
    const lineRange = range === undefined ? null : parseRange(range);
    const byteRange = bytes === undefined ? null : parseByteRange(bytes);
    const parsedLocator = locator === undefined ? null : parseLocator(locator);

    const summaryKind = parsedLocator === null ? null : summaryKindOf(parsedLocator);
    if (summaryKind !== null) return this.#summary(path, summaryKind);
    const object = await this.#open(path, 'reads', signal);
    const { location, content } = object;
    if (meta) return metaOf(object);
    if (parsedLocator !== null)
      return toCatResponse(object, await readLocated(object, parsedLocator));
    if (density !== undefined && density !== 'deep')
      return toCatResponse(object, await this.#outline(object, density, signal));
    if (byteRange !== null) {
      if (content.form === 'records')
        throw new TroveError('range_unsupported', `${location.uri} consists of records, not bytes`);
      return toCatResponse(object, await content.textOfRange(byteRange, maxCatBytes));
    }
    if (lineRange !== null) return toCatResponse(object, await readLineRange(content, lineRange));
    if (content.minChars > maxCatChars) throw tooLarge(location.uri, 'characters', maxCatChars);
    return toCatResponse(object, await readText(content.text(), maxCatChars));
  }

  /** Returns the summary of an object or folder. */
  async #summary(path: string, kind: SummaryKind): Promise<CatResponse> {
    const location = await this.#connectors.locate(path);
    const isFolder = kind === 'directory_summary' && location.path !== '';
    const stored = isFolder ? `${location.path}/` : location.path;
    const found = await this.#store.findSummaries(location.record.id, [stored]);
    const summary = found.find((each) => each.kind === kind);
    if (summary === undefined) throw locatorNotFound(location.uri);
    return { source: location.uri, content: summary.text, partial: false };
  }

  async head({ path, n }: LinesRequest, signal: AbortSignal): Promise<CatResponse> {
    const object = await this.#open(path, 'reads', signal);
    const lines = await readFirstLines(object.content, n);
    return toCatResponse(object, lines);
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
    return toCatResponse(object, lines);
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
    const location = await this.#connectors.locate(path);
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
  ): Promise<string> {
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

async function readLocated({ location, content }: OpenedObject, locator: Locator): Promise<string> {
  const found =
    content.form === 'records'
      ? await content.textAt(locator, maxCatChars)
      : await partOf(content.text(), locator);
  if (found !== null) return found;
  throw locatorNotFound(location.uri);
}

function locatorNotFound(uri: string): TroveError {
  return new TroveError('locator_not_found', `${uri} contains nothing at this locator`);
}

/** Reads a range of lines. Of records, each is a line of JSON. */
function readLineRange(content: ObjectContent, { start, end }: LineRange): Promise<string> {
  if (content.form !== 'records') return readLines(content.text(), { start, end }, maxCatChars);
  const limit = Number.isFinite(end) ? { limit: end - start + 1 } : {};
  return readText(content.text({ offset: start - 1, ...limit }), maxCatChars);
}

function readFirstLines(content: ObjectContent, n: number): Promise<string> {
  const text = content.form === 'records' ? content.text({ limit: n }) : content.text();
  return readLines(text, { start: 1, end: n }, maxCatChars);
}

/** Reads the lines or characters that a locator names, or null. */
async function partOf(text: TextPieces, locator: Locator): Promise<string | null> {
  const lines = linesOf(locator);
  if (lines === null) return null;
  const chars = charsOf(locator);
  const part =
    chars === null
      ? await readLines(text, lines, maxCatChars)
      : await readLinePart(text, lines.start, chars, maxCatChars);
  return part === '' ? null : part;
}

function toCatResponse({ location }: OpenedObject, content: string): CatResponse {
  return { source: location.uri, content, partial: false };
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

function tooLarge(uri: string, unit: 'bytes' | 'characters', limit: number): TroveError {
  return new TroveError('object_too_large_for_cat', `${uri} has more than ${limit} ${unit}`);
}
