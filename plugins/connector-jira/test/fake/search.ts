import { createHash } from 'node:crypto';

import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { issueForm, type Site } from './forms.js';
import { JqlError, runJql } from './jql.js';
import { problem } from './problems.js';

const knownMembers = new Set([
  'expand',
  'fields',
  'fieldsByKeys',
  'jql',
  'maxResults',
  'nextPageToken',
  'properties',
  'reconcileIssues',
]);
const maxIds = 5000;

interface SearchBody {
  readonly jql: string;
  readonly fields: readonly string[];
  readonly maxResults: number;
  readonly startAt: number;
  readonly nextPageToken: string | undefined;
}

/** Answers `search/jql`, which pages with tokens and does not count. The URL's query has no effect. */
export function searchByToken(
  site: Site,
  { body, headers }: FakeRequest,
  isAnonymous: boolean,
): FakeAnswer {
  if (!(headers['content-type'] ?? '').startsWith('application/json'))
    return { status: 415, body: '' };
  const unknown = Object.keys(Object(body)).find((name) => !knownMembers.has(name));
  if (unknown !== undefined)
    return problem(
      400,
      'Invalid request payload. Refer to the REST API documentation and try again.',
    );
  const query = searchBody(body, 50);
  const { jql, fields, maxResults, nextPageToken } = query;
  if (maxResults < 1 || maxResults > maxIds)
    return problem(400, `The maxResults parameter must be between 1 and ${maxIds}.`);
  const start = nextPageToken === undefined ? 0 : startOf(site, nextPageToken, jql);
  if (start === null) return problem(400, 'The nextPageToken is invalid or has expired.');
  return answerQuery(() => {
    const issues = runJql(site.world, jql, isAnonymous);
    const isLight = fields.every((name) => name === 'id' || name === 'key');
    const end = start + Math.min(maxResults, isLight ? maxIds : site.world.maxIssues);
    const isLast = end >= issues.length;
    return {
      issues: issues.slice(start, end).map((issue) => issueForm(site, issue, fields)),
      ...(isLast ? {} : { nextPageToken: tokenOf(site, end, jql) }),
      isLast,
    };
  });
}

/** Returns a GET as a POST with the parameters of its URL as the body. */
export function asPost(request: FakeRequest): FakeRequest {
  const { fields, maxResults, startAt, ...others } = Object.fromEntries(request.query);
  const body = {
    ...others,
    ...(fields === undefined ? {} : { fields: fields.split(',') }),
    ...(maxResults === undefined ? {} : { maxResults: Number(maxResults) }),
    ...(startAt === undefined ? {} : { startAt: Number(startAt) }),
  };
  return { ...request, body, headers: { ...request.headers, 'content-type': 'application/json' } };
}

/** Answers the search of a data centre, which counts and pages with offsets. */
export function searchByOffset(
  site: Site,
  { body }: FakeRequest,
  isAnonymous: boolean,
): FakeAnswer {
  const { jql, fields, maxResults, startAt } = searchBody(body, 50);
  return answerQuery(() => {
    const issues = runJql(site.world, jql, isAnonymous);
    const size = Math.min(maxResults, site.world.maxIssues);
    const wanted = fields.length === 0 ? ['*navigable'] : fields;
    return {
      expand: 'schema,names',
      startAt,
      maxResults: size,
      total: issues.length,
      issues: issues
        .slice(startAt, startAt + size)
        .map((issue) => withFields(issueForm(site, issue, wanted))),
    };
  });
}

export function countOf(site: Site, { body }: FakeRequest, isAnonymous: boolean): FakeAnswer {
  return answerQuery(() => ({
    count: runJql(site.world, searchBody(body, 50).jql, isAnonymous).length,
  }));
}

function answerQuery(run: () => unknown): FakeAnswer {
  try {
    return { json: run() };
  } catch (error) {
    if (error instanceof JqlError) return problem(400, error.message);
    throw error;
  }
}

/** An issue of a data centre always has fields. */
function withFields(issue: unknown): unknown {
  return { fields: {}, ...Object(issue) };
}

function searchBody(body: unknown, defaultSize: number): SearchBody {
  const { jql, fields, maxResults, startAt, nextPageToken }: Record<string, unknown> = Object(body);
  return {
    jql: typeof jql === 'string' ? jql : '',
    fields: Array.isArray(fields) ? fields.map(String) : [],
    maxResults: typeof maxResults === 'number' ? maxResults : defaultSize,
    startAt: typeof startAt === 'number' ? startAt : 0,
    nextPageToken: typeof nextPageToken === 'string' ? nextPageToken : undefined,
  };
}

/** A token belongs to its query. */
function tokenOf({ world }: Site, start: number, jql: string): string {
  return Buffer.from(`${world.tokenGeneration}:${start}:${digest(jql)}`).toString('base64url');
}

function startOf({ world }: Site, token: string, jql: string): number | null {
  const [generation, start, query] = Buffer.from(token, 'base64url').toString().split(':');
  const isValid = Number(generation) === world.tokenGeneration && query === digest(jql);
  return isValid ? Number(start) : null;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
