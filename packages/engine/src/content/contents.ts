import { inject, injectable, token } from '@trove/core/di';
import type { ObjectKind } from '@trove/core';
import type { ConnectorAbilities } from '../sources/connectors/abilities.js';
import type { GuardedConnector } from '../sources/connectors/guarded-connector.js';
import type { EngineSettings } from '../settings.js';
import { ConversionsToken, SettingsToken } from '../tokens.js';
import { ByteContent } from './byte-content.js';
import { CallerPoolToken, type ComputePool } from './compute/compute-pool.js';
import type { Unpacking, Conversions } from './reading.js';
import { ReadBudget, type Use } from './read-budget.js';
import type { ReadableObject } from './readable-object.js';
import { RecordContent } from './record-content.js';

/** An object that can be read. */
export type ObjectContent = ByteContent | RecordContent;

/** The token of `Contents` in an engine's container. */
export const ContentsToken = token<Contents>('engine.contents');

/** The one way to read an object: everything that shows, searches or indexes one opens it here. */
@injectable()
export class Contents {
  readonly #budget = new ReadBudget();
  readonly #conversions: Conversions;
  readonly #unpacking: Unpacking;

  constructor(
    @inject(ConversionsToken) conversions: Conversions,
    @inject(CallerPoolToken) pool: ComputePool,
    @inject(SettingsToken) { maxFileBytes: maxBytes }: Pick<EngineSettings, 'maxFileBytes'>,
  ) {
    this.#conversions = conversions;
    this.#unpacking = { pool, maxBytes };
  }

  /** Reads nothing yet. */
  open(
    connector: GuardedConnector,
    object: ReadableObject,
    use: Use,
    signal: AbortSignal,
  ): Promise<ObjectContent> {
    return this.#open(connector, object, use, signal, this.#conversions);
  }

  /** The same, for who wants the picture and not the text in it. */
  openUnconverted(
    connector: GuardedConnector,
    object: ReadableObject,
    use: Use,
    signal: AbortSignal,
  ): Promise<ObjectContent> {
    return this.#open(connector, object, use, signal, null);
  }

  async #open(
    connector: GuardedConnector,
    object: ReadableObject,
    use: Use,
    signal: AbortSignal,
    conversions: Conversions | null,
  ): Promise<ObjectContent> {
    const abilities = await connector.capabilities(signal);
    const budget = this.#budget;
    const encoding = connector.rules.of(object.path)?.encoding ?? null;
    const unpacking = conversions === null ? null : this.#unpacking;
    const reading = {
      connector,
      object,
      budget,
      conversions,
      encoding,
      unpacking,
      use,
      signal,
    };
    return consistsOfRecords(abilities, object.kind)
      ? new RecordContent(reading)
      : new ByteContent(reading);
  }
}

/** Whether an object of this kind is read as records rather than as bytes. */
export function consistsOfRecords(
  { read, records }: Pick<ConnectorAbilities, 'read' | 'records'>,
  kind: ObjectKind | undefined,
): boolean {
  return records && (!read || (kind !== undefined && isRecordKind(kind)));
}

/** Whether what is of this kind consists of records, where its source has any. */
export function isRecordKind(kind: ObjectKind): boolean {
  return recordKinds.has(kind);
}

const recordKinds: ReadonlySet<ObjectKind> = new Set([
  'table_rows',
  'record_collection',
  'message_stream',
] as const);
