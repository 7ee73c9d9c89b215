import { inject, injectable, createToken } from '@trove/core/di';
import type { Entry } from '@trove/core';
import type { TrainedState } from '@trove/core/model';
import { kindOf, mediaTypeOf } from '@trove/text/media-types';
import type { ConversionService } from '@trove/runtime';
import { nameOf } from './stated-type.js';
import { digest } from '../ids.js';
import {
  TrainedEmbedderToken,
  type TrainedEmbedder,
} from '../../generations/training/trained-embedder.js';
import type { EngineSettings } from '../../settings.js';
import { ConversionsToken, RowVersionToken, SettingsToken } from '../../tokens.js';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import type { ObjectRule } from './object-rules.js';

/** Raise this when equal bytes begin to yield other rows. The next sync of a source then indexes its objects again. */
const rowsVersion = 20;

/** How an object is indexed, independent of its content. */
export interface ObjectPlan {
  readonly rule: ObjectRule | null;
  /** Identifies all settings. Equal keys yield equal rows for equal content. */
  readonly settingsKey: string;
  /** Null: only reading the object shows whether it changed. */
  readonly revision: string | null;
  readonly chunkMax: number;
  /** The trained state of the embedder for its vectors. */
  readonly trainedState: TrainedState | null;
  /** Why the object must not be indexed, or null. */
  readonly refusal: string | null;
}

/** The inputs of a digest, and the digest. */
interface LastKey {
  readonly kind: Entry['kind'];
  readonly title: Entry['title'];
  readonly url: Entry['url'];
  readonly author: Entry['author'];
  readonly fields: Entry['fields'];
  readonly rule: ObjectRule | null;
  readonly refusal: string | null;
  readonly converter: string | null;
  readonly trainedState: TrainedState | null;
  readonly key: string;
}

/** Plans the objects of one source. */
export type PlanObject = (entry: Entry) => ObjectPlan;

/** The token of `ObjectPlanner` in an engine's container. */
export const ObjectPlannerToken = createToken<ObjectPlanner>('engine.object_planner');

/** Decides how objects are indexed, for listings, tasks and estimates. */
@injectable()
export class ObjectPlanner {
  readonly #settings: EngineSettings;
  readonly #rowVersion: string;
  readonly #trainedEmbedder: Pick<TrainedEmbedder, 'cached'>;
  readonly #conversions: ConversionService;
  #last: LastKey | null = null;

  constructor(
    @inject(SettingsToken) settings: EngineSettings,
    @inject(RowVersionToken) rowVersion: string,
    @inject(TrainedEmbedderToken) trainedEmbedder: Pick<TrainedEmbedder, 'cached'>,
    @inject(ConversionsToken) conversions: ConversionService,
  ) {
    this.#settings = settings;
    this.#rowVersion = rowVersion;
    this.#trainedEmbedder = trainedEmbedder;
    this.#conversions = conversions;
  }

  async plannerOf({
    rules,
    rootUri,
  }: Pick<GuardedConnector, 'rules' | 'rootUri'>): Promise<PlanObject> {
    const versions = await this.#conversions.versions();
    const trainedState = this.#trainedEmbedder.cached;
    const converters = new Map<string | null, string | null>();
    const converterOf = (mediaType: string | null): string | null => {
      const known = converters.get(mediaType);
      if (known !== undefined) return known;
      const converted = this.#conversions.findConverterKey(mediaType);
      const converter = converted === null ? null : (versions.get(converted) ?? null);
      converters.set(mediaType, converter);
      return converter;
    };
    return (entry) => {
      const mediaType = entry.mediaType ?? mediaTypeOf(nameOf(rootUri, entry.path));
      return this.#plan(entry, rules.of(entry.path), converterOf(mediaType), trainedState);
    };
  }

  #plan(
    entry: Entry,
    rule: ObjectRule | null,
    converter: string | null,
    trainedState: TrainedState | null,
  ): ObjectPlan {
    const refusal = this.#refusal(entry, rule);
    const chunkMax = Math.min(rule?.chunk_max ?? this.#settings.chunkMax, this.#settings.chunkMax);
    const settingsKey = this.#settingsKey(
      entry,
      { rule, refusal, converter, trainedState },
      chunkMax,
    );
    return {
      rule,
      settingsKey,
      revision: entry.fingerprint === null ? null : `${entry.fingerprint} ${settingsKey}`,
      chunkMax,
      trainedState,
      refusal,
    };
  }

  /** Most objects of a source share their settings, so the last digest is cached. `chunkMax` follows from the rule. */
  #settingsKey(
    { kind, title, url, author, fields }: Entry,
    {
      rule,
      refusal,
      converter,
      trainedState,
    }: Pick<LastKey, 'rule' | 'refusal' | 'converter' | 'trainedState'>,
    chunkMax: number,
  ): string {
    const last = this.#last;
    const same =
      fields === undefined &&
      last?.fields === undefined &&
      last?.rule === rule &&
      last.refusal === refusal &&
      last.converter === converter &&
      last.trainedState === trainedState &&
      last.kind === kind &&
      last.title === title &&
      last.url === url &&
      last.author === author;
    if (same) return last.key;
    const key = digest([
      rowsVersion,
      this.#rowVersion,
      trainedState?.id,
      this.#settings.chunkChars,
      chunkMax,
      refusal,
      converter,
      rule?.text_fields,
      rule?.metadata_fields,
      rule?.locator_fields,
      rule?.group_by,
      rule?.render,
      rule?.encoding,
      kind,
      title,
      url,
      author,
      fields,
    ]);
    this.#last = {
      kind,
      title,
      url,
      author,
      fields,
      rule,
      refusal,
      converter,
      trainedState,
      key,
    };
    return key;
  }

  #refusal(entry: Entry, rule: ObjectRule | null): string | null {
    if (entry.skip !== undefined) return entry.skip;
    if (rule?.indexable === false)
      return `left out by the rule \`${rule.match}\` of the source's configuration`;
    const limit = this.#settings.maxFileBytes;
    if (entry.size !== null && entry.size > limit)
      return `larger than ${limit} bytes ([ingest].max_file_bytes)`;
    return null;
  }
}

const testPath =
  /(^|\/)(tests?|specs?|__tests__|fixtures?|testdata)(\/|$)|[._-](test|spec)\.[^/]+$/i;
const readme = /(^|\/)readme(\.[^/]*)?$/i;

/** Returns the indexing priority, lower first: READMEs, documents, source code, tests, other files. */
export function priorityOf(path: string, rule: ObjectRule | null): number {
  if (rule?.priority !== undefined) return rule.priority;
  if (readme.test(path)) return 0;
  if (testPath.test(path)) return 3;
  switch (kindOf(path, null, false)) {
    case 'document':
      return 1;
    case 'code':
      return 2;
    default:
      return 4;
  }
}
