import { codeOf } from '@trove/connector-kit';
import type { SqlDialect } from '@trove/connector-kit/sql';

import type { MysqlColumn } from './columns.js';
import { quoteIdentifier } from './names.js';
import { keyExpressionOf, valueExpressionOf } from './values.js';

const fixedSizeForms = new Set(['whole', 'float', 'time', 'bits', 'choice']);
const identifyingForms = new Set(['whole', 'text']);
/** Without a cast, MySQL compares numbers and texts as floating-point numbers, which lose digits. */
const toInteger = (sql: string, { isUnsigned }: MysqlColumn): string =>
  `cast(${sql} as ${isUnsigned ? 'unsigned' : 'signed'})`;

export const mysql: SqlDialect<MysqlColumn> = {
  quote: quoteIdentifier,
  placeholder: () => '?',
  isShown: ({ form }) => form !== 'hidden',
  valueExpression: valueExpressionOf,
  keyExpression: keyExpressionOf,
  // Collations ignore case, so the comparison is binary.
  contains: (sql, placeholder) =>
    `coalesce(locate(cast(${placeholder} as binary), cast(${sql} as binary)) > 0, false)`,
  equals: (column, sql, placeholder) => `${sql} = ${valueOf(column, placeholder)}`,
  // Enums sort by number but compare with texts by name.
  comparable: ({ form }, sql) => (form === 'choice' || form === 'bits' ? `${sql} + 0` : sql),
  positionText: ({ form }, sql) => {
    if (form === 'bytes') return `hex(${sql})`;
    const value = form === 'choice' || form === 'bits' ? `${sql} + 0` : sql;
    return `cast(${value} as char character set utf8mb4)`;
  },
  positionValue: (column, placeholder) => {
    if (column.form === 'bytes') return `unhex(${placeholder})`;
    if (column.form === 'choice' || column.form === 'bits')
      return `cast(${placeholder} as unsigned)`;
    return valueOf(column, placeholder);
  },
  // MySQL does not use the index for row constructors.
  isAfter: (columns, values) => {
    const [first = 'null'] = columns;
    return `${first} >= ${values(0)} and ${isAfter(columns, values, 0)}`;
  },
  bytesOf: ({ form }, sql) =>
    fixedSizeForms.has(form) ? '8' : `coalesce(octet_length(${sql}), 0)`,
  // The window function sees only keys and lengths, because MySQL would write whole rows to disk.
  pageQuery: (
    { from, where, order, orderIndexes, aliasedColumns, bytes, rows, selected },
    maxBytes,
  ) => {
    const keys = order.map((sql, at) => `${sql} as k${at}`).join(', ');
    const isSameKey = orderIndexes
      .map((column, at) => `whole.c${column} = counted.k${at}`)
      .join(' and ');
    return `select ${selected.join(', ')}, upto from (
      select part.*, sum(bytes) over (order by ${order.map((_, at) => `k${at}`).join(', ')}
        rows unbounded preceding) as upto from (
        select ${keys}, ${bytes} as bytes from ${from} where ${where}
        order by ${order.join(', ')} limit ${rows}) part) counted
      straight_join (select ${aliasedColumns} from ${from}) whole on ${isSameKey}
      where upto - bytes < ${maxBytes} order by upto`;
  },
  digest: (columns) => {
    const digests = Array.from({ length: columns }, (_, at) => `coalesce(md5(c${at}), '-')`);
    return `md5(concat_ws(',', ${digests.join(', ')}))`;
  },
  mayIdentify: ({ form, base }) => identifyingForms.has(form) && !base.endsWith('text'),
  isTimeout: (error) => ['ER_QUERY_TIMEOUT', 'ER_STATEMENT_TIMEOUT'].includes(codeOf(error)),
  isInvalidValue: () => false,
};

/** Returns an expression that turns a shown text into a value for comparison. */
function valueOf(column: MysqlColumn, placeholder: string): string {
  const { form, base } = column;
  if (form === 'whole') return toInteger(placeholder, column);
  if (form === 'time') {
    // Removes the letters of ISO 8601.
    const sqlTime = `replace(replace(${placeholder}, 'T', ' '), 'Z', '')`;
    return `cast(${sqlTime} as datetime(6))`;
  }
  if (form === 'bytes') return `unhex(substring(${placeholder}, 3))`;
  if (form === 'bits') return `cast(${placeholder} as unsigned)`;
  if (base === 'date') return `cast(${placeholder} as date)`;
  if (base === 'time') return `cast(${placeholder} as time(6))`;
  return base === 'decimal' ? `cast(${placeholder} as decimal(65, 30))` : placeholder;
}

function isAfter(columns: readonly string[], values: (at: number) => string, at: number): string {
  const column = columns[at] ?? 'null';
  const isGreater = `${column} > ${values(at)}`;
  if (at === columns.length - 1) return isGreater;
  return `(${isGreater} or (${column} = ${values(at)} and ${isAfter(columns, values, at + 1)}))`;
}
