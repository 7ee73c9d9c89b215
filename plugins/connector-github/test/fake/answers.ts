import { createHash } from 'node:crypto';
import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { dateTime, userForm, type Addresses } from './addresses.js';
import { graphqlAnswer } from './graphql.js';
import { problem } from './problems.js';
import { repositoryForm } from './repository-form.js';
import { repositoryAnswer } from './repository-answers.js';
import type { GithubWorld } from './world.js';

const requestsPerHour = 5000;
const hourMs = 3_600_000;

/** What the service answers about a repository. */
export function githubModel(world: GithubWorld): ServiceModel {
  let used = 0;
  const quota = (remaining: number): Record<string, string> => ({
    'x-ratelimit-limit': String(requestsPerHour),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((Date.now() + hourMs) / 1000)),
    'x-ratelimit-used': String(used),
    'x-ratelimit-resource': 'core',
  });
  const unauthorized = (): FakeAnswer => problem(401, 'Bad credentials');
  return {
    unauthorized,
    rateLimited: (_request, retryAfterMs) =>
      world.limitForm === 'primary'
        ? primaryLimit(world, retryAfterMs, quota(0))
        : secondaryLimit(world, retryAfterMs, quota(requestsPerHour - used)),
    async answer(request) {
      used++;
      const answer = isAuthorized(world, request) ? await answerOf(world, request) : unauthorized();
      const date = new Date(world.now).toUTCString();
      const headers = { date, ...quota(requestsPerHour - used), ...answer.headers };
      return withEntityTag(request, { ...answer, headers });
    },
  };
}

/** All requests of this hour are used. The reset is a time in whole seconds since 1970. */
function primaryLimit(
  world: GithubWorld,
  retryAfterMs: number,
  quota: Record<string, string>,
): FakeAnswer {
  const reset = String(Math.ceil((Date.now() + retryAfterMs) / 1000));
  return problem(world.limitStatus, 'API rate limit exceeded for user ID 1.', {
    documentation: 'rest/overview/rate-limits-for-the-rest-api',
    headers: { ...quota, 'x-ratelimit-reset': reset },
  });
}

/** Too many requests at once. The quota of this hour is not used up. */
function secondaryLimit(
  world: GithubWorld,
  retryAfterMs: number,
  quota: Record<string, string>,
): FakeAnswer {
  return problem(
    world.limitStatus,
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    {
      documentation: 'rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits',
      headers: { ...quota, 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
    },
  );
}

function isAuthorized(world: GithubWorld, { headers }: FakeRequest): boolean {
  const { authorization } = headers;
  if (authorization === undefined) return !world.isPrivate;
  const [, token = ''] = /^(?:bearer|token) (.+)$/i.exec(authorization) ?? [];
  return world.tokens.has(token);
}

function answerOf(world: GithubWorld, request: FakeRequest): FakeAnswer | Promise<FakeAnswer> {
  if (request.path === '/graphql') return graphqlAnswer(world, request);
  if (request.path === '/user') return ownUser(request);
  const [, base = '', name = '', id = '', rest = ''] =
    /^((?:\/repos\/([^/]+\/[^/]+))|(?:\/repositories\/(\d+)))(.*)$/.exec(request.path) ?? [];
  if (base === '') return notFound();
  if (name !== '' && world.formerNames.includes(name)) return moved(world, request, rest);
  const isKnown = name === world.fullName || id === String(world.repositoryId);
  if (!isKnown || (world.isPrivate && request.headers['authorization'] === undefined))
    return notFound();
  const addresses: Addresses = {
    api: `${request.origin}/repos/${world.fullName}`,
    html: `https://github.com/${world.fullName}`,
  };
  if (rest === '') return { json: repositoryForm(world, addresses) };
  return repositoryAnswer(world, request, rest, addresses) ?? notFound();
}

/** Missing and forbidden look the same. */
function notFound(): FakeAnswer {
  return problem(404, 'Not Found');
}

function moved(world: GithubWorld, request: FakeRequest, rest: string): FakeAnswer {
  const query = request.query.size === 0 ? '' : `?${request.query.toString()}`;
  const url = `${request.origin}/repositories/${world.repositoryId}${rest}${query}`;
  const documentation_url =
    'https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects';
  return {
    status: 301,
    headers: { location: url },
    json: { message: 'Moved Permanently', url, documentation_url },
  };
}

function ownUser(request: FakeRequest): FakeAnswer {
  if (request.headers['authorization'] === undefined)
    return problem(401, 'Requires authentication');
  const created = dateTime(Date.parse('2020-01-01T00:00:00Z'));
  const counts = { public_repos: 1, public_gists: 0, followers: 0, following: 0 };
  const texts = { name: 'Ann', company: null, blog: '', location: null, email: null, bio: null };
  return {
    json: {
      ...userForm('ann', request.origin),
      ...texts,
      ...counts,
      hireable: null,
      created_at: created,
      updated_at: created,
    },
  };
}

/** Answers 304 without a body if the caller has this answer already. */
function withEntityTag(request: FakeRequest, answer: FakeAnswer): FakeAnswer {
  if ((answer.status ?? 200) !== 200) return answer;
  const digest = createHash('sha256').update(JSON.stringify(answer.json)).digest('hex');
  const etag = `"${digest}"`;
  const headers = { ...answer.headers, etag };
  const isKnown = request.headers['if-none-match']?.replace(/^W\//, '') === etag;
  return isKnown ? { status: 304, headers } : { ...answer, headers };
}
