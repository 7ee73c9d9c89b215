import type { FakeAnswer } from '@trove/connector-kit/http/fake';
import { invalid, requestId } from './problems.js';

const maxSize = 100;

export interface PageRequest {
  readonly cursor: unknown;
  readonly size: unknown;
}

interface Item {
  readonly id: string;
}

/**
 * Returns a page of `items` in the form of a list of `type`. The cursor is the id of the next item, so an item that moves
 * while a caller pages moves the cursor. `limit`: the number of items after which the list ends as incomplete.
 */
export function listPage<T extends Item>(
  { cursor, size }: PageRequest,
  items: readonly T[],
  form: (item: T) => unknown,
  { type, limit = null }: { readonly type: string; readonly limit?: number | null },
): FakeAnswer {
  const count = pageSize(size);
  if (count === null)
    return invalid(
      `body failed validation: body.page_size should be a number between 1 and ${maxSize}.`,
    );
  const shown = limit === null ? items : items.slice(0, limit);
  const start = typeof cursor === 'string' ? shown.findIndex(({ id }) => id === cursor) : 0;
  if (start < 0) return invalid(`The start_cursor provided is invalid: ${String(cursor)}`);
  const next = shown[start + count];
  const isCut = next === undefined && shown.length < items.length;
  return {
    json: {
      object: 'list',
      results: shown.slice(start, start + count).map(form),
      next_cursor: next?.id ?? null,
      has_more: next !== undefined,
      type,
      [type]: {},
      request_id: requestId,
      ...(isCut && {
        request_status: { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' },
      }),
    },
  };
}

function pageSize(size: unknown): number | null {
  if (size === undefined || size === null) return maxSize;
  const count = Number(size);
  return Number.isInteger(count) && count >= 1 && count <= maxSize ? count : null;
}
