import { createHash } from 'node:crypto';
import { TroveError, matchesFilter, type FieldValue } from '@trove/core';
import {
  demotedReasonField,
  type Candidate,
  type Collection,
  type CollectionSpec,
  type FrequencyQuery,
  type IndexCandidates,
  type IndexGroup,
  type IndexHit,
  type IndexQuery,
  type IndexRow,
  type IndexScope,
  type RowIdentity,
  type GroupCallback,
  type VectorIndex,
} from '@trove/core/index';
import { bm25 } from './bm25.js';

const maxFields = 1000;

/** Storage that several in-memory indexes share, like a folder on disk. */
export class MemoryVectorStorage {
  readonly collections = new Map<string, MemoryCollection>();
}

/**
 * An exact brute-force vector index in memory for tests and examples. Indexes on one storage see each other's writes.
 */
export class MemoryVectorIndex implements VectorIndex {
  readonly #storage: MemoryVectorStorage;

  constructor(storage = new MemoryVectorStorage()) {
    this.#storage = storage;
  }

  async collection(spec: CollectionSpec): Promise<MemoryCollection> {
    const found = this.#storage.collections.get(spec.name);
    if (found === undefined) {
      const created = new MemoryCollection(spec);
      this.#storage.collections.set(spec.name, created);
      return created;
    }
    if (found.spec.dimension !== spec.dimension || found.spec.embedding !== spec.embedding) {
      throw new TroveError(
        'index_mismatch',
        `The collection ${spec.name} holds vectors of ${found.spec.embedding}, not of ${spec.embedding}`,
      );
    }
    return found;
  }

  async collections(): Promise<string[]> {
    return [...this.#storage.collections.keys()].sort();
  }

  async drop(name: string): Promise<void> {
    this.#storage.collections.delete(name);
  }

  async size(): Promise<number> {
    const sizes = Array.from(this.#storage.collections.values(), ({ chars }) => chars);
    return sizes.reduce((sum, chars) => sum + chars, 0);
  }

  async close(): Promise<void> {}
}

export class MemoryCollection implements Collection {
  readonly spec: CollectionSpec;
  readonly #groups = new Map<string, readonly IndexRow[]>();

  constructor(spec: CollectionSpec) {
    this.spec = spec;
  }

  get name(): string {
    return this.spec.name;
  }

  /** The total length of the contents of all rows. */
  get chars(): number {
    return this.#rows().reduce((sum, { content }) => sum + content.length, 0);
  }

  async replace(
    groups: readonly IndexGroup[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    signal.throwIfAborted();
    for (const { group, rows } of groups) {
      if (rows.length === 0) this.#groups.delete(group);
      else this.#groups.set(group, [...rows]);
    }
  }

  async search(query: IndexQuery): Promise<IndexCandidates> {
    query.signal.throwIfAborted();
    const rows = this.#rows().filter((row) => isWithin(row, query));
    return {
      dense: query.vector === undefined ? [] : best(dense(rows, query.vector), query.candidates),
      sparse: query.sparse === undefined ? [] : best(this.#sparse(rows, query), query.candidates),
    };
  }

  async identify(keys: readonly string[]): Promise<(RowIdentity | null)[]> {
    return this.#withKeys(keys).map(
      (row) =>
        row && {
          id: row.id,
          group: row.group,
          source: row.source,
          ordinal: row.ordinal,
          demotedReason: textOrNull(row.fields[demotedReasonField]),
          digest: digestOf(row.content),
        },
    );
  }

  async fetch(keys: readonly string[]): Promise<(IndexHit | null)[]> {
    return this.#withKeys(keys).map((row) => row && toHit(row));
  }

  async rows(group: string): Promise<IndexRow[]> {
    return [...(this.#groups.get(group) ?? [])].sort((a, b) => a.ordinal - b.ordinal);
  }

  async removeScope(scope: string): Promise<void> {
    for (const [group, rows] of this.#groups) {
      const kept = rows.filter((row) => row.scope !== scope);
      if (kept.length === 0) this.#groups.delete(group);
      else this.#groups.set(group, kept);
    }
  }

  async otherScopes(known: readonly string[]): Promise<string[]> {
    const scopes = new Set(this.#rows().map(({ scope }) => scope));
    for (const scope of known) scopes.delete(scope);
    return [...scopes];
  }

  async count(scope: IndexScope = {}): Promise<number> {
    return this.#rows().filter((row) => isWithin(row, scope)).length;
  }

  async frequencies(
    terms: readonly string[],
    { maxCount, ...scope }: FrequencyQuery,
  ): Promise<Map<string, number>> {
    const rows = this.#rows().filter((row) => isWithin(row, scope));
    const held = rows.map((row) => new Set(row.terms.split(' ')));
    const counts = terms.map((term): [string, number] => [
      term,
      Math.min(maxCount, held.filter((all) => all.has(term)).length),
    ]);
    return new Map(counts.filter(([, count]) => count > 0));
  }

  async hasField(name: string, scope: IndexScope = {}): Promise<boolean> {
    return this.#rows()
      .filter((row) => isWithin(row, scope))
      .some(({ fields }) => Object.hasOwn(fields, name) && fields[name] !== null);
  }

  async sampleFields(scope: IndexScope = {}): Promise<string[]> {
    const rows = this.#rows().filter((row) => isWithin(row, scope));
    const names = rows.flatMap(({ fields }) => Object.keys(fields));
    return [...new Set(names)].slice(0, maxFields);
  }

  async groups(scope: string, take: GroupCallback): Promise<void> {
    for (const { group } of this.#rows().filter((row) => row.scope === scope))
      await take(new Map([[group, 1]]));
  }

  async optimize(): Promise<void> {}

  async compact(): Promise<void> {}

  #rows(): IndexRow[] {
    return [...this.#groups.values()].flat();
  }

  /** A row's id is its key. */
  #withKeys(keys: readonly string[]): (IndexRow | null)[] {
    const byId = new Map(this.#rows().map((row) => [row.id, row]));
    return keys.map((key) => byId.get(key) ?? null);
  }

  /** Statistics cover the whole collection, so a filter does not change scores. */
  #sparse(rows: readonly IndexRow[], query: IndexQuery): Candidate[] {
    const all = this.#rows();
    const terms = bm25(all, (row) => row.terms, query.sparse?.terms ?? []);
    const pairs = bm25(all, (row) => row.pairs, query.sparse?.pairs ?? []);
    return rows.flatMap((row) => {
      const score = terms.get(row);
      if (score === undefined) return [];
      return [{ key: row.id, score: score + query.pairWeight * (pairs.get(row) ?? 0) }];
    });
  }
}

function isWithin(
  row: IndexRow,
  { scope, sourcePrefix, within, kinds, filter }: IndexScope,
): boolean {
  const isBelow = (uri: string): boolean => row.source === uri || row.source.startsWith(`${uri}/`);
  if (scope !== undefined && row.scope !== scope) return false;
  if (kinds !== undefined && !kinds.includes(row.kind)) return false;
  if (sourcePrefix !== undefined && !isBelow(sourcePrefix)) return false;
  if (within !== undefined && !within.some(isBelow)) return false;
  return filter === undefined || matchesFilter(filter, (field) => valueOf(row, field));
}

function valueOf(row: IndexRow, field: string): FieldValue | undefined {
  switch (field) {
    case 'path':
      return row.source;
    case 'chunk_kind':
      return row.kind;
    case 'media_type':
      return row.mediaType;
    case 'modified_at':
      return row.modifiedAt;
    case 'title':
      return row.title;
    default:
      return Object.hasOwn(row.fields, field) ? row.fields[field] : undefined;
  }
}

function dense(rows: readonly IndexRow[], asked: Float32Array): Candidate[] {
  return rows.flatMap(({ id, vector }) =>
    vector === null ? [] : [{ key: id, score: cosine(vector, asked) }],
  );
}

function cosine(a: Float32Array, b: Float32Array): number {
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths === 0 ? 0 : dot(a, b) / lengths;
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function best(candidates: readonly Candidate[], limit: number): Candidate[] {
  return [...candidates]
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    .slice(0, limit);
}

function textOrNull(value: FieldValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('base64');
}

function toHit(row: IndexRow): IndexHit {
  const { scope: _scope, terms: _terms, pairs: _pairs, vector: _vector, ...hit } = row;
  return hit;
}
