import type { CollectionSpec } from '@trove/core/index';

/** Version of the table layout. Collections with another layout are rejected. */
export const layoutVersion = 1;

/** The maximum length of a text in a btree index, whose entries are limited to 2,704 bytes. */
export const maxIndexedCharacters = 512;

/** Larger vectors do not fit on a page. PostgreSQL stores them out of line, where scans are slow. */
const maxInlineDimensions = 3900;
/** The maximum that pgvector stores, and the maximum of its graph, as 16-bit floats. */
export const maxDimensions = 16_000;
export const maxGraphDimensions = 4000;

export const catalogueTable = 'trove_index_collections';

/** Collections by name with the properties of their vectors. All other data is in tables named by the number. */
export const createCatalogue = `create table if not exists ${catalogueTable} (
  id integer generated always as identity primary key,
  name text collate "C" not null unique,
  layout integer not null,
  dimension integer not null,
  embedding text not null
)`;

/** The table names of a collection. */
export interface CollectionTables {
  /** One row for each `IndexRow`. The row number is its key. */
  readonly chunks: string;
  readonly numbers: string;
  readonly vectors: string;
  readonly graph: string;
  /** The inverted index in segments. Each comes from one write or from a merge. */
  readonly segments: string;
  readonly postings: string;
  /** Removed rows whose postings still exist. */
  readonly removed: string;
  /** Numbers of rows and words, as the sum of the changes of each write. */
  readonly totals: string;
}

export function tablesOf(id: number): CollectionTables {
  const prefix = `trove_index_${id}`;
  return {
    chunks: `${prefix}_chunks`,
    numbers: `${prefix}_numbers`,
    vectors: `${prefix}_vectors`,
    graph: `${prefix}_vectors_graph`,
    segments: `${prefix}_segments`,
    postings: `${prefix}_postings`,
    removed: `${prefix}_removed`,
    totals: `${prefix}_totals`,
  };
}

/** Returns the statements that create the tables of a collection. */
export function createTables(tables: CollectionTables, { dimension }: CollectionSpec): string[] {
  const { chunks, numbers, vectors, segments, postings, removed, totals } = tables;
  return [
    `create sequence ${numbers}`,
    `create table ${chunks} (
      number bigint primary key,
      id text collate "C" not null,
      "group" text collate "C" not null,
      position integer not null,
      scope text collate "C" not null,
      source text collate "C" not null,
      kind text collate "C" not null,
      ordinal integer not null,
      content text not null,
      digest text collate "C" not null,
      locator text,
      title text collate "C",
      media_type text collate "C",
      connector_type text not null,
      modified_at double precision,
      fields jsonb not null,
      terms text not null,
      pairs text not null,
      term_count integer not null,
      pair_count integer not null,
      unique ("group", position)
    )`,
    `create index on ${chunks} (scope, "group")`,
    `create index on ${chunks} (left(source, ${maxIndexedCharacters}))`,
    `create index on ${chunks} using gin (fields)`,
    // Serves samples of fields when few rows have any.
    `create index on ${chunks} (number) where fields <> '{}'`,
    `create table ${vectors} (
      number bigint primary key,
      id text collate "C" not null,
      vector halfvec(${dimension}) not null
    )`,
    ...(dimension <= maxInlineDimensions
      ? [`alter table ${vectors} alter column vector set storage plain`]
      : []),
    `create table ${segments} (
      id integer generated always as identity primary key,
      first_row bigint not null,
      last_row bigint not null,
      entries bigint not null
    )`,
    `create table ${postings} (
      segment integer not null,
      field smallint not null,
      word text collate "C" not null,
      entries bigint[] not null,
      primary key (segment, field, word)
    )`,
    `create table ${removed} (number bigint primary key)`,
    `create table ${totals} (rows bigint not null, terms bigint not null, pairs bigint not null)`,
  ];
}

export function dropTables({ chunks, numbers, vectors, ...rest }: CollectionTables): string[] {
  const others = [rest.segments, rest.postings, rest.removed, rest.totals];
  return [
    `drop table if exists ${[chunks, vectors, ...others].join(', ')}`,
    `drop sequence if exists ${numbers}`,
  ];
}
