import { Readable } from 'node:stream';
import { TroveError, type JsonSchema } from '@trove/core';
import {
  responseByStatus,
  contentResponse,
  emptyResponse,
  jsonResponse,
  jsonBody,
  operation,
  streamBody,
  withoutCommand,
  type ErrorFormat,
} from '@trove/operations';
import type { StreamedBody } from '../../src/http/body/stream.js';
import { route, type Route } from '../../src/routes/route.js';

const facts = {
  rights: 'read',
  tag: 'Server',
  summary: 'A kind of route',
  errors: [],
  withoutEngine: true,
  exposure: withoutCommand('Only tests serve it.'),
} as const;

const countSchema = {
  type: 'object',
  title: 'Count',
  properties: { type: { type: 'string' }, bytes: { type: 'integer' } },
  required: ['type', 'bytes'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const thingSchema = {
  type: 'object',
  title: 'Thing',
  properties: { id: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const uploadLimit = 8 * 2 ** 20;

/** Takes archives as a stream; `consume` returns the number of bytes. */
export function uploadRoute(
  consume: (body: StreamedBody, signal?: AbortSignal) => Promise<number>,
): Route {
  return route(
    'upload',
    operation({
      ...facts,
      method: 'PUT',
      path: '/kinds/upload',
      body: streamBody({ types: ['application/x-tar', 'application/gzip'], maxBytes: uploadLimit }),
      response: jsonResponse('What has arrived.', countSchema, 201),
    }),
    async (_engine, { body }, { signal }) => ({
      type: body.type,
      bytes: await consume(body, signal),
    }),
  );
}

async function counted({ bytes }: StreamedBody): Promise<number> {
  let count = 0;
  for await (const piece of bytes) count += piece.byteLength;
  return count;
}

/** The errors of an API without codes: a string, or a list of problems of a request. */
const detailOnly: ErrorFormat = {
  schema: (status) =>
    status === 422
      ? {
          type: 'object',
          title: 'InvalidRequest',
          properties: {
            detail: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  loc: { type: 'array', items: { type: 'string' } },
                  msg: { type: 'string' },
                  type: { type: 'string' },
                },
                required: ['loc', 'msg', 'type'],
                additionalProperties: false,
              },
            },
          },
          required: ['detail'],
          additionalProperties: false,
        }
      : {
          type: 'object',
          title: 'Failure',
          properties: { detail: { type: 'string' } },
          required: ['detail'],
          additionalProperties: false,
        },
  body: ({ code, detail, violations }) => {
    if (code !== 'validation_error') return { detail };
    const wrong = violations.length > 0 ? violations : [{ path: [], reason: detail, rule: code }];
    return {
      detail: wrong.map(({ path, reason, rule }) => ({ loc: path, msg: reason, type: rule })),
    };
  },
};

const textSchema = { type: 'string', minLength: 1 } as const;

/** One route of each kind that the server's own table does not use. */
export const kinds: readonly Route[] = [
  uploadRoute(counted),
  route(
    'forget',
    operation({
      ...facts,
      method: 'DELETE',
      path: '/kinds/things/{id}',
      params: {
        type: 'object',
        properties: { id: textSchema },
        required: ['id'],
        additionalProperties: false,
      },
      response: emptyResponse('It is gone.'),
    }),
    () => {},
  ),
  route(
    'keep',
    operation({
      ...facts,
      method: 'PUT',
      path: '/kinds/things/{id}',
      params: {
        type: 'object',
        properties: { id: textSchema },
        required: ['id'],
        additionalProperties: false,
      },
      response: responseByStatus({
        200: jsonResponse('It was there.', thingSchema),
        201: jsonResponse('It is new.', countSchema),
        204: emptyResponse('There is nothing to say.'),
      }),
    }),
    (_engine, { params: { id } }) => {
      if (id === 'quiet') return { status: 204 as const, result: undefined };
      return id === 'old'
        ? { status: 200 as const, result: { id } }
        : { status: 201 as const, result: { type: id, bytes: 0 } };
    },
  ),
  route(
    'page',
    operation({
      ...facts,
      method: 'GET',
      path: '/kinds/page',
      isPublic: true,
      response: contentResponse('A page.', 'text/html; charset=utf-8'),
    }),
    () => '<!doctype html><title>Größe</title>',
  ),
  route(
    'bytes',
    operation({
      ...facts,
      method: 'GET',
      path: '/kinds/bytes',
      response: contentResponse('Bytes.', 'application/octet-stream'),
    }),
    () => Readable.from([Uint8Array.of(1, 2), Uint8Array.of(3)]),
  ),
  route(
    'question',
    operation({
      ...facts,
      method: 'POST',
      path: '/kinds/question',
      errors: ['not_found'],
      query: {
        type: 'object',
        properties: { graph: textSchema },
        required: ['graph'],
        additionalProperties: false,
      },
      body: jsonBody({
        type: 'object',
        properties: { text: textSchema },
        required: ['text'],
        additionalProperties: false,
      }),
      response: jsonResponse('The answer.', {
        type: 'object',
        properties: { answer: { type: 'string' } },
        required: ['answer'],
        additionalProperties: false,
      }),
      errorFormat: detailOnly,
    }),
    (_engine, { query, body }) => {
      if (query.graph === 'none') throw new TroveError('not_found', 'There is no such graph');
      return { answer: body.text };
    },
  ),
];
