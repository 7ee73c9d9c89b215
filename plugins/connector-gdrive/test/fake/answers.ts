import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { deviceCodeAnswer, pageAnswer } from './authorization.js';
import { changesAnswer, startTokenAnswer } from './changes.js';
import { parseFields, project } from './fields.js';
import { contentAnswer, exportAnswer } from './content.js';
import { fileForm, userForm } from './forms.js';
import { listAnswer } from './listing.js';
import { tokenAnswer } from './login.js';
import { invalid, notFound, problem } from './problems.js';
import type { DriveWorld } from './world.js';

/** What the service answers about a user's files. */
export function driveModel(world: DriveWorld): ServiceModel {
  return {
    unauthorized: () =>
      problem(401, 'authError', 'Request had invalid authentication credentials.'),
    rateLimited: () =>
      world.limitStatus === 403
        ? problem(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded', {
            domain: 'usageLimits',
          })
        : problem(429, 'rateLimitExceeded', 'Quota exceeded for quota metric.', {
            domain: 'global',
          }),
    answer: (request) => loginAnswer(world, request) ?? driveAnswer(world, request),
  };
}

function loginAnswer(world: DriveWorld, request: FakeRequest): FakeAnswer | undefined {
  switch (request.path) {
    case '/token':
      return tokenAnswer(world, request);
    case '/o/oauth2/v2/auth':
      return pageAnswer(world.consent, request);
    case '/device/code':
      return deviceCodeAnswer(world.consent, request);
    default:
      return undefined;
  }
}

function driveAnswer(world: DriveWorld, request: FakeRequest): FakeAnswer {
  const [, token = ''] = /^bearer (.+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
  if (!world.accessTokens.has(token))
    return problem(401, 'authError', 'Request had invalid authentication credentials.');
  if (!world.hasScope)
    return problem(
      403,
      'insufficientPermissions',
      'Insufficient Permission: Request had insufficient authentication scopes.',
    );
  const [answer, fields] = answerOf(world, request);
  return masked(answer, request.query.get('fields') ?? fields);
}

/** Returns the whole answer and the fields that it has by default. */
function answerOf(world: DriveWorld, request: FakeRequest): readonly [FakeAnswer, string] {
  const path = request.path.replace(/^\/drive\/v3/, '');
  const [, id = '', part = ''] = /^\/files\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
  const file = 'kind,id,name,mimeType';
  if (path === '/about') return aboutAnswer(request);
  if (path === '/files') return [listAnswer(world, request), `kind,nextPageToken,files(${file})`];
  if (path === '/drives') return [drivesAnswer(world), '*'];
  if (path === '/changes/startPageToken') return [startTokenAnswer(world), '*'];
  if (path === '/changes')
    return [
      changesAnswer(world, request),
      `kind,nextPageToken,newStartPageToken,changes(kind,changeType,time,removed,fileId,file(${file}))`,
    ];
  if (part === 'export') return [exportAnswer(world, request, id), '*'];
  if (id !== '' && part === '') return [fileAnswer(world, request, id), file];
  return [problem(404, 'notFound', 'Not Found'), '*'];
}

/** The service does not choose fields for this answer. */
function aboutAnswer({ query }: FakeRequest): readonly [FakeAnswer, string] {
  if (!query.has('fields'))
    return [
      problem(400, 'required', "The 'fields' parameter is required for this method.", {
        location: 'fields',
      }),
      '*',
    ];
  return [{ json: { kind: 'drive#about', user: userForm() } }, '*'];
}

function drivesAnswer(world: DriveWorld): FakeAnswer {
  const drives = [...world.drives].map(([id, name]) => ({ kind: 'drive#drive', id, name }));
  return { json: { kind: 'drive#driveList', drives } };
}

function fileAnswer(world: DriveWorld, request: FakeRequest, id: string): FakeAnswer {
  const { query } = request;
  if (id === 'root' || id === world.rootId)
    return { json: { kind: 'drive#file', id: world.rootId, name: 'My Drive' } };
  if (world.drives.has(id) && query.get('supportsAllDrives') === 'true')
    return { json: { kind: 'drive#file', id, name: 'Drive', driveId: id } };
  const file = world.files.get(id);
  const isHidden = file?.driveId !== null && query.get('supportsAllDrives') !== 'true';
  if (file === undefined || file.visibleAt > world.now || isHidden) return notFound(id);
  if (query.get('alt') === 'media') return contentAnswer(file, request);
  return { json: fileForm(world, file) };
}

function masked(answer: FakeAnswer, fields: string): FakeAnswer {
  if (answer.json === undefined || (answer.status ?? 200) !== 200) return answer;
  const mask = parseFields(fields);
  return mask === null ? invalid('fields') : { ...answer, json: project(answer.json, mask) };
}
