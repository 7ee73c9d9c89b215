import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { driveAnswer } from './drive-answers.js';
import { loginAnswer } from './login.js';
import { mailAnswer } from './mail-answers.js';
import { problem, itemNotFound } from './problems.js';
import { siteAnswer } from './site-answers.js';
import type { FakeDrive } from './drive-world.js';
import type { GraphWorld } from './world.js';

/** What Microsoft Graph and its login answer. `downloads`: returns the origin of the host of contents. */
export function graphModel(world: GraphWorld, downloads: () => string): ServiceModel {
  return {
    unauthorized: () =>
      problem(
        401,
        'InvalidAuthenticationToken',
        'Lifetime validation failed, the token is expired.',
      ),
    rateLimited: (_request, retryAfterMs) =>
      problem(429, 'activityLimitReached', 'The request has been throttled', {
        'retry-after': String(Math.ceil(retryAfterMs / 1000)),
      }),
    answer(request) {
      const login = loginAnswer(world, request);
      if (login !== undefined) return login;
      const [, token = ''] = /^bearer (.+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
      return world.accessTokens.has(token)
        ? graphAnswer(world, request, downloads())
        : this.unauthorized(request);
    },
  };
}

function graphAnswer(world: GraphWorld, request: FakeRequest, downloads: string): FakeAnswer {
  const { path } = request;
  if (path.startsWith('/v1.0/sites'))
    return world.permissions.has('Sites.Read.All') ? siteAnswer(world, request) : denied();
  const [, below] = /^\/v1\.0\/(?:me|users\/ann(?:@|%40)contoso\.com)(\/.+)$/.exec(path) ?? [];
  const mail = below === undefined ? undefined : mailAnswer(world.mail, below, request);
  if (mail !== undefined) return world.permissions.has('Mail.Read') ? mail : deniedMail();
  const place = driveAt(world, path);
  if (place === null) return problem(400, 'BadRequest', 'Resource not found for the segment.');
  const { drive, rest } = place;
  const permission = drive?.siteId === null ? 'Files.Read.All' : 'Sites.Read.All';
  if (!world.permissions.has(permission)) return denied();
  return drive === undefined ? itemNotFound() : driveAnswer(drive, rest, request, downloads);
}

function driveAt(
  world: GraphWorld,
  path: string,
): { readonly drive: FakeDrive | undefined; readonly rest: string } | null {
  const [, id, rest = ''] = /^\/v1\.0\/drives\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (id !== undefined) return { drive: world.drives.get(decodeURIComponent(id)), rest };
  const [whole, own = ''] =
    /^\/v1\.0\/(?:me|users\/ann(?:@|%40)contoso\.com)\/drive(\/.*)?$/.exec(path) ?? [];
  return whole === undefined ? null : { drive: world.own, rest: own };
}

function denied(): FakeAnswer {
  return problem(403, 'accessDenied', 'Access denied.');
}

function deniedMail(): FakeAnswer {
  return problem(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.');
}

/** The host of contents, which needs no login and refuses one. */
export function downloadModel(world: GraphWorld): ServiceModel {
  return {
    unauthorized: () => ({ status: 401 }),
    rateLimited: () => ({ status: 429 }),
    answer({ path, query, headers }) {
      const [, driveId = '', itemId = ''] = /^\/download\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
      const item = world.drives.get(driveId)?.items.get(itemId);
      if (headers['authorization'] !== undefined)
        return { status: 401, body: 'A login is not accepted.' };
      if (item === undefined || query.get('tempauth') !== `signed-${itemId}`)
        return { status: 404 };
      const bytes = Buffer.from(item.content);
      const type = { 'content-type': item.mimeType };
      const [, from, to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers['range'] ?? '') ?? [];
      if (from === undefined) return { headers: type, body: bytes };
      const end = to === '' ? bytes.length : Math.min(Number(to) + 1, bytes.length);
      const range = `bytes ${from}-${end - 1}/${bytes.length}`;
      return {
        status: 206,
        headers: { ...type, 'content-range': range },
        body: bytes.subarray(Number(from), end),
      };
    },
  };
}
