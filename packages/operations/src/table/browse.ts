import {
  catAnswerSchema,
  catQuerySchema,
  catResponseSchema,
  linesQuerySchema,
  lsResponseSchema,
  pathQuerySchema,
  readBatchRequestSchema,
  readBatchResponseSchema,
  operationRights,
} from '@trove/engine/api';
import { jsonBody } from '../body.js';
import { jsonResponse, streamedJsonResponse } from '../response.js';
import { withCommands, withoutCommand, withTools } from '../exposure.js';
import { sourceErrors } from '../errors.js';
import { operation } from '../operation.js';

const listErrors = [...sourceErrors, 'not_found', 'connector_unhealthy', 'rate_limited'] as const;
const documentErrors = [
  'document_encrypted',
  'document_damaged',
  'document_empty',
  'document_too_complex',
] as const;
const readErrors = [...listErrors, 'is_directory', 'not_supported', ...documentErrors] as const;

export const browseOperations = {
  ls: operation({
    rights: operationRights.ls,
    method: 'GET',
    path: '/v1/ls',
    tag: 'Browse',
    summary: 'List a folder',
    description:
      'For an object, lists only the object. For a folder above sources, lists the next folders on the way to them.',
    query: pathQuerySchema,
    response: jsonResponse('The entries, by name.', lsResponseSchema),
    errors: listErrors,
    exposure: withTools(withCommands('ls', 'tree', 'explain'), 'list'),
  }),
  cat: operation({
    rights: operationRights.cat,
    method: 'GET',
    path: '/v1/cat',
    tag: 'Browse',
    summary: 'Read the text of an object, a part of it, or its metadata',
    query: catQuerySchema,
    response: jsonResponse('The text, or with `meta` the metadata.', catAnswerSchema),
    errors: [
      ...readErrors,
      'object_too_large_for_cat',
      'range_unsupported',
      'density_unsupported',
      'locator_not_found',
    ],
    exposure: withTools(withCommands('cat', 'grep'), 'read'),
  }),
  readBatch: operation({
    rights: operationRights.readBatch,
    method: 'POST',
    path: '/v1/read/batch',
    tag: 'Browse',
    summary: 'Read up to 20 objects or parts in one request',
    description: 'An error of a read becomes its result and does not affect the others.',
    body: jsonBody(readBatchRequestSchema),
    response: jsonResponse('The results, in the order of the reads.', readBatchResponseSchema),
    errors: [],
    exposure: withoutCommand('`trove cat` reads several objects itself.'),
  }),
  head: operation({
    rights: operationRights.head,
    method: 'GET',
    path: '/v1/head',
    tag: 'Browse',
    summary: 'Read the first lines or records of an object',
    query: linesQuerySchema,
    response: jsonResponse('The text.', catResponseSchema),
    errors: [...readErrors, 'object_too_large_for_cat'],
    exposure: withCommands('head'),
  }),
  tail: operation({
    rights: operationRights.tail,
    method: 'GET',
    path: '/v1/tail',
    tag: 'Browse',
    summary: 'Read the last lines or records of an object',
    query: linesQuerySchema,
    response: jsonResponse('The text.', catResponseSchema),
    errors: [...readErrors, 'object_too_large_for_cat', 'tail_unsupported'],
    exposure: withCommands('tail'),
  }),
  export: operation({
    rights: operationRights.export,
    method: 'GET',
    path: '/v1/export',
    tag: 'Browse',
    summary: 'Read the whole text of an object of any size',
    query: pathQuerySchema,
    response: streamedJsonResponse('The whole text, streamed.', catResponseSchema),
    errors: readErrors,
    exposure: withCommands('export'),
  }),
};
