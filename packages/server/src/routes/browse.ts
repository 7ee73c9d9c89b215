import {
  catAnswerSchema,
  catQuerySchema,
  catResponseSchema,
  linesQuerySchema,
  lsResponseSchema,
  pathQuerySchema,
} from 'trove';
import { json, streamedJson } from '../http/answer.js';
import { exportJson } from '../http/export.js';
import { sourceErrors } from './errors.js';
import { route } from './route.js';

const listErrors = [...sourceErrors, 'not_found', 'connector_unhealthy'] as const;
const documentErrors = [
  'document_encrypted',
  'document_damaged',
  'document_empty',
  'document_too_complex',
] as const;
const readErrors = [...listErrors, 'is_directory', 'not_supported', ...documentErrors] as const;

export const browseRoutes = [
  route(
    {
      method: 'GET',
      path: '/v1/ls',
      operationId: 'ls',
      tag: 'Browse',
      summary: 'What is in a folder',
      description: '`ls` of a file lists that one file.',
      query: pathQuerySchema,
      answer: json('Entries, by name.', lsResponseSchema),
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
      query: catQuerySchema,
      answer: json('Text, or with `meta` facts.', catAnswerSchema),
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
      query: linesQuerySchema,
      answer: json('Text.', catResponseSchema),
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
      query: linesQuerySchema,
      answer: json('Text.', catResponseSchema),
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
      query: pathQuerySchema,
      answer: streamedJson('The whole text, streamed.', catResponseSchema),
      errors: readErrors,
    },
    async (engine, { query }, options) => exportJson(await engine.exportStream(query, options)),
  ),
];
