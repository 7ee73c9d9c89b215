import { pageError, type Answer, type PageChange } from '@trove/connector-kit/http';

import type { JiraIssue } from './answers.js';

export const searchOrder = ' ORDER BY created ASC, key ASC';
/** The lower bound of an earlier page. */
const lowerBound = / AND created >= \d+$/;
/** Searches compare times by the minute. */
const minuteMs = 60_000;

interface SearchPage {
  readonly isLast?: boolean;
  readonly nextPageToken?: string;
  readonly startAt?: number;
  readonly total?: number;
  readonly issues?: readonly JiraIssue[];
}

/**
 * Cloud pages with tokens. A data center counts, and may serve fewer issues than requested. A deletion moves the issues after
 * it to smaller offsets. The listing therefore continues in the minute of the last issue's creation, and counts only within it.
 */
export function nextSearchPage(answer: Answer): PageChange | null {
  const { body, url } = answer;
  const { isLast, nextPageToken, startAt, total, issues = [] }: SearchPage = Object(body);
  if (nextPageToken !== undefined) return { values: { 'query.nextPageToken': nextPageToken } };
  if (isLast === true) return null;
  if (startAt === undefined || total === undefined)
    throw pageError(answer, 'states neither the end of the search nor a next page');
  const next = startAt + issues.length;
  if (next >= total) return null;
  const jql = new URL(url).searchParams.get('jql') ?? '';
  const later = continuedQuery(jql, issues.at(-1));
  return { values: { 'query.jql': later, 'query.startAt': later === jql ? next : 0 } };
}

/** Returns the query for the issues from the minute in which the last one was created. */
function continuedQuery(jql: string, last: JiraIssue | undefined): string {
  const created = Date.parse(last?.fields?.created ?? '');
  if (Number.isNaN(created) || !jql.endsWith(searchOrder)) return jql;
  const conditions = jql.slice(0, -searchOrder.length).replace(lowerBound, '');
  const minute = Math.floor(created / minuteMs) * minuteMs;
  return `${conditions} AND created >= ${minute}${searchOrder}`;
}

/** Cloud pages projects. A data centre lists all of them. */
export function nextProjectPage(answer: Answer): PageChange | null {
  const { body } = answer;
  if (Array.isArray(body)) return null;
  const {
    isLast,
    startAt = 0,
    values = [],
  }: { isLast?: boolean; startAt?: number; values?: unknown[] } = Object(body);
  if (isLast === undefined) throw pageError(answer, 'has no `isLast`');
  return isLast ? null : { values: { 'query.startAt': startAt + values.length } };
}
