import { maxHexBytes, charLimitOf } from '@trove/connector-kit';
import {
  keyTextOf,
  valueParsers,
  type ValueExpression,
  type KeyExpression,
} from '@trove/connector-kit/sql';

const { text: parseText, integer: parseInteger, json: parseJson } = valueParsers;

/** Groups of types that are handled in the same way. */
export type MysqlForm =
  | 'whole'
  | 'float'
  | 'time'
  | 'bytes'
  | 'bits'
  | 'choice'
  | 'json'
  | 'hidden'
  | 'text';

const forms: Readonly<Record<string, MysqlForm>> = {
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
  // Geometries and vectors have no readable text.
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

export function formOf(type: string): MysqlForm {
  return forms[type] ?? 'text';
}

/** The type of a column. */
export interface TypedColumn {
  /** The type without its length: `varchar`. */
  readonly base: string;
  readonly form: MysqlForm;
}

export function valueExpressionOf(
  { base, form }: TypedColumn,
  sql: string,
  columns: number,
): ValueExpression {
  return {
    sql: `left(${textOf(base, form, sql)}, ${charLimitOf(columns)})`,
    parse: parserOf(form),
  };
}

export function keyExpressionOf({ base, form }: TypedColumn, sql: string): KeyExpression {
  const text = textOf(base, form, sql);
  const concat = (...parts: string[]): string => `concat(${parts.join(', ')})`;
  return {
    sql: keyTextOf(text, concat),
    parse: form === 'whole' || form === 'bits' ? parseInteger : parseText,
  };
}

/** Returns an expression for the readable text of a value. */
function textOf(base: string, form: MysqlForm, sql: string): string {
  const text = `cast(${sql} as char character set utf8mb4)`;
  if (form === 'bits') return `cast(${sql} + 0 as char character set utf8mb4)`;
  if (form === 'time') {
    const iso = `replace(${text}, ' ', 'T')`;
    // A `timestamp` is in the time zone of the connection, which is UTC. Other types have no zone.
    return base === 'timestamp' ? `concat(${iso}, 'Z')` : iso;
  }
  if (form !== 'bytes') return text;
  return `case when octet_length(${sql}) <= ${maxHexBytes} then concat(char(92 using utf8mb4), 'x', lower(hex(${sql})))
    else concat(octet_length(${sql}), ' bytes') end`;
}

function parserOf(form: MysqlForm): ValueExpression['parse'] {
  if (form === 'whole' || form === 'bits') return parseInteger;
  if (form === 'float') return Number;
  return form === 'json' ? parseJson : parseText;
}
