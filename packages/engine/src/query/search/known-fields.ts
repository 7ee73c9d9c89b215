import { fieldsOf, TroveError, type Filter } from '@trove/core';
import { demotedReasonField } from '@trove/core/index';
import { findNearest } from '@trove/runtime';
import type { IndexVocabulary } from '../../generations/selection/active-vocabulary.js';

/** Fields every hit may have, even if nothing indexed has them. */
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

/** How long a field is known to exist before it is looked up again. */
const cacheMs = 60_000;
const maxCachedFields = 1000;

/** Knows which fields filters may use. */
export class KnownFields {
  readonly #words: IndexVocabulary;
  readonly #seen = new Map<string, number>();

  constructor(words: IndexVocabulary) {
    this.#words = words;
  }

  /** Throws `validation_error`, naming the closest match, for a field that nothing indexed has. */
  async check(filter: Filter): Promise<void> {
    const known: readonly string[] = builtIn;
    const asked = fieldsOf(filter).filter(
      (name) => !known.includes(name) && !this.#remembers(name),
    );
    const there = await Promise.all(asked.map((name) => this.#words.hasField(name)));
    if (this.#seen.size + asked.length > maxCachedFields) this.#seen.clear();
    for (const [at, name] of asked.entries()) {
      if (there[at] !== true) throw unknownField(name, await this.#words.sampleFields());
      this.#seen.set(name, performance.now());
    }
  }

  #remembers(name: string): boolean {
    return performance.now() - (this.#seen.get(name) ?? -Infinity) < cacheMs;
  }
}

function unknownField(name: string, others: readonly string[]): TroveError {
  const near = findNearest(name, [...builtIn, ...others]);
  return new TroveError(
    'validation_error',
    `filter: nothing that is indexed has a field \`${name.slice(0, 100)}\``,
    {
      suggestions: [
        near === null
          ? `Fields of every hit are ${builtIn.join(', ')}; a hit shows its others in metadata.fields.`
          : `Did you mean \`${near}\`?`,
      ],
    },
  );
}
