import { bytesShown, charsShown } from '@trove/connector-kit';
import { keyText, readers, type Shown, type ShownKey } from '@trove/connector-kit/sql';

const { same, integer, json } = readers;

/** What a column holds, as far as it is treated alike. */
export type Form =
  | 'whole'
  | 'float'
  | 'time'
  | 'bytes'
  | 'bits'
  | 'choice'
  | 'json'
  | 'hidden'
  | 'text';

const forms: Readonly<Record<string, Form>> = {
  tinyint: 'whole',
  smallint: 'whole',
  mediumint: 'whole',
  int: 'whole',
  bigint: 'whole',
  year: 'whole',
  float: 'float',
  double: 'float',
  datetime: 'time',
  timestamp: 'time',
  binary: 'bytes',
  varbinary: 'bytes',
  tinyblob: 'bytes',
  blob: 'bytes',
  mediumblob: 'bytes',
  longblob: 'bytes',
  bit: 'bits',
  enum: 'choice',
  set: 'choice',
  json: 'json',
  // Shapes and vectors hold nothing to be read.
  geometry: 'hidden',
  point: 'hidden',
  linestring: 'hidden',
  polygon: 'hidden',
  multipoint: 'hidden',
  multilinestring: 'hidden',
  multipolygon: 'hidden',
  geometrycollection: 'hidden',
  geomcollection: 'hidden',
  vector: 'hidden',
};

export function formOf(type: string): Form {
  return forms[type] ?? 'text';
}

/** What there is to know of a column to show its values. */
export interface Valued {
  /** Its type without length: `varchar`. */
  readonly base: string;
  readonly form: Form;
}

export function shown({ base, form }: Valued, sql: string, columns: number): Shown {
  return { sql: `left(${textOf(base, form, sql)}, ${charsShown(columns)})`, read: readerOf(form) };
}

export function shownKey({ base, form }: Valued, sql: string): ShownKey {
  const text = textOf(base, form, sql);
  const concat = (...parts: string[]): string => `concat(${parts.join(', ')})`;
  return { sql: keyText(text, concat), read: form === 'whole' || form === 'bits' ? integer : same };
}

/** A value as a text, which people can read. */
function textOf(base: string, form: Form, sql: string): string {
  const text = `cast(${sql} as char character set utf8mb4)`;
  if (form === 'bits') return `cast(${sql} + 0 as char character set utf8mb4)`;
  if (form === 'time') {
    const iso = `replace(${text}, ' ', 'T')`;
    // Moments are given in the time zone of the connection, which is UTC; others have none.
    return base === 'timestamp' ? `concat(${iso}, 'Z')` : iso;
  }
  if (form !== 'bytes') return text;
  return `case when octet_length(${sql}) <= ${bytesShown} then concat(char(92 using utf8mb4), 'x', lower(hex(${sql})))
    else concat(octet_length(${sql}), ' bytes') end`;
}

function readerOf(form: Form): Shown['read'] {
  if (form === 'whole' || form === 'bits') return integer;
  if (form === 'float') return Number;
  return form === 'json' ? json : same;
}
