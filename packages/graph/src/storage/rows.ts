import { createHash } from 'node:crypto';
import { TroveError, type JsonScalar } from '@trove/core';
import type { IndexGroup, IndexRow } from '@trove/core/index';
import { indexFields } from '../filter/fields.js';
import type { StoredPassage } from './passage.js';

/** The stored fields of a passage, besides its text. */
type PassageFields = Omit<StoredPassage, 'text'>;

/** A stored entity or relation, found by its vector. */
export interface NamedRow {
  readonly id: string;
  readonly text: string;
  readonly vector: Float32Array | null;
}

/** Returns the name of a group of rows. A generation consists of numbered groups. */
export function blockName(generation: string, block: number): string {
  return `${generation}/${block}`;
}

/** Returns the URI of a row. Ids must be well-formed texts. */
function passageUri(graph: string, id: string): string {
  return `graph://${graph}/${encodeURIComponent(id)}`;
}

/** Returns the id of a passage from its URI. */
export function idOfUri(uri: string): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
}

export function createPassageBlock(
  graph: string,
  generation: string,
  block: number,
  passages: readonly StoredPassage[],
  vectors: readonly (Float32Array | null)[],
): IndexGroup {
  const group = blockName(generation, block);
  const rows = passages.map(({ text, ...rest }, ordinal): IndexRow => ({
    ...createRow(generation, group, 'passage', rest.id, ordinal),
    source: passageUri(graph, rest.id),
    content: text,
    locator: { rest: JSON.stringify(rest satisfies PassageFields) },
    title: rest.title,
    fields: indexFields(rest.metadata),
    vector: vectors[ordinal] ?? null,
  }));
  return { group, rows };
}

export function createNameBlock(
  graph: string,
  generation: string,
  kind: 'entity' | 'relation',
  block: number,
  items: readonly NamedRow[],
): IndexGroup {
  const group = blockName(generation, block);
  const rows = items.map(({ id, text, vector }, ordinal): IndexRow => ({
    ...createRow(generation, group, kind, id, ordinal),
    source: passageUri(graph, id),
    content: text,
    locator: { id },
    vector,
  }));
  return { group, rows };
}

/** Yields the passages of a block. Throws `storage_unavailable` for a damaged row. */
export function* passagesOf(rows: readonly IndexRow[]): Generator<StoredPassage, void, undefined> {
  for (const { content, locator } of rows)
    yield { ...parseFields(locator?.['rest']), text: content };
}

function parseFields(json: unknown): PassageFields {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written only by `createPassageBlock`
    return JSON.parse(String(json)) as PassageFields;
  } catch (cause) {
    throw new TroveError('storage_unavailable', 'A passage of the graph is damaged', { cause });
  }
}

const noFields: Readonly<Record<string, JsonScalar>> = {};

function createRow(generation: string, group: string, kind: string, id: string, ordinal: number) {
  const hash = createHash('sha256').update(`${generation}\0${kind}\0${id}`);
  return {
    id: hash.digest('hex').slice(0, 32),
    group,
    scope: generation,
    kind,
    ordinal,
    title: null,
    mediaType: null,
    connectorType: 'graph',
    modifiedAt: null,
    fields: noFields,
    terms: '',
    pairs: '',
  };
}
