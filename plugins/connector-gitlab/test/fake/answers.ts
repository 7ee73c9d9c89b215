import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { projectForm, userForm } from './forms.js';
import { problem, requestProblem } from './problems.js';
import { projectAnswer } from './project-answers.js';
import type { GitlabWorld } from './world.js';

const requestsPerMinute = 2000;

/** What the service answers about a project. */
export function gitlabModel(world: GitlabWorld): ServiceModel {
  let used = 0;
  return {
    rateLimited: (_request, retryAfterMs) => tooMany(world, retryAfterMs),
    unauthorized: () =>
      requestProblem(401, 'invalid_token', {
        error_description: 'Token was revoked. You have to re-authorize from the user.',
      }),
    answer(request) {
      used++;
      const answer = refusal(world, request) ?? answerOf(world, request);
      const date = new Date(world.now).toUTCString();
      return { ...answer, headers: { date, ...quota(used, 60_000), ...answer.headers } };
    },
  };
}

function quota(used: number, resetMs: number): Record<string, string> {
  const reset = Date.now() + resetMs;
  return {
    'ratelimit-limit': String(requestsPerMinute),
    'ratelimit-observed': String(used),
    'ratelimit-remaining': String(Math.max(0, requestsPerMinute - used)),
    'ratelimit-reset': String(Math.ceil(reset / 1000)),
  };
}

function tooMany({ limitForm }: GitlabWorld, retryAfterMs: number): FakeAnswer {
  const headers = {
    ...quota(requestsPerMinute, retryAfterMs),
    'retry-after': String(Math.ceil(retryAfterMs / 1000)),
  };
  if (limitForm === 'text')
    return {
      status: 429,
      headers: { ...headers, 'content-type': 'text/plain' },
      body: 'Retry later\n',
    };
  const error = 'This endpoint has been requested too many times. Try again later.';
  return { status: 429, headers, json: { message: { error } } };
}

/** Refuses a request without a valid token, or without the scope. */
function refusal(world: GitlabWorld, { headers, path }: FakeRequest): FakeAnswer | null {
  const [, bearer] = /^bearer (.+)$/i.exec(headers['authorization'] ?? '') ?? [];
  const token = headers['private-token'] ?? bearer;
  if (token === undefined)
    return world.isPublic && path !== '/api/v4/user' ? null : anonymousRefusal(path);
  if (!world.tokens.has(token)) return problem(401, 'Unauthorized');
  if (world.hasScope) return null;
  return requestProblem(403, 'insufficient_scope', {
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: 'api read_api',
  });
}

/** A private project does not exist for anonymous callers. */
function anonymousRefusal(path: string): FakeAnswer {
  return path === '/api/v4/user' ? problem(401, 'Unauthorized') : problem(404, 'Project Not Found');
}

function answerOf(world: GitlabWorld, request: FakeRequest): FakeAnswer {
  if (request.path === '/api/v4/user') return { json: userForm(world, 'ann') };
  const [, id = '', rest = ''] = /^\/api\/v4\/projects\/([^/]+)(.*)$/.exec(request.path) ?? [];
  const isKnown = id === String(world.projectId) || decodeURIComponent(id) === world.fullPath;
  if (!isKnown) return problem(404, id === '' ? 'Not Found' : 'Project Not Found');
  if (rest === '') return { json: projectForm(world) };
  return projectAnswer(world, request, rest, decodeURIComponent(id));
}
