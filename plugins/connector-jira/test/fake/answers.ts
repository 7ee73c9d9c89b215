import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { apiPath, projectForm, userForm, type Site } from './forms.js';
import { attachmentAnswer, issueAnswer } from './issue-answers.js';
import { canBrowse } from './jql.js';
import { problem } from './problems.js';
import { asPost, countOf, searchByOffset, searchByToken } from './search.js';
import type { JiraWorld, Project } from './world.js';

/** What the service answers. */
export function jiraModel(world: JiraWorld): ServiceModel {
  return {
    rateLimited: (_request, retryAfterMs) => tooMany(retryAfterMs),
    unauthorized: (request) =>
      world.edition === 'cloud' ? answerTo(world, request, true) : refusal(),
    answer(request) {
      const isAnonymous = !isLoggedIn(world, request);
      if (request.path === '/login.jsp') return loginPage();
      if (isAnonymous && world.edition === 'data-center') return anonymousAnswer(request);
      return answerTo(world, request, isAnonymous);
    },
  };
}

function isLoggedIn({ tokens, edition }: JiraWorld, { headers }: FakeRequest): boolean {
  const [, scheme = '', login = ''] =
    /^(basic|bearer) (.+)$/i.exec(headers['authorization'] ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return edition === 'data-center' && tokens.has(login);
  const [user, token = ''] = Buffer.from(login, 'base64').toString().split(':');
  return user === 'ann@acme.example' && tokens.has(token);
}

/**
 * Cloud serves a request with a wrong login as if nobody had logged in. Only a header tells the difference, and not on every
 * site.
 */
function answerTo(world: JiraWorld, request: FakeRequest, isAnonymous: boolean): FakeAnswer {
  const answer = answerOf({ world, origin: request.origin }, request, isAnonymous);
  const reason = isAnonymous ? 'AUTHENTICATED_FAILED' : 'OK';
  const headers = {
    date: new Date(world.now).toUTCString(),
    ...(world.tellsFailedLogin ? { 'x-seraph-loginreason': reason } : {}),
    ...answer.headers,
  };
  return { ...answer, headers };
}

/** Files of a data center are pages for people, which redirect to the login. */
function anonymousAnswer({ path, origin }: FakeRequest): FakeAnswer {
  return path.startsWith('/secure/')
    ? {
        status: 302,
        headers: { location: `${origin}/login.jsp?permissionViolation=true` },
        body: '',
      }
    : refusal();
}

function loginPage(): FakeAnswer {
  return { headers: { 'content-type': 'text/html;charset=UTF-8' }, body: '<title>Log in</title>' };
}

/** A data centre refuses a wrong token at once. */
function refusal(): FakeAnswer {
  return {
    status: 401,
    headers: { 'www-authenticate': 'OAuth realm="https%3A%2F%2Fjira.acme.example"' },
    json: { message: 'Client must be authenticated to access this resource.', 'status-code': 401 },
  };
}

function tooMany(retryAfterMs: number): FakeAnswer {
  return {
    ...problem(429, 'Rate limit exceeded.'),
    headers: {
      'retry-after': String(Math.ceil(retryAfterMs / 1000)),
      'x-ratelimit-limit': '350',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': new Date(Date.now() + retryAfterMs).toISOString(),
      'ratelimit-reason': 'jira-burst-based',
    },
  };
}

function answerOf(site: Site, request: FakeRequest, isAnonymous: boolean): FakeAnswer {
  const bytes = attachmentAnswer(site, request.path, isAnonymous);
  if (bytes !== undefined) return bytes;
  const api = apiPath(site.world.edition);
  if (!request.path.startsWith(`${api}/`)) return problem(404, 'null for uri: ' + request.path);
  const path = request.path.slice(api.length);
  const own = site.world.edition === 'cloud' ? cloudAnswer : dataCenterAnswer;
  return (
    own(site, request, path, isAnonymous) ??
    issueAnswer(site, request, path, isAnonymous) ??
    commonAnswer(site, path, isAnonymous) ??
    problem(404, `null for uri: ${request.path}`)
  );
}

function commonAnswer(site: Site, path: string, isAnonymous: boolean): FakeAnswer | undefined {
  if (path === '/myself')
    return isAnonymous
      ? problem(401, 'Client must be authenticated to access this resource.')
      : { json: userForm(site, 'ann') };
  if (path === '/serverInfo') return { json: serverInfo(site) };
  const [, key] = /^\/project\/([^/]+)$/.exec(path) ?? [];
  const project = visibleProjects(site, isAnonymous).find(
    (each) => each.key === key || String(each.id) === key,
  );
  if (project !== undefined) return { json: projectForm(site, project) };
  return key === undefined
    ? undefined
    : problem(404, `No project could be found with key '${key}'.`);
}

function serverInfo({ world, origin }: Site): unknown {
  const isCloud = world.edition === 'cloud';
  return {
    baseUrl: origin,
    version: isCloud ? '1001.0.0-SNAPSHOT' : '10.3.2',
    versionNumbers: isCloud ? [1001, 0, 0] : [10, 3, 2],
    deploymentType: isCloud ? 'Cloud' : 'Server',
  };
}

function visibleProjects({ world }: Site, isAnonymous: boolean): Project[] {
  return [...world.projects.values()].filter(({ key }) => canBrowse(world, key, isAnonymous));
}

function cloudAnswer(
  site: Site,
  request: FakeRequest,
  path: string,
  isAnonymous: boolean,
): FakeAnswer | undefined {
  if (path === '/search')
    return problem(
      410,
      'The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.',
    );
  const query = request.method === 'POST' ? request : asPost(request);
  if (path === '/search/jql') return searchByToken(site, query, isAnonymous);
  if (path === '/search/approximate-count') return countOf(site, request, isAnonymous);
  if (path === '/project/search') return projectPage(site, request, isAnonymous);
  if (path === '/users/search')
    return { json: isAnonymous ? [] : ['ann', 'bob'].map((name) => userForm(site, name)) };
  return undefined;
}

function dataCenterAnswer(
  site: Site,
  request: FakeRequest,
  path: string,
  isAnonymous: boolean,
): FakeAnswer | undefined {
  const query = request.method === 'POST' ? request : asPost(request);
  if (path === '/search') return searchByOffset(site, query, isAnonymous);
  if (path === '/project')
    return {
      json: visibleProjects(site, isAnonymous).map((project) => projectForm(site, project)),
    };
  return undefined;
}

function projectPage(site: Site, { query, path }: FakeRequest, isAnonymous: boolean): FakeAnswer {
  const keys = query.getAll('keys');
  const all = visibleProjects(site, isAnonymous).filter(
    ({ key }) => keys.length === 0 || keys.includes(key),
  );
  const startAt = Number(query.get('startAt') ?? 0);
  const maxResults = Math.min(Number(query.get('maxResults') ?? 50), 100);
  const isLast = startAt + maxResults >= all.length;
  const url = (start: number): string =>
    `${site.origin}${path}?maxResults=${maxResults}&startAt=${start}`;
  return {
    json: {
      self: url(startAt),
      ...(isLast ? {} : { nextPage: url(startAt + maxResults) }),
      maxResults,
      startAt,
      total: all.length,
      isLast,
      values: all.slice(startAt, startAt + maxResults).map((project) => projectForm(site, project)),
    },
  };
}
