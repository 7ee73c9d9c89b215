import { isTroveError, TroveError, type Logger } from '@trove/core';
import { withTimeout } from '@trove/runtime';
import { kindOf, mediaTypeOf } from '@trove/text/media-types';
import { markdownTitle } from '../identity/markdown-title.js';
import { parseLocalGlob } from './local-glob.js';
import type { ReaderOptions, ReaderText, SourceReader } from './source-reader.js';
import { readBytes, extractText, type GraphConversions } from './document-text.js';
import { isWebUrl, readWebPage } from './web-page.js';

/** A loaded document. */
export interface LoadedDocument {
  readonly source: string;
  /** `url`, `upload`, or the URI scheme of its source. */
  readonly type: string;
  readonly title: string | null;
  readonly text: string;
  /** Whether the text may have headings. Programs have comments that look like headings. */
  readonly isMarkdown: boolean;
}

/** A file from a client. */
export interface UploadedFile {
  readonly name: string;
  /** Media type, as the client states it. */
  readonly type: string;
  read(): AsyncIterable<Uint8Array>;
}

export interface LoaderOptions {
  readonly conversions: GraphConversions;
  /** Null if only URLs can be imported. */
  readonly reader: SourceReader | null;
  readonly privateHosts: readonly string[];
  /** Per document. */
  readonly maxBytes: number;
  /** Per document. */
  readonly timeoutMs: number;
  readonly logger: Logger;
}

export interface LoadOptions {
  /** Receives each document that could not be loaded. */
  readonly warn: (problem: string) => void;
  readonly signal: AbortSignal;
  /** Called regularly during the build. */
  readonly onProgress?: (() => void) | undefined;
}

/** Loads documents from URLs, files and sources. */
export class DocumentLoader {
  readonly #options: LoaderOptions;
  readonly #privateHosts: ReadonlySet<string>;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#privateHosts = new Set(options.privateHosts);
  }

  /**
   * Yields the documents of several sources, one after another. Throws if a source fails in the middle, because a part
   * of it would be misleading.
   */
  async *sources(
    sources: readonly string[],
    call: LoadOptions,
  ): AsyncGenerator<LoadedDocument, void, undefined> {
    const { warn, signal, onProgress } = call;
    for (const source of sources) {
      let isBegun = false;
      try {
        for await (const document of this.#source(source, call)) {
          isBegun = true;
          yield document;
        }
      } catch (error) {
        const problem = this.#problem(source, error, signal);
        if (isBegun) throw error;
        warn(problem);
      } finally {
        onProgress?.();
      }
    }
  }

  async *uploads(
    files: readonly UploadedFile[],
    { warn, signal, onProgress }: LoadOptions,
  ): AsyncGenerator<LoadedDocument, void, undefined> {
    for (const file of files) {
      const source = baseName(file.name);
      try {
        const { text, title } = await withTimeout(this.#options.timeoutMs, signal, (until) =>
          this.#uploaded(file, until),
        );
        yield toDocument(source, source, 'upload', title, requireText(text));
      } catch (error) {
        warn(this.#problem(source, error, signal));
      } finally {
        onProgress?.();
      }
    }
  }

  async #uploaded({ name, type, read }: UploadedFile, signal: AbortSignal) {
    const { conversions, maxBytes } = this.#options;
    const bytes = await readBytes(read(), maxBytes);
    return extractText(conversions, { bytes, name, mediaType: type }, signal);
  }

  async *#source(
    source: string,
    call: LoadOptions,
  ): AsyncGenerator<LoadedDocument, void, undefined> {
    const { timeoutMs } = this.#options;
    if (isWebUrl(source)) {
      yield await withTimeout(timeoutMs, call.signal, (until) => this.#page(source, until));
    } else {
      yield* this.#objects(source, call);
    }
  }

  async #page(source: string, signal: AbortSignal): Promise<LoadedDocument> {
    const { conversions, maxBytes } = this.#options;
    const limits = { maxBytes, privateHosts: this.#privateHosts };
    const { url, bytes, mediaType } = await readWebPage(source, limits, signal);
    const { pathname } = new URL(url);
    const file = { bytes, name: pathname, mediaType };
    const { text, title } = await extractText(conversions, file, signal);
    return { source, type: 'url', title, text: requireText(text), isMarkdown: true };
  }

  async *#objects(
    source: string,
    { warn, signal, onProgress }: LoadOptions,
  ): AsyncGenerator<LoadedDocument, void, undefined> {
    const { reader, timeoutMs } = this.#options;
    if (reader === null) throw new TroveError('not_supported', 'Only URLs can be imported here');
    let found = 0;
    let skipped: ReaderText | null = null;
    for await (const each of readTexts(reader, source, { timeoutMs, signal })) {
      onProgress?.();
      if ('text' in each) {
        if (each.text.trim() === '') continue;
        found++;
        const { source: uri, title, text } = each;
        yield toDocument(uri, baseName(uri), schemeOf(uri), title, text);
      } else if (isSkippable(each.problem.code)) skipped ??= each;
      else warn(`${each.source}: ${each.problem.detail}`);
    }
    if (found > 0) return;
    const why =
      skipped !== null && 'problem' in skipped
        ? skipped.problem.detail
        : 'The source contains no text';
    throw new TroveError('not_found', why);
  }

  #problem(source: string, error: unknown, signal: AbortSignal): string {
    signal.throwIfAborted();
    if (isTroveError(error) && error.code !== 'internal_error') return `${source}: ${error.detail}`;
    this.#options.logger.error('a document could not be loaded', { source, error: String(error) });
    return `${source}: could not be loaded`;
  }
}

/** Creates a document. Its title is the stated one, else that of its Markdown, else the name of its file. */
function toDocument(
  source: string,
  name: string,
  type: string,
  title: string | null,
  text: string,
): LoadedDocument {
  const isMarkdown = mediaTypeOf(name) === null || kindOf(name, null, false) === 'document';
  const own = isMarkdown ? markdownTitle(text) : null;
  return { source, type, title: title ?? own ?? titleFromName(name), text, isMarkdown };
}

/** Reads a path literally before as a pattern, because names may contain wildcards. */
async function* readTexts(
  reader: SourceReader,
  source: string,
  options: ReaderOptions,
): AsyncGenerator<ReaderText, void, undefined> {
  const glob = parseLocalGlob(source);
  let isBegun = false;
  try {
    for await (const text of reader.texts(source, options)) {
      isBegun = true;
      yield text;
    }
  } catch (error) {
    options.signal.throwIfAborted();
    // Each source has its own error for a missing path.
    if (glob === null || isBegun || !isTroveError(error)) throw error;
  }
  if (glob === null || isBegun) return;
  yield* reader.texts(glob.folder, { ...options, filter: glob.matches });
}

/** Tests for images, programs and documents without text, which are skipped in folders. */
function isSkippable(code: string): boolean {
  return code === 'not_supported' || code === 'document_empty';
}

function schemeOf(uri: string): string {
  return uri.slice(0, Math.max(0, uri.indexOf(':')));
}

function requireText(text: string): string {
  if (text.trim() === '') throw new TroveError('document_empty', 'The document contains no text');
  return text;
}

function baseName(name: string): string {
  return (
    decodeName(name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)) || name
  );
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns the name of a file without its extension. */
function titleFromName(name: string): string {
  return name.replace(/\.[^.]{1,10}$/u, '') || name;
}
