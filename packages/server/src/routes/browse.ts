import {
  catAnswerSchema,
  catQuerySchema,
  catResponseSchema,
  linesQuerySchema,
  lsResponseSchema,
  pathQuerySchema,
} from 'trove';
import { exportJson } from '../http/export.js';
import { sourceErrors } from './errors.js';
import { none, route } from './route.js';

const listErrors = [...sourceErrors, 'not_found', 'connector_unhealthy'] as const;
const readErrors = [...listErrors, 'is_directory', 'not_supported'] as const;

export const browseRoutes = [
  route(
    {
      method: 'GET',
      path: '/v1/ls',
      operationId: 'ls',
      tag: 'Browse',
      summary: 'What is in a folder',
      description: '`ls` of a file lists that one file.',
      params: none,
      query: pathQuerySchema,
      body: none,
      response: { description: 'Entries, by name.', schema: lsResponseSchema },
      errors: listErrors,
    },
    (engine, { query }, options) => engine.ls(query, options),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/cat',
      operationId: 'cat',
      tag: 'Browse',
      summary: "An object's text, a part of it, or facts about it",
      params: none,
      query: catQuerySchema,
      body: none,
      response: { description: 'Text, or with `meta` facts.', schema: catAnswerSchema },
      errors: [
        ...readErrors,
        'object_too_large_for_cat',
        'range_unsupported',
        'density_unsupported',
        'locator_not_found',
      ],
    },
    (engine, { query }, options) => engine.cat(query, options),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/head',
      operationId: 'head',
      tag: 'Browse',
      summary: 'The first lines or records of an object',
      params: none,
      query: linesQuerySchema,
      body: none,
      response: { description: 'Text.', schema: catResponseSchema },
      errors: [...readErrors, 'object_too_large_for_cat'],
    },
    (engine, { query }, options) => engine.head(query, options),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/tail',
      operationId: 'tail',
      tag: 'Browse',
      summary: 'The last lines or records of an object',
      params: none,
      query: linesQuerySchema,
      body: none,
      response: { description: 'Text.', schema: catResponseSchema },
      errors: [...readErrors, 'object_too_large_for_cat', 'tail_unsupported'],
    },
    (engine, { query }, options) => engine.tail(query, options),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/export',
      operationId: 'export',
      tag: 'Browse',
      summary: "All of an object's text, whatever its size",
      params: none,
      query: pathQuerySchema,
      body: none,
      response: { description: 'The whole text, streamed.', schema: catResponseSchema },
      errors: readErrors,
    },
    async (engine, { query }, options) => exportJson(await engine.exportStream(query, options)),
  ),
];
