import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import type { Arguments } from './arguments.js';
import { fileForm, seconds } from './forms.js';
import { problem } from './problems.js';
import type { SlackWorld } from './world.js';

/** Files have numbered pages, newest first. A page past the end is empty. */
export function listFiles(world: SlackWorld, args: Arguments): FakeAnswer {
  const from = Number(args.get('ts_from') ?? 0);
  const files = [...world.files.values()]
    .filter(({ createdAt }) => seconds(createdAt) >= from)
    .toSorted((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1));
  const [count, number] = [Number(args.get('count') ?? 100), Number(args.get('page') ?? 1)];
  const rows = files.slice((number - 1) * count, number * count);
  return {
    json: {
      ok: true,
      files: rows.map((file) => fileForm(world, file)),
      paging: {
        count,
        total: files.length,
        page: number,
        pages: Math.ceil(files.length / count),
      },
    },
  };
}

export function fileInfo(world: SlackWorld, args: Arguments): FakeAnswer {
  const file = world.files.get(args.get('file') ?? '');
  if (file === undefined) return problem('file_not_found');
  return {
    json: {
      ok: true,
      file: fileForm(world, file),
      comments: [],
      response_metadata: { next_cursor: '' },
    },
  };
}

/** The bytes of a file. A caller without rights gets the page of the login, with status 200. */
export function fileBytes(world: SlackWorld, request: FakeRequest): FakeAnswer {
  if (request.path === '/login') return loginPage;
  const [, id = ''] = /^\/files-pri\/[A-Z0-9]+-([A-Z0-9]+)\//.exec(request.path) ?? [];
  const [, token = ''] = /^bearer (.+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
  const isAllowed = world.tokens.has(token) && world.scopes.has('files:read');
  if (!isAllowed) return { status: 302, headers: { location: `${request.origin}/login` } };
  const file = world.files.get(id);
  if (file === undefined) return { status: 404, headers: html, body: '<html>Not found</html>' };
  return { headers: { 'content-type': file.mediaType }, body: file.bytes };
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const loginPage = {
  headers: html,
  body: '<!DOCTYPE html><html><title>Sign in | Slack</title></html>',
};
