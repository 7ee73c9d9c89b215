import { codeOf } from '@trove/connector-kit';
import type { Dialect } from '@trove/connector-kit/sql';

import type { Column } from './columns.js';
import { quoted } from './names.js';
import { bytesOf, isShown, shown, shownKey } from './values.js';

const identifying = new Set(['int2', 'int4', 'int8', 'numeric', 'uuid', 'text', 'varchar']);

export const postgres: Dialect<Column> = {
  quoted,
  placeholder: (number) => `$${number}::text`,
  isShown,
  shown: ({ base }, sql, columns) => shown(base, sql, columns),
  shownKey: ({ base }, sql) => shownKey(base, sql),
  holds: (sql, placeholder) => `coalesce(strpos(${sql} collate "C", ${placeholder}) > 0, false)`,
  equals: ({ base }, sql, placeholder) => `${sql} = ${placeholder}::${base.sql}`,
  comparable: (_, sql) => sql,
  placeText: (_, sql) => `${sql}::text`,
  place: ({ base }, placeholder) => `${placeholder}::${base.sql}`,
  isBeyond: (columns, values) =>
    `(${columns.join(', ')}) > (${columns.map((_, at) => values(at)).join(', ')})`,
  bytesOf: ({ base }, sql) => bytesOf(base, sql),
  // Values that are stored out of line are fetched only for the rows that are left.
  page: ({ from, where, order, orderAt, named, bytes, rows, selected }, mostBytes) => `
    select ${selected.join(', ')}, upto from (
      select *, sum(bytes) over (order by ${orderAt.map((at) => `c${at}`).join(', ')}
        rows unbounded preceding) as upto from (
        select ${named}, ${bytes} as bytes from ${from} where ${where}
        order by ${order.join(', ')} limit ${rows}) part) counted
    where upto - bytes < ${mostBytes} order by upto`,
  digest: () => 'md5(part::text)',
  mayIdentify: ({ base }) => identifying.has(base.name),
  isTooSlow: (error) => codeOf(error) === '57014',
  isNoValue: (error) => codeOf(error).startsWith('22'),
};
