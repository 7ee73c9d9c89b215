import {
  catAnswerSchema,
  catQuerySchema,
  catResponseSchema,
  linesQuerySchema,
  lsResponseSchema,
  pathQuerySchema,
} from '@trove/engine/api';
import { jsonResponse, streamedJsonResponse } from '../response.js';
import { withCommands } from '../exposure.js';
import { sourceErrors } from '../errors.js';
import { operation } from '../operation.js';

const listErrors = [...sourceErrors, 'not_found', 'connector_unhealthy'] as const;
const documentErrors = [
  'document_encrypted',
  'document_damaged',
  'document_empty',
  'document_too_complex',
] as const;
const readErrors = [...listErrors, 'is_directory', 'not_supported', ...documentErrors] as const;

export const browseOperations = {
  ls: operation({
    method: 'GET',
    path: '/v1/ls',
    tag: 'Browse',
    summary: 'What is in a folder',
    description: '`ls` of a file lists that one file.',
    query: pathQuerySchema,
    response: jsonResponse('Entries, by name.', lsResponseSchema),
    errors: listErrors,
    exposure: withCommands('ls', 'tree', 'explain'),
  }),
  cat: operation({
    method: 'GET',
    path: '/v1/cat',
    tag: 'Browse',
    summary: "An object's text, a part of it, or facts about it",
    query: catQuerySchema,
    response: jsonResponse('Text, or with `meta` facts.', catAnswerSchema),
    errors: [
      ...readErrors,
      'object_too_large_for_cat',
      'range_unsupported',
      'density_unsupported',
      'locator_not_found',
    ],
    exposure: withCommands('cat', 'grep'),
  }),
  head: operation({
    method: 'GET',
    path: '/v1/head',
    tag: 'Browse',
    summary: 'The first lines or records of an object',
    query: linesQuerySchema,
    response: jsonResponse('Text.', catResponseSchema),
    errors: [...readErrors, 'object_too_large_for_cat'],
    exposure: withCommands('head'),
  }),
  tail: operation({
    method: 'GET',
    path: '/v1/tail',
    tag: 'Browse',
    summary: 'The last lines or records of an object',
    query: linesQuerySchema,
    response: jsonResponse('Text.', catResponseSchema),
    errors: [...readErrors, 'object_too_large_for_cat', 'tail_unsupported'],
    exposure: withCommands('tail'),
  }),
  export: operation({
    method: 'GET',
    path: '/v1/export',
    tag: 'Browse',
    summary: "All of an object's text, whatever its size",
    query: pathQuerySchema,
    response: streamedJsonResponse('The whole text, streamed.', catResponseSchema),
    errors: readErrors,
    exposure: withCommands('export'),
  }),
};
