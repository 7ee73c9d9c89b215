import {
  parseUri,
  TroveError,
  type BrowseEntry,
  type ByteRange,
  type ChangesRequest,
  type Checkpoint,
  type Connector,
  type ConnectorPlugin,
  type Content,
  type Entry,
  type ExplainOptions,
  type SyncExplanation,
  type GrepItem,
  type GrepRequest,
  type ListRequest,
  type RecordsOptions,
} from '@trove/core';
import {
  createAbortController,
  Guard,
  toAsyncIterable,
  type KnownSecrets,
  type ItemBatchLimits,
  withRetries,
} from '@trove/runtime';
import { capabilitiesOf, hasMethod, type EffectiveCapabilities } from './capabilities.js';
import { levelOf } from './tree-level.js';
import { ignoreIncomplete } from './incomplete-listing.js';
import type { RecordItem } from './invalid-record.js';
import { ItemChecks, type CheckedChange } from './item-checks.js';
import type { ConnectorState } from './connector-state.js';
import type { ObjectRules } from '../objects/object-rules.js';
import { watchUntil } from './watching.js';
import { retryStart, interactiveRetryMs, retryListing } from './connector-retries.js';
import {
  browseProblem,
  grepProblem,
  truncateMatch,
  type UsableChange,
} from './connector-validation.js';
import { replacedError } from './replaced-error.js';
import { identityOption, type SourceObject } from './source-object.js';
import { healthOfError, toSourceHealth, type SourceHealth } from './source-health.js';

const secondMs = 1000;
/** Time limits for one call and for one item of a listing. */
const timeoutsMs = { check: 10 * secondMs, item: 120 * secondMs, call: 60 * secondMs } as const;
/** The time limit for one item of a costly listing. A crawl may visit many pages before it finds an object. */
const costlyItemMs = 1800 * secondMs;

export interface GuardedConnectorOptions {
  readonly plugin: Pick<ConnectorPlugin, 'capabilities'>;
  readonly rootUri: string;
  readonly rules: ObjectRules;
  readonly state: ConnectorState;
  readonly secrets: readonly string[];
  readonly knownSecrets: KnownSecrets;
  /** Warnings about allowed but discouraged settings. */
  readonly warnings: readonly string[];
  readonly create: () => Promise<Connector>;
  /** Called when the last call has ended. */
  readonly onIdle?: (connector: GuardedConnector) => void;
}

/**
 * Wraps a connector for the engine: starts it on first use, limits the time of calls, validates results, and replaces
 * missing methods.
 */
export class GuardedConnector {
  readonly rootUri: string;
  readonly rules: ObjectRules;
  /** The state that the connector stores with each job. */
  readonly state: ConnectorState;
  readonly warnings: readonly string[];
  readonly #scheme: string;
  readonly #plugin: GuardedConnectorOptions['plugin'];
  readonly #guard: Guard<Connector>;
  /** Ends a watch when the connector closes. */
  readonly #closing = createAbortController();
  readonly #checks: ItemChecks;
  #capabilities: EffectiveCapabilities | undefined;

  constructor(options: GuardedConnectorOptions) {
    this.rootUri = options.rootUri;
    this.rules = options.rules;
    this.state = options.state;
    this.warnings = options.warnings;
    this.#plugin = options.plugin;
    this.#scheme = parseUri(options.rootUri).scheme;
    this.#checks = new ItemChecks(this.#scheme, (text) => this.#guard.redact(text));
    this.#guard = new Guard<Connector>({
      name: `connector ${this.#scheme}`,
      errorCode: 'connector_unhealthy',
      secrets: options.secrets,
      knownSecrets: options.knownSecrets,
      start: async () => this.#checks.validateConnector(await options.create()),
      close: async (connector) => connector.close?.(),
      closedError: replacedError,
      onIdle: () => options.onIdle?.(this),
    });
  }

  /**
   * Returns which optional methods the connector has, and its declared capabilities. They do not change after its start.
   */
  async capabilities(signal: AbortSignal): Promise<EffectiveCapabilities> {
    this.#capabilities ??= await this.#guard.call('create', timeoutsMs.call, signal, (connector) =>
      capabilitiesOf(connector, this.#plugin.capabilities),
    );
    return this.#capabilities;
  }

  /** Throws `since_unsupported` if the connector cannot list changes since a time. */
  async assertListsSince(since: string, signal: AbortSignal): Promise<void> {
    if ((await this.capabilities(signal)).since) return;
    throw new TroveError(
      'since_unsupported',
      `${this.rootUri} cannot be synced from ${since.slice(0, 40)}: its connector has no time cursor`,
    );
  }

  check(signal: AbortSignal): Promise<SourceHealth> {
    return this.#fetchHealth(signal).catch(healthOfError);
  }

  #fetchHealth(signal: AbortSignal): Promise<SourceHealth> {
    return this.#guard.call('check', timeoutsMs.check, signal, async (connector) => {
      if (hasMethod(connector, 'check'))
        return this.#checks.validateHealth(await connector.check({ signal }));
      for await (const entry of ignoreIncomplete(this.#listOf(connector, signal))) {
        const { path } = this.#checks.entryChecker()(entry);
        return toSourceHealth({ ok: true, detail: `reachable; the first object is ${path}` });
      }
      return toSourceHealth({ ok: true, detail: 'reachable; it contains no objects' });
    });
  }

  /** Returns the requests of a sync. Throws `not_supported` if the connector cannot tell. */
  explain(request: ExplainOptions): Promise<SyncExplanation> {
    return this.#guard.call('explain', timeoutsMs.check, request.signal, async (connector) => {
      if (hasMethod(connector, 'explain'))
        return this.#checks.validateExplanation(await connector.explain(request));
      throw new TroveError(
        'not_supported',
        `The ${this.#scheme} connector cannot tell the requests of a sync`,
        {
          suggestions: [
            'Check the connection with `probe`, or list the source without indexing it with `estimate`.',
          ],
        },
      );
    });
  }

  /** Lists the readable part of the source. Only a sync reports unreadable parts. */
  list(request: ListRequest): AsyncGenerator<Entry, void, undefined> {
    const items = this.#guard.iterate(
      'list',
      this.#listItemMs,
      request.signal,
      (connector) => connector.list(request),
      this.#checks.listChecker(),
    );
    return ignoreIncomplete(items);
  }

  /** `onPause` receives the pause that the source requests, in milliseconds. */
  listInParts(
    request: ListRequest,
    part: ItemBatchLimits,
    onPause: (ms: number) => Promise<void>,
  ): AsyncGenerator<(Entry | Checkpoint)[], void, undefined> {
    return retryListing(request, onPause, (resumed) =>
      this.#guard.iterateInBatches(
        'list',
        this.#listItemMs,
        request.signal,
        (connector) => connector.list(this.#checks.withSafeWarnings(resumed)),
        part,
        this.#checks.listChecker(),
      ),
    );
  }

  changesInParts(
    request: ChangesRequest,
    part: ItemBatchLimits,
    onPause: (ms: number) => Promise<void>,
  ): AsyncGenerator<CheckedChange[], void, undefined> {
    let attempts = 0;
    return retryListing(request, onPause, (resumed) => {
      const parts = this.#guard.iterateInBatches(
        'changes',
        timeoutsMs.item,
        request.signal,
        (connector) => {
          if (!hasMethod(connector, 'changes')) throw this.#unsupported('changes');
          return connector.changes({
            ...this.#checks.withSafeWarnings(resumed),
            commit: this.#checks.commitOf(request),
          });
        },
        part,
        this.#checks.changeChecker(),
      );
      return attempts++ === 0 ? parts : markRestart(parts);
    });
  }

  get #listItemMs(): number {
    const { costlyListing } = this.#capabilities ?? this.#plugin.capabilities ?? {};
    return costlyListing === true ? costlyItemMs : timeoutsMs.item;
  }

  /** With a `range`, the connector chooses what to return. `start` is the offset of the result, 0 for everything. */
  async read(
    object: SourceObject,
    signal: AbortSignal,
    range?: ByteRange,
  ): Promise<Required<Content>> {
    const { path } = object;
    this.#checks.assertValidEntry(path);
    const content = await this.#guard.call('read', timeoutsMs.call, signal, async (connector) => {
      if (!hasMethod(connector, 'read')) throw this.#unsupported('read');
      const options = { ...identityOption(object), signal };
      return connector.read(path, range === undefined ? options : { ...options, range });
    });
    const { bytes, mediaType = null, start = 0, transferable = false } = content ?? {};
    if (mediaType !== null && (typeof mediaType !== 'string' || mediaType.length > 1000))
      throw this.#checks.invalid(
        'read resolved to an invalid content: `mediaType` is neither null nor a string',
      );
    if (!Number.isSafeInteger(start) || start < 0 || start > (range?.start ?? 0))
      throw this.#checks.invalid(
        'read resolved to an invalid content: `start` is after the requested range',
      );
    if (bytes instanceof Uint8Array) return { bytes, mediaType, start, transferable };
    if (typeof bytes !== 'object' || bytes === null || !(Symbol.asyncIterator in bytes)) {
      throw this.#checks.invalid('read must resolve to an object with `bytes`');
    }
    const pieces = this.#guard.iterate(
      'read',
      timeoutsMs.item,
      signal,
      () => bytes,
      this.#checks.checkPiece,
    );
    return { mediaType, bytes: pieces, start, transferable };
  }

  /** `keyFields`: the key fields of the object, if its entry names them. An invalid record does not end the stream. */
  records(
    object: SourceObject,
    options: RecordsOptions,
    keyFields?: readonly string[],
  ): AsyncGenerator<RecordItem, void, undefined> {
    return this.#guard.iterate(
      'records',
      timeoutsMs.item,
      options.signal,
      this.#recordsOf(object, options),
      this.#checks.recordChecker(keyFields),
    );
  }

  recordsInParts(
    object: SourceObject,
    options: RecordsOptions,
    part: ItemBatchLimits,
    keyFields?: readonly string[],
  ): AsyncGenerator<RecordItem[], void, undefined> {
    return this.#guard.iterateInBatches(
      'records',
      timeoutsMs.item,
      options.signal,
      this.#recordsOf(object, options),
      part,
      this.#checks.recordChecker(keyFields),
    );
  }

  #recordsOf(
    object: SourceObject,
    options: RecordsOptions,
  ): (connector: Connector) => AsyncIterable<RecordItem> {
    const { path } = object;
    return (connector) => {
      this.#checks.assertValidEntry(path);
      if (!hasMethod(connector, 'records')) throw this.#unsupported('records');
      return connector.records(path, { ...identityOption(object), ...options });
    };
  }

  /** Yields one level of the tree. Derives it from the listing if the connector cannot browse. */
  browseInParts(
    path: string,
    part: ItemBatchLimits,
    signal: AbortSignal,
  ): AsyncGenerator<BrowseEntry[], void, undefined> {
    return retryStart(signal, () =>
      this.#guard.iterateInBatches(
        'browse',
        timeoutsMs.item,
        signal,
        (connector) =>
          hasMethod(connector, 'browse')
            ? connector.browse(path, { signal })
            : levelOf(
                ignoreIncomplete(this.#listOf(connector, signal)),
                path,
                this.#checks.entryChecker(),
              ),
        part,
        (entry) => {
          this.#checks.check('browse', 'entry', browseProblem(entry));
          return this.#checks.redactSkip(entry);
        },
      ),
    );
  }

  /** Returns one entry. Searches the listing if the connector has no `stat`. */
  stat(object: SourceObject, signal: AbortSignal): Promise<Entry | null> {
    const { path } = object;
    return withRetries(
      () =>
        this.#guard.call('stat', timeoutsMs.call, signal, async (connector) => {
          if (hasMethod(connector, 'stat')) {
            const found = await connector.stat(path, { ...identityOption(object), signal });
            return found === null ? null : this.#checks.checkStat(found);
          }
          for await (const entry of ignoreIncomplete(this.#listOf(connector, signal))) {
            if (entry.path === path) return this.#checks.checkStat(entry);
          }
          return null;
        }),
      signal,
      interactiveRetryMs,
    );
  }

  /** Returns the path of the object with a web address, or null. */
  async pathOf(address: string, signal: AbortSignal): Promise<string | null> {
    const path = await this.#guard.call('pathOf', timeoutsMs.call, signal, async (connector) =>
      hasMethod(connector, 'pathOf') ? connector.pathOf(address, { signal }) : null,
    );
    if (path === null) return null;
    if (typeof path !== 'string')
      throw this.#checks.invalid('pathOf must resolve to a path or to null');
    this.#checks.assertValidEntry(path);
    return path;
  }

  grep(request: GrepRequest): AsyncGenerator<GrepItem, void, undefined> {
    return retryStart(request.signal, () =>
      this.#guard.iterate(
        'grep',
        timeoutsMs.item,
        request.signal,
        (connector) => {
          if (!hasMethod(connector, 'grep')) throw this.#unsupported('grep');
          return connector.grep(request);
        },
        (item) => {
          this.#checks.check('grep', 'item', grepProblem(item));
          return 'notice' in item
            ? truncateMatch({ notice: this.#guard.redact(item.notice) })
            : truncateMatch(item);
        },
      ),
    );
  }

  /** Yields paths that may have changed. Ends when the connector is closed. */
  watch(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    return watchUntil(this.#guard, [signal, this.#closing.signal]);
  }

  /** Closes the connector if no call uses it. The next call opens it again. */
  closeIdle(): Promise<void> {
    return this.#guard.closeIdle();
  }

  close(): Promise<void> {
    this.#closing.abort(replacedError());
    return this.#guard.close();
  }

  /** A warning about changed records of an object that neither exists nor was listed. */
  unlistedWarning(path: string): string {
    const problem = `changes yielded records of ${path.slice(0, 200)}, which was never listed`;
    return `connector ${this.#scheme}: ${problem}. Yield the \`entry\` of the object first.`;
  }

  /** Returns a listing for callers that read it without the guard. */
  #listOf(connector: Connector, signal: AbortSignal): AsyncIterable<Entry | Checkpoint> {
    return this.#streamOf('list', connector.list({ signal }));
  }

  #streamOf<R>(method: string, result: AsyncIterable<R>): AsyncIterable<R> {
    return toAsyncIterable(`connector ${this.#scheme}`, method, result);
  }

  #unsupported(method: string): TroveError {
    return new TroveError(
      'not_supported',
      `The ${this.#scheme} connector does not support ${method}`,
    );
  }
}

async function* markRestart(
  parts: AsyncIterable<UsableChange[]>,
): AsyncGenerator<CheckedChange[], void, undefined> {
  let isFirst = true;
  for await (const part of parts) {
    yield isFirst ? [{ restarted: true }, ...part] : part;
    isFirst = false;
  }
}
