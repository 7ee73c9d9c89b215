import { fieldsOf, TroveError, type Filter } from '@trove/core';
import { demotedReasonField } from '@trove/core/index';
import { findNearest } from '@trove/runtime';
import type { IndexVocabulary } from '../../generations/selection/active-vocabulary.js';

/** Fields that every hit may have, even if no indexed row has them. */
const builtIn = [
  'path',
  'chunk_kind',
  'media_type',
  'modified_at',
  'title',
  'url',
  'author',
  demotedReasonField,
] as const;

/** How long a field counts as known. */
const cacheMs = 60_000;
const maxCachedFields = 1000;

/** Checks that the fields of filters exist. */
export class KnownFields {
  readonly #vocabulary: IndexVocabulary;
  readonly #cachedAt = new Map<string, number>();

  constructor(vocabulary: IndexVocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Throws `validation_error` with the closest name for a field that no indexed row has. */
  async check(filter: Filter): Promise<void> {
    const known: readonly string[] = builtIn;
    const names = fieldsOf(filter).filter((name) => !known.includes(name) && !this.#isCached(name));
    const exist = await Promise.all(names.map((name) => this.#vocabulary.hasField(name)));
    if (this.#cachedAt.size + names.length > maxCachedFields) this.#cachedAt.clear();
    for (const [at, name] of names.entries()) {
      if (exist[at] !== true) throw unknownField(name, await this.#vocabulary.sampleFields());
      this.#cachedAt.set(name, performance.now());
    }
  }

  #isCached(name: string): boolean {
    return performance.now() - (this.#cachedAt.get(name) ?? -Infinity) < cacheMs;
  }
}

function unknownField(name: string, others: readonly string[]): TroveError {
  const nearest = findNearest(name, [...builtIn, ...others]);
  return new TroveError(
    'validation_error',
    `filter: no indexed row has the field \`${name.slice(0, 100)}\``,
    {
      suggestions: [
        nearest === null
          ? `Every hit has the fields ${builtIn.join(', ')}. Others are in metadata.fields of hits.`
          : `Did you mean \`${nearest}\`?`,
      ],
    },
  );
}
