import type { Entry } from '@trove/core';
import { digest, objectId } from '../ids.js';
import type { EngineSettings } from '../settings.js';
import type { ObjectRule, ObjectRules } from '../sources/object-rules.js';
import { priorityOf } from './priority.js';

/** Raised when the same bytes would give other rows: objects are then indexed again at their next sync. */
const rowsVersion = 1;

/** What decides how an object is indexed, besides its content. */
export interface ObjectPlan {
  readonly objectId: string;
  readonly rule: ObjectRule | null;
  /** Names all of it; equal keys, equal rows for equal content. */
  readonly settingsKey: string;
  /** Null: it cannot be told without reading whether the object changed. */
  readonly revision: string | null;
  readonly chunkMax: number;
  readonly priority: number;
  /** Why the object must not be indexed, null when it may. */
  readonly refusal: string | null;
}

export class Planner {
  readonly #settings: EngineSettings;
  readonly #embedding: string;

  constructor(settings: EngineSettings, embedding: string) {
    this.#settings = settings;
    this.#embedding = embedding;
  }

  plan(connectorId: string, rules: ObjectRules, entry: Entry): ObjectPlan {
    const rule = rules.of(entry.path);
    const refusal = this.#refusal(entry, rule);
    const chunkMax = Math.min(rule?.chunk_max ?? this.#settings.chunkMax, this.#settings.chunkMax);
    const settingsKey = digest([
      rowsVersion,
      this.#embedding,
      this.#settings.chunkChars,
      chunkMax,
      refusal,
      rule?.text_fields,
      rule?.metadata_fields,
      rule?.locator_fields,
      entry.kind,
      entry.title,
      entry.fields,
    ]);
    return {
      objectId: objectId(connectorId, entry.path),
      rule,
      settingsKey,
      revision: entry.fingerprint === null ? null : `${entry.fingerprint} ${settingsKey}`,
      chunkMax,
      priority: rule?.priority ?? priorityOf(entry.path),
      refusal,
    };
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
