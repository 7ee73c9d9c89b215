import { isTroveError, TroveError } from '@trove/core';

import { fieldsOf, type FoundField } from './fields.js';
import { findLists, type FoundList } from './lists.js';
import { proposeMapping, type MappingProposal } from './mapping.js';
import { proposePaging, type PagingProposal } from './paging.js';
import { requestSample, withQuery, type Sample, type SampleOptions } from './sample.js';
import { isNewestFirst, sinceNames, sinceParameter, type ProposedIncremental } from './since.js';

/** What an answer of an API suggests about one of its lists. */
export interface Inspection {
  readonly list: FoundList;
  readonly fields: readonly FoundField[];
  readonly mapping: MappingProposal;
  /** The likely forms, the best one first. */
  readonly paging: readonly PagingProposal[];
}

/** Returns the lists of an answer. Throws `connector_unhealthy` if it has none. */
export function listsOf({ body, url }: Sample): readonly FoundList[] {
  const lists = findLists(body);
  if (lists.length > 0) return lists;
  throw new TroveError(
    'connector_unhealthy',
    `${url.host}${url.pathname} returned no list of objects`,
    {
      suggestions: ['A single object cannot be a source. Enter the address of a list.'],
    },
  );
}

export function inspectList(sample: Sample, list: FoundList): Inspection {
  const fields = fieldsOf(list.items);
  return {
    list,
    fields,
    mapping: proposeMapping(fields, list.items.length, sample.url),
    paging: proposePaging(sample, list.path, list.items.length),
  };
}

const maxRequests = 6;

/**
 * Returns the first form of paging whose second page has other items than the first one. A form that the answer proves is
 * not tried.
 */
export async function confirmPaging(
  { list, paging }: Pick<Inspection, 'list' | 'paging'>,
  options: SampleOptions,
): Promise<PagingProposal> {
  const first = new Set(list.items.map((item) => JSON.stringify(item)));
  for (const each of paging.slice(0, maxRequests)) {
    if (each.second === null) return each;
    const items = await itemsAt(each.second, list.path, options);
    const isOther = items !== null && items.every((item) => !first.has(JSON.stringify(item)));
    if (isOther && (items.length > 0 || isCounted(each))) return each;
  }
  return { page: 'none', second: null, sent: [] };
}

/** Whether an empty second page shows that the parameter has an effect. */
function isCounted({ page }: PagingProposal): boolean {
  return typeof page === 'object' && page['by'] !== 'cursor';
}

/**
 * Returns how a later sync can request only changes. Tries the usual parameters with a time in the future, to which a list
 * without items is the right answer. `at`: the path of the time of change.
 */
export async function findIncremental(
  { url }: Sample,
  { list, fields }: Inspection,
  at: string | undefined,
  options: SampleOptions,
): Promise<ProposedIncremental> {
  const given = sinceNames.find((name) => url.searchParams.has(name));
  if (given !== undefined) return sinceParameter(given);
  if (list.items.length === 0 || at === undefined) return null;
  const future = new Date(Date.now() + 86_400_000).toISOString();
  const order = /updated|modified|changed|edited/i.test(at) ? timesAt(fields, at) : [];
  for (const name of sinceNames.slice(0, maxRequests)) {
    const items = await itemsAt(withQuery(url, { [name]: future }), list.path, options);
    if (items?.length === 0) return sinceParameter(name);
  }
  return isNewestFirst(order) ? { by: 'newest-first', time: at, overlap: '10m' } : null;
}

function timesAt(fields: readonly FoundField[], at: string): readonly number[] {
  const values = fields.find(({ path }) => path === at)?.values ?? [];
  return values.map((value) => (typeof value === 'string' ? Date.parse(value) : Number(value)));
}

/** Returns the items at an address. Null if the API does not answer with the list. */
async function itemsAt(
  url: URL,
  path: string,
  options: SampleOptions,
): Promise<FoundList['items'] | null> {
  try {
    const sample = await requestSample(url, options);
    return sample === null
      ? null
      : (findLists(sample.body).find((each) => each.path === path)?.items ?? null);
  } catch (error) {
    options.signal.throwIfAborted();
    if (isTroveError(error)) return null;
    throw error;
  }
}
