import { codeOf } from '@trove/connector-kit';
import type { SqlDialect } from '@trove/connector-kit/sql';

import type { PostgresColumn } from './columns.js';
import { quoteIdentifier } from './names.js';
import { bytesOf, isShown, valueExpressionOf, keyExpressionOf } from './values.js';

const identifyingTypes = new Set(['int2', 'int4', 'int8', 'numeric', 'uuid', 'text', 'varchar']);

export const postgres: SqlDialect<PostgresColumn> = {
  quote: quoteIdentifier,
  placeholder: (number) => `$${number}::text`,
  isShown,
  valueExpression: ({ base }, sql, columns) => valueExpressionOf(base, sql, columns),
  keyExpression: ({ base }, sql) => keyExpressionOf(base, sql),
  contains: (sql, placeholder) => `coalesce(strpos(${sql} collate "C", ${placeholder}) > 0, false)`,
  equals: ({ base }, sql, placeholder) => `${sql} = ${placeholder}::${base.sql}`,
  comparable: (_, sql) => sql,
  positionText: (_, sql) => `${sql}::text`,
  positionValue: ({ base }, placeholder) => `${placeholder}::${base.sql}`,
  isAfter: (columns, values) =>
    `(${columns.join(', ')}) > (${columns.map((_, at) => values(at)).join(', ')})`,
  bytesOf: ({ base }, sql) => bytesOf(base, sql),
  // Values stored out of line are fetched only for the remaining rows.
  pageQuery: (
    { from, where, order, orderIndexes, aliasedColumns, bytes, rows, selected },
    maxBytes,
  ) => `
    select ${selected.join(', ')}, upto from (
      select *, sum(bytes) over (order by ${orderIndexes.map((at) => `c${at}`).join(', ')}
        rows unbounded preceding) as upto from (
        select ${aliasedColumns}, ${bytes} as bytes from ${from} where ${where}
        order by ${order.join(', ')} limit ${rows}) part) counted
    where upto - bytes < ${maxBytes} order by upto`,
  digest: () => 'md5(part::text)',
  mayIdentify: ({ base }) => identifyingTypes.has(base.name),
  isTimeout: (error) => codeOf(error) === '57014',
  isInvalidValue: (error) => codeOf(error).startsWith('22'),
};
