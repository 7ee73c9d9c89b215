import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';

import { noAccess, notFound, problem, unauthorized, usedUp } from './problems.js';
import { pageSize, parameterProblem, recordForm, recordsAnswer } from './records.js';
import type { AirtableWorld, Comment, Person, Table } from './world.js';

/** What the service answers about the bases of a token. */
export function airtableModel(world: AirtableWorld): ServiceModel {
  return {
    unauthorized,
    // Without a time to wait.
    rateLimited: () =>
      problem(429, 'RATE_LIMIT_REACHED', 'Rate limit exceeded. Please try again later'),
    answer: (request) => ({
      ...(refusal(world, request) ?? answerOf(world, request)),
      headers: { date: new Date(world.now).toUTCString() },
    }),
  };
}

function refusal(world: AirtableWorld, { headers, path }: FakeRequest): FakeAnswer | null {
  const [, token = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
  if (!world.tokens.has(token)) return unauthorized();
  return world.isUsedUp && !path.startsWith('/v0/meta/') ? usedUp() : null;
}

type Answerer = (
  world: AirtableWorld,
  request: FakeRequest,
  ids: readonly string[],
) => FakeAnswer | null;

const operations: readonly (readonly [RegExp, string | null, Answerer])[] = [
  [/^\/v0\/meta\/whoami$/, null, (world) => ({ json: { id: world.ann.id } })],
  [/^\/v0\/meta\/bases$/, 'schema.bases:read', basesAnswer],
  [/^\/v0\/meta\/bases\/([^/]+)\/tables$/, 'schema.bases:read', tablesAnswer],
  [/^\/v0\/([^/]+)\/([^/]+)\/([^/]+)\/comments$/, 'data.recordComments:read', commentsAnswer],
  [/^\/v0\/([^/]+)\/([^/]+)\/([^/]+)$/, 'data.records:read', recordAnswer],
  [/^\/v0\/([^/]+)\/([^/]+)$/, 'data.records:read', listAnswer],
];

function answerOf(world: AirtableWorld, request: FakeRequest): FakeAnswer {
  if (request.method !== 'GET') return notFound();
  for (const [path, scope, answer] of operations) {
    const match = path.exec(request.path);
    if (match === null) continue;
    if (scope !== null && !world.scopes.has(scope)) return noAccess();
    return answer(world, request, match.slice(1).map(decodeURIComponent)) ?? noAccess();
  }
  return notFound();
}

function basesAnswer(world: AirtableWorld, { query }: FakeRequest): FakeAnswer {
  const bases = [...world.bases.values()];
  const start = Number(query.get('offset')?.replace('itr', '') ?? 0);
  const end = start + 1000;
  return {
    json: {
      bases: bases.slice(start, end).map((base) => ({ ...base, permissionLevel: 'read' })),
      ...(end < bases.length ? { offset: `itr${end}` } : {}),
    },
  };
}

function tablesAnswer(
  world: AirtableWorld,
  _request: FakeRequest,
  [base = '']: readonly string[],
): FakeAnswer | null {
  if (!world.bases.has(base)) return null;
  const tables = [...world.tables.values()].filter((table) => table.base === base);
  return {
    json: {
      tables: tables.map(({ id, name, fields }) => ({
        id,
        name,
        primaryFieldId: fields[0]?.id,
        // The order of the fields says nothing about the primary one.
        fields: [...fields.slice(1), ...fields.slice(0, 1)],
        views: [{ id: id.replace('tbl', 'viw'), name: 'Grid view', type: 'grid' }],
      })),
    },
  };
}

function listAnswer(
  world: AirtableWorld,
  { query }: FakeRequest,
  [base = '', name = '']: readonly string[],
): FakeAnswer | null {
  const table = tableOf(world, base, name);
  return table === undefined ? null : recordsAnswer(world, table, query);
}

function recordAnswer(
  world: AirtableWorld,
  _request: FakeRequest,
  [base = '', name = '', id = '']: readonly string[],
): FakeAnswer | null {
  const table = tableOf(world, base, name);
  if (table === undefined) return null;
  const row = world.rows.get(id);
  return row?.table === table.id ? { json: recordForm(table, row) } : notFound();
}

/** Lists the newest comments first. */
function commentsAnswer(
  world: AirtableWorld,
  { query }: FakeRequest,
  [base = '', name = '', id = '']: readonly string[],
): FakeAnswer | null {
  const table = tableOf(world, base, name);
  if (table === undefined || world.rows.get(id)?.table !== table.id) return null;
  const size = pageSize(query);
  if (size === null) return parameterProblem('pageSize');
  const comments = world.commentsOf(id).toReversed();
  const start = Number(query.get('offset') ?? 0);
  const end = start + size;
  return {
    json: {
      comments: comments.slice(start, end).map(commentForm),
      offset: end < comments.length ? String(end) : null,
    },
  };
}

function commentForm(comment: Comment): unknown {
  const { id, text, author, createdAt, editedAt, parent, mentioned } = comment;
  return {
    id,
    author,
    text,
    createdTime: new Date(createdAt).toISOString(),
    lastUpdatedTime: editedAt === null ? null : new Date(editedAt).toISOString(),
    ...(parent === null ? {} : { parentCommentId: parent }),
    ...(mentioned.length === 0
      ? {}
      : { mentioned: Object.fromEntries(mentioned.map((person) => [person.id, mention(person)])) }),
  };
}

function mention(person: Person): unknown {
  return { type: 'user', ...person };
}

/** Tables have two names in paths: their id and their name. */
function tableOf(world: AirtableWorld, base: string, name: string): Table | undefined {
  return [...world.tables.values()].find(
    (table) => table.base === base && (table.id === name || table.name === name),
  );
}
