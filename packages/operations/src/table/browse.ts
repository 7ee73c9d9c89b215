import {
  catAnswerSchema,
  catQuerySchema,
  catResponseSchema,
  linesQuerySchema,
  lsResponseSchema,
  pathQuerySchema,
} from '@trove/engine/api';
import { json, streamedJson } from '../answer.js';
import { withCommands } from '../doors.js';
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
    answer: json('Entries, by name.', lsResponseSchema),
    errors: listErrors,
    doors: withCommands('ls', 'tree', 'explain'),
  }),
  cat: operation({
    method: 'GET',
    path: '/v1/cat',
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
    doors: withCommands('cat', 'grep'),
  }),
  head: operation({
    method: 'GET',
    path: '/v1/head',
    tag: 'Browse',
    summary: 'The first lines or records of an object',
    query: linesQuerySchema,
    answer: json('Text.', catResponseSchema),
    errors: [...readErrors, 'object_too_large_for_cat'],
    doors: withCommands('head'),
  }),
  tail: operation({
    method: 'GET',
    path: '/v1/tail',
    tag: 'Browse',
    summary: 'The last lines or records of an object',
    query: linesQuerySchema,
    answer: json('Text.', catResponseSchema),
    errors: [...readErrors, 'object_too_large_for_cat', 'tail_unsupported'],
    doors: withCommands('tail'),
  }),
  export: operation({
    method: 'GET',
    path: '/v1/export',
    tag: 'Browse',
    summary: "All of an object's text, whatever its size",
    query: pathQuerySchema,
    answer: streamedJson('The whole text, streamed.', catResponseSchema),
    errors: readErrors,
    doors: withCommands('export'),
  }),
};
