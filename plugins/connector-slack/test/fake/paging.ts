import type { FakeAnswer } from '@trove/connector-kit/http/fake';
import type { Arguments } from './arguments.js';
import { problem } from './problems.js';
import type { SlackWorld } from './world.js';

export interface PageOptions<T> {
  /** The word that cursors begin with: `team`. */
  readonly prefix: string;
  readonly defaultLimit: number;
  readonly maxLimit?: number;
  /** The position of a row, unique among the rows. */
  readonly position: (row: T) => string;
  /** Are the rows in descending order of their positions? Default false. */
  readonly isDescending?: boolean;
  /** Makes the answer. `cursor` is empty on the last page. */
  readonly answer: (rows: readonly T[], cursor: string) => FakeAnswer;
}

/** Answers one page of rows, which are in order. A cursor is the position of the first row of a page. */
export function page<T>(
  world: SlackWorld,
  rows: readonly T[],
  args: Arguments,
  options: PageOptions<T>,
): FakeAnswer {
  const { prefix, defaultLimit, maxLimit = 1000, position, answer } = options;
  const limit = Number(args.get('limit') ?? defaultLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) return problem('invalid_limit');
  const begin = beginOf(rows, args.get('cursor') ?? '', options);
  if (begin === null) return problem('invalid_cursor');
  const size = world.hasShortPages ? Math.ceil(limit / 2) : limit;
  const next = rows[begin + size];
  return answer(
    rows.slice(begin, begin + size),
    next === undefined ? '' : Buffer.from(`${prefix}:${position(next)}`).toString('base64'),
  );
}

/** Returns the index of the first row at or after a cursor, or null if the cursor is of another listing. */
function beginOf<T>(
  rows: readonly T[],
  cursor: string,
  { prefix, position, isDescending = false }: PageOptions<T>,
): number | null {
  if (cursor === '') return 0;
  const text = Buffer.from(cursor, 'base64').toString();
  if (!text.startsWith(`${prefix}:`)) return null;
  const wanted = text.slice(prefix.length + 1);
  const index = rows.findIndex((row) =>
    isDescending ? position(row) <= wanted : position(row) >= wanted,
  );
  return index < 0 ? rows.length : index;
}
