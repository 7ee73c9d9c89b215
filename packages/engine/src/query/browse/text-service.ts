import { inject, injectable, createToken } from '@trove/core/di';
import { isTroveError, joinUri, parseUri, TroveError, type Entry } from '@trove/core';
import { withTimeout } from '@trove/runtime';
import { ContentsToken, type Contents } from '../../content/contents.js';
import { ConnectorsToken, type Connectors } from '../../sources/connectors/connectors.js';
import { SourceTreeToken, type SourceTree } from '../../sources/connectors/source-tree.js';
import { ObjectPlannerToken, type ObjectPlanner } from '../../sources/objects/object-plan.js';
import { SettingsToken } from '../../tokens.js';
import type { SourceText } from '../../api/calls.js';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';
import { ignoreIncomplete } from '../../sources/connectors/incomplete-listing.js';
import { chunkRecords } from '../../content/record-chunks.js';
import type { EngineSettings } from '../../settings.js';

/** Codes of errors that concern one object. Other errors concern the source. */
const objectErrorCodes: ReadonlySet<string> = new Set([
  'not_supported',
  'document_encrypted',
  'document_damaged',
  'document_empty',
  'document_too_complex',
  'payload_too_large',
  'path_not_allowed',
  'timed_out',
  'internal_error',
]);

/** Codes for objects that were removed or replaced after they were listed, as happens in folders in use. */
const goneErrorCodes: ReadonlySet<string> = new Set(['not_found', 'is_directory']);

/** Selects objects of a source. */
interface TextSelection {
  readonly filter: (path: string) => boolean;
  /** Time limit for reading an object as a whole. */
  readonly timeoutMs: number;
}

interface TextRequest {
  readonly connector: GuardedConnector;
  readonly entry: Entry;
  readonly source: string;
  readonly timeoutMs: number;
}

/** An open source and the path to read in it. */
interface OpenSource {
  readonly connector: GuardedConnector;
  readonly rootUri: string;
  readonly entries: AsyncIterable<Entry>;
  /** Path of a folder or object; '' for the whole source. */
  readonly below: string;
}

/** The token of `TextService` in an engine's container. */
export const TextsToken = createToken<TextService>('engine.text');

/** Reads whole sources as texts, for uses other than the index. */
@injectable()
export class TextService {
  readonly #connectors: Connectors;
  readonly #tree: SourceTree;
  readonly #contents: Contents;
  readonly #planner: ObjectPlanner;
  readonly #settings: EngineSettings;

  constructor(
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(SourceTreeToken) tree: SourceTree,
    @inject(ContentsToken) contents: Contents,
    @inject(ObjectPlannerToken) planner: ObjectPlanner,
    @inject(SettingsToken) settings: EngineSettings,
  ) {
    this.#connectors = connectors;
    this.#tree = tree;
    this.#contents = contents;
    this.#planner = planner;
    this.#settings = settings;
  }

  /** Yields the texts of a target. Local paths need not be registered. */
  async *texts(
    target: string,
    selection: TextSelection,
    signal: AbortSignal,
  ): AsyncGenerator<SourceText, void, undefined> {
    const uri = await this.#connectors.findUri(target);
    const owner = await this.#connectors.findOwner(uri);
    if (owner !== null) {
      const location = await this.#connectors.locate(uri);
      const { connector, path: below } = location;
      const entries = this.#tree.list(location, signal);
      yield* this.#readAll(
        { connector, rootUri: owner.rootUri, entries, below },
        selection,
        signal,
      );
      return;
    }
    if (parseUri(uri).scheme !== 'file') await this.#connectors.locate(uri);
    const foundTarget = await this.#connectors.resolveTarget(uri);
    const connector = await this.#connectors.create(foundTarget, {
      config: null,
      tree: null,
      isTemporary: true,
    });
    try {
      const entries = ignoreIncomplete(connector.list({ signal }));
      yield* this.#readAll(
        { connector, rootUri: foundTarget.rootUri, entries, below: '' },
        selection,
        signal,
      );
    } finally {
      await this.#connectors.release(connector);
    }
  }

  async *#readAll(
    { connector, rootUri, entries, below }: OpenSource,
    { filter, timeoutMs }: TextSelection,
    signal: AbortSignal,
  ): AsyncGenerator<SourceText, void, undefined> {
    const planOf = await this.#planner.plannerOf(connector);
    for await (const entry of entries) {
      const path = pathBelow(below, entry.path);
      if (path === null || !filter(path)) continue;
      const source = joinUri(rootUri, entry.path);
      const { refusal } = planOf(entry);
      if (refusal !== null) {
        // An object that is requested by its own path is reported even if a rule leaves it out.
        if (path === '') yield { source, problem: { code: 'not_supported', detail: refusal } };
        continue;
      }
      try {
        yield* this.#readObject({ connector, entry, source, timeoutMs }, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!isTroveError(error)) throw error;
        if (goneErrorCodes.has(error.code) && path !== '') continue;
        if (!objectErrorCodes.has(error.code)) throw error;
        yield { source, problem: { code: error.code, detail: error.detail } };
      }
    }
  }

  async *#readObject(
    { connector, entry, source, timeoutMs }: TextRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SourceText, void, undefined> {
    const content = await this.#contents.open(connector, entry, 'exports', signal);
    const title = entry.title ?? null;
    if (content.form === 'records') {
      for await (const { record, texts } of chunkRecords(content, this.#settings.chunkChars)) {
        yield { source, title: record.title ?? title, text: [...texts].join('\n') };
      }
      return;
    }
    const text = await withTimeout(timeoutMs, signal, async (deadline) => {
      // Opened again, because `content` does not end at the deadline.
      const timedContent = await this.#contents.open(connector, entry, 'exports', deadline);
      return timedContent.form === 'records' ? '' : this.#collect(timedContent.text());
    });
    yield { source, title, text };
  }

  async #collect(text: AsyncIterable<string>): Promise<string> {
    const pieces: string[] = [];
    let chars = 0;
    for await (const piece of text) {
      pieces.push(piece);
      chars += piece.length;
      if (chars > this.#settings.maxFileBytes) {
        throw new TroveError(
          'payload_too_large',
          `The object has more than ${this.#settings.maxFileBytes} characters`,
        );
      }
    }
    return pieces.join('');
  }
}

/** Returns a path relative to a folder: '' for the folder itself, null outside it. */
function pathBelow(below: string, path: string): string | null {
  if (below === '') return path;
  if (path === below) return '';
  return path.startsWith(`${below}/`) ? path.slice(below.length + 1) : null;
}
