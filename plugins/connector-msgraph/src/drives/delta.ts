import type { ErrorRule, HttpService } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

import { isThrottled } from '../graph/description.js';
import { itemFields, itemsIn, type DriveItem } from './drive-item.js';

const pageSize = 200;
/** More items do not fit into memory. */
const maxItems = 1_000_000;
const maxRestarts = 3;

/** A drive whose items are listed together. */
export interface Drive {
  /** The path of the drive in the API: `/me/drive`. */
  readonly path: string;
  /** The first part of the identities of its items. Empty in a source with one drive. */
  readonly key: string;
  /** The id of its site. Empty: it has none. */
  readonly site: string;
  /** The folder of its items in the source. Empty: the root. */
  readonly folder: string;
}

/** The changes of a drive since a link, or all its items. Of several states of one item, the last one counts. */
export interface DriveDelta {
  readonly items: ReadonlyMap<string, DriveItem>;
  /** The link for the next run. */
  readonly link: string;
}

/** The reason why there is no delta: the link has expired, or the service does not show the drive. */
export interface NoDelta {
  readonly none: 'expired' | 'skip';
  readonly say: string;
}

/** A drive or site that cannot be read does not end the sync of the others. */
export const skipUnreadable: readonly ErrorRule[] = [
  { when: (answer) => [403, 404, 423].includes(answer.status) && !isThrottled(answer), do: 'skip' },
];

const deltaErrors: readonly ErrorRule[] = [
  { when: { status: 410 }, do: 'expired' },
  ...skipUnreadable,
];

/** Reads all pages since a link. Without a link, reads all items. */
export async function readDelta(
  service: HttpService,
  drive: Drive,
  link: string | null,
  signal: AbortSignal,
): Promise<DriveDelta | NoDelta> {
  const items = new Map<string, DriveItem>();
  const seen = new Set<string>();
  let isRepeated = false;
  for (let next = link; ;) {
    const reply = await service.send(deltaRequest(drive, next), { signal, errors: deltaErrors });
    if ('none' in reply)
      return { none: reply.none === 'expired' ? 'expired' : 'skip', say: reply.say };
    const { body } = reply.answer;
    const listed = itemsIn(body);
    if (listed === null) throw invalid(service, 'is not a list', true);
    for (const item of listed) {
      items.delete(item.id);
      items.set(item.id, item);
    }
    if (items.size > maxItems) throw invalid(service, `has more than ${maxItems} items`);
    const {
      '@odata.nextLink': following,
      '@odata.deltaLink': last,
    }: { readonly '@odata.nextLink'?: unknown; readonly '@odata.deltaLink'?: unknown } =
      Object(body);
    if (typeof last === 'string') return { items, link: last };
    if (typeof following !== 'string') throw invalid(service, 'has no link', true);
    // A cache between the service and the connector may have repeated the answer once.
    if (following === next && !isRepeated) {
      isRepeated = true;
      continue;
    }
    if (seen.has(following)) throw invalid(service, 'repeats a page and would never end');
    seen.add(following);
    isRepeated = false;
    next = following;
  }
}

/** Reads all items of a drive. Starts over if the links between its pages expire. */
export async function readDrive(
  service: HttpService,
  drive: Drive,
  signal: AbortSignal,
): Promise<DriveDelta | NoDelta> {
  for (let restarts = 0; ; restarts++) {
    const delta = await readDelta(service, drive, null, signal);
    if (!('none' in delta) || delta.none !== 'expired') return delta;
    if (restarts >= maxRestarts)
      throw new TroveError('connector_unhealthy', `Page links expire too early: ${delta.say}`, {
        retryable: true,
        suggestions: [],
      });
  }
}

function deltaRequest({ path }: Drive, link: string | null): Parameters<HttpService['send']>[0] {
  if (link !== null) return { get: () => link };
  return {
    get: () => `/v1.0${path}/root/delta`,
    query: { $top: pageSize, $select: itemFields },
  };
}

function invalid({ base }: HttpService, problem: string, retryable = false): TroveError {
  const detail = `${new URL(base).host}: the list of changes ${problem}`;
  return new TroveError('connector_unhealthy', detail, { retryable, suggestions: [] });
}
