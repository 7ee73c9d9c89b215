import { createHash, createPublicKey, randomUUID } from 'node:crypto';

import {
  claimsOfJwt,
  type FakeAnswer,
  type FakeRequest,
  type ServiceModel,
} from '@trove/connector-kit/http/fake';

import type { Result } from './result.js';
import { runStatement, type Refusal } from './statements.js';
import type { SnowflakeWorld } from './world.js';

interface Statement {
  readonly result: Result;
  /** The number of requests that still find it running. */
  polls: number;
}

/** What the SQL API answers. */
export function snowflakeModel(world: SnowflakeWorld): ServiceModel {
  const statements = new Map<string, Statement>();
  return {
    unauthorized: () => problem(401, '390144', 'JWT token is invalid.'),
    rateLimited: (_request, retryAfterMs) => ({
      ...problem(429, '390429', 'Too many requests.'),
      headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
    }),
    answer: (request) => loginProblem(world, request) ?? answerOf(world, statements, request),
  };
}

function answerOf(
  world: SnowflakeWorld,
  statements: Map<string, Statement>,
  request: FakeRequest,
): FakeAnswer {
  const [, handle, action] = /^\/api\/v2\/statements(?:\/([^/]+))?(?:\/(cancel))?$/.exec(
    request.path,
  ) ?? ['', 'none'];
  if (handle === undefined) return submitAnswer(world, statements, request);
  const statement = statements.get(handle);
  if (statement === undefined) return problem(404, '000709', 'Statement not found');
  if (action === 'cancel') {
    statements.delete(handle);
    const answer = { code: '000604', sqlState: '57014', message: 'successfully canceled' };
    return { json: { ...answer, ...placeOf(handle) } };
  }
  return statementAnswer(world, handle, statement, Number(request.query.get('partition') ?? 0));
}

function submitAnswer(
  world: SnowflakeWorld,
  statements: Map<string, Statement>,
  { body }: FakeRequest,
): FakeAnswer {
  const handle = randomUUID();
  const result = runStatement(world, Object(body));
  if ('refusal' in result) return failedAnswer(handle, result);
  const statement = { result, polls: result.usesWarehouse ? world.slowPolls : 0 };
  statements.set(handle, statement);
  return statementAnswer(world, handle, statement, 0);
}

function statementAnswer(
  world: SnowflakeWorld,
  handle: string,
  statement: Statement,
  partition: number,
): FakeAnswer {
  if (statement.polls-- > 0) {
    const message =
      'Asynchronous execution in progress. Use provided query id to perform query monitoring and management.';
    return { status: 202, json: { code: '333334', message, ...placeOf(handle) } };
  }
  const { columns, rows } = statement.result;
  const size = world.rowsPerPartition;
  const count = Math.max(1, Math.ceil(rows.length / size));
  const data = rows.slice(partition * size, (partition + 1) * size);
  if (partition > 0) return { json: { data } };
  const partitionInfo = Array.from({ length: count }, (_, at) => {
    const part = rows.slice(at * size, (at + 1) * size);
    return { rowCount: part.length, uncompressedSize: JSON.stringify(part).length };
  });
  return {
    json: {
      resultSetMetaData: {
        numRows: rows.length,
        format: 'jsonv2',
        partitionInfo,
        rowType: columns.map(({ name, type, scale, nullable = true }) => ({
          name,
          type: type.toLowerCase(),
          nullable,
          byteLength: null,
          length: null,
          precision: type === 'FIXED' ? 38 : null,
          scale: type === 'FIXED' ? (scale ?? 0) : null,
          collation: null,
        })),
      },
      data,
      code: '090001',
      requestId: randomUUID(),
      sqlState: '00000',
      message: 'Statement executed successfully.',
      createdOn: world.now,
      ...placeOf(handle),
    },
  };
}

function placeOf(handle: string): object {
  return { statementHandle: handle, statementStatusUrl: `/api/v2/statements/${handle}` };
}

function failedAnswer(handle: string, { refusal, sqlState, code }: Refusal): FakeAnswer {
  const json = { code, message: refusal, sqlState, statementHandle: handle };
  return { status: 422, json };
}

function problem(status: number, code: string, message: string): FakeAnswer {
  return { status, json: { code, message } };
}

/** Checks the token and the header with its type. */
function loginProblem(world: SnowflakeWorld, { headers }: FakeRequest): FakeAnswer | undefined {
  const [, token = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
  if (world.refusedTokens > 0) {
    world.refusedTokens--;
    return problem(401, '390144', 'JWT token is invalid.');
  }
  const type = headers['x-snowflake-authorization-token-type'];
  const isKnown =
    type === 'PROGRAMMATIC_ACCESS_TOKEN'
      ? world.accessTokens.has(token)
      : type === 'KEYPAIR_JWT' && world.publicKeys.some((key) => isSigned(world, key, token));
  return isKnown ? undefined : problem(401, '390144', 'JWT token is invalid.');
}

function isSigned(world: SnowflakeWorld, publicKey: string, jwt: string): boolean {
  const claims = claimsOfJwt(publicKey, jwt);
  if (claims === null) return false;
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  const digest = createHash('sha256').update(der).digest('base64');
  const name = `${world.account}.${world.user}`;
  const seconds = Number(claims['exp']) - Number(claims['iat']);
  return claims['iss'] === `${name}.SHA256:${digest}` && claims['sub'] === name && seconds <= 3600;
}
