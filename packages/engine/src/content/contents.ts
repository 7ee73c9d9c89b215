import { inject, injectable, createToken } from '@trove/core/di';
import type { ObjectKind } from '@trove/core';
import type { EffectiveCapabilities } from '../sources/connectors/capabilities.js';
import type { GuardedConnector } from '../sources/connectors/guarded-connector.js';
import type { EngineSettings } from '../settings.js';
import { ConversionsToken, SettingsToken } from '../tokens.js';
import { ByteContent } from './byte-content.js';
import { CallerPoolToken, type ComputePool } from './compute/compute-pool.js';
import type { Decompression, DocumentConversions } from './content-request.js';
import { ReadBudget, type ReadPurpose } from './read-budget.js';
import type { ReadableObject } from './readable-object.js';
import { RecordContent } from './record-content.js';

/** An object that can be read. */
export type ObjectContent = ByteContent | RecordContent;

/** The token of `Contents` in an engine's container. */
export const ContentsToken = createToken<Contents>('engine.contents');

/** Opens objects for reading. All code that shows, searches or indexes objects uses it. */
@injectable()
export class Contents {
  readonly #budget = new ReadBudget();
  readonly #conversions: DocumentConversions;
  readonly #decompression: Decompression;

  constructor(
    @inject(ConversionsToken) conversions: DocumentConversions,
    @inject(CallerPoolToken) pool: ComputePool,
    @inject(SettingsToken) { maxFileBytes: maxBytes }: Pick<EngineSettings, 'maxFileBytes'>,
  ) {
    this.#conversions = conversions;
    this.#decompression = { pool, maxBytes };
  }

  /** Opens an object without reading it yet. */
  open(
    connector: GuardedConnector,
    object: ReadableObject,
    purpose: ReadPurpose,
    signal: AbortSignal,
  ): Promise<ObjectContent> {
    return this.#open(connector, object, purpose, signal, this.#conversions);
  }

  /** Opens an object without conversion, for example an image to be described. */
  openUnconverted(
    connector: GuardedConnector,
    object: ReadableObject,
    purpose: ReadPurpose,
    signal: AbortSignal,
  ): Promise<ObjectContent> {
    return this.#open(connector, object, purpose, signal, null);
  }

  /** Whether objects of a media type are converted to Markdown. */
  converts(mediaType: string | null): boolean {
    return this.#conversions.findConverterKey(mediaType) !== null;
  }

  async #open(
    connector: GuardedConnector,
    object: ReadableObject,
    purpose: ReadPurpose,
    signal: AbortSignal,
    conversions: DocumentConversions | null,
  ): Promise<ObjectContent> {
    const capabilities = await connector.capabilities(signal);
    const budget = this.#budget;
    const encoding = connector.rules.of(object.path)?.encoding ?? null;
    const decompression = conversions === null ? null : this.#decompression;
    const request = {
      connector,
      object,
      budget,
      conversions,
      encoding,
      decompression,
      purpose,
      signal,
    };
    return consistsOfRecords(capabilities, object.kind)
      ? new RecordContent(request)
      : new ByteContent(request);
  }
}

/** Whether an object of this kind is read as records instead of bytes. */
export function consistsOfRecords(
  { read, records }: Pick<EffectiveCapabilities, 'read' | 'records'>,
  kind: ObjectKind | undefined,
): boolean {
  return records && (!read || (kind !== undefined && isRecordKind(kind)));
}

/** Whether objects of this kind consist of records if their source offers records. */
export function isRecordKind(kind: ObjectKind): boolean {
  return recordKinds.has(kind);
}

const recordKinds: ReadonlySet<ObjectKind> = new Set([
  'table_rows',
  'record_collection',
  'message_stream',
] as const);
