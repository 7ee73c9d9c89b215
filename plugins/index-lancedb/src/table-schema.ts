import type { Schema } from 'apache-arrow';
import type { CollectionSpec } from '@trove/core/index';
import { loadLance, type LanceModule } from './lance.js';

/** Version of the table layout. A different layout is a different collection. */
const layoutVersion = 6;

/** The table metadata entry that describes a collection. */
const metadataKey = 'trove';
/** The creation mark, which differs between tables of the same name. */
export const createdKey = 'trove.created';

export interface TableIdentity {
  readonly layout: number;
  readonly dimension: number;
  readonly embedding: string;
}

/** Creates columns by type. */
const columnsOf = ({
  Field,
  FixedSizeList,
  Float16,
  Float64,
  List,
  Utf8,
}: LanceModule['arrow']) => ({
  text: (name: string, nullable = false) => new Field(name, new Utf8(), nullable),
  number: (name: string, nullable = false) => new Field(name, new Float64(), nullable),
  /**
   * The displayed values of a row as one text. Reading separate columns of a few scattered rows takes twice as long.
   * Each text is compressed separately, so only the texts of these rows are read.
   */
  shown: (name: string) =>
    new Field(
      name,
      new Utf8(),
      false,
      new Map([
        ['lance-encoding:compression', 'fsst'],
        ['lance-encoding:structural-encoding', 'fullzip'],
      ]),
    ),
  /** Stored as binary JSON, so that filters can read it. */
  json: (name: string) =>
    new Field(name, new Utf8(), false, new Map([['ARROW:extension:name', 'arrow.json']])),
  words: (name: string) => new Field(name, new List(new Field('item', new Utf8(), true)), false),
  /** As 16-bit floats, which take half the space and a third of the scan time. Cosines differ by less than 0.001. */
  vector: (dimension: number) =>
    new Field('vector', new FixedSizeList(dimension, new Field('item', new Float16(), true)), true),
});

/**
 * The columns of a collection. `slot` (group and position) identifies the row to overwrite, `revision` the replacement
 * that wrote it, and `load` the load of that replacement. `facets` contains the fields as words, `digest` a hash of the
 * content, and `hit` the displayed values as JSON. The other columns are searched, filtered and compared values of
 * `IndexRow`.
 */
export function tableSchema(spec: CollectionSpec): Schema {
  const { arrow } = loadLance();
  const { text, number, shown, json, words, vector } = columnsOf(arrow);
  const identity: TableIdentity = {
    layout: layoutVersion,
    dimension: spec.dimension,
    embedding: spec.embedding,
  };
  return new arrow.Schema(
    [
      text('slot'),
      text('revision'),
      text('load'),
      text('id'),
      text('group'),
      text('scope'),
      text('source'),
      text('kind'),
      number('ordinal'),
      text('digest'),
      shown('hit'),
      text('title', true),
      text('media_type', true),
      number('modified_at', true),
      json('fields'),
      words('facets'),
      text('terms'),
      text('pairs'),
      vector(spec.dimension),
    ],
    new Map([[metadataKey, JSON.stringify(identity)]]),
  );
}

/** The columns of an `IndexHit`. */
export const hitColumns: readonly string[] = ['hit', 'source', 'group'];

/** The columns of a `RowIdentity`. */
export const identityColumns: readonly string[] = [
  'id',
  'group',
  'source',
  'ordinal',
  'digest',
  'fields',
];

/** The columns of an `IndexRow`. */
export const rowColumns: readonly string[] = [...hitColumns, 'scope', 'terms', 'pairs', 'vector'];

/** Returns the description in a table's metadata, or null if Trove did not create the table. */
export function readIdentity(metadata: ReadonlyMap<string, string>): TableIdentity | null {
  const value = metadata.get(metadataKey);
  if (value === undefined) return null;
  try {
    const identity: TableIdentity = JSON.parse(value);
    return identity;
  } catch {
    return null;
  }
}

export function holds(identity: TableIdentity | null, spec: CollectionSpec): boolean {
  return (
    identity?.layout === layoutVersion &&
    identity.dimension === spec.dimension &&
    identity.embedding === spec.embedding
  );
}
