import type { ErrorCode, JsonSchema } from '@trove/core';
import {
  addDocumentsQuerySchema,
  addDocumentsRequestSchema,
  addDocumentsResponseSchema,
  documentParamsSchema,
  documentSchema,
  documentsQuerySchema,
  documentsResponseSchema,
  graphBuildSchema,
  graphDeletedSchema,
  graphParamsSchema,
  graphSettingsSchema,
  graphsResponseSchema,
  graphStatsSchema,
  importRequestSchema,
  importResponseSchema,
  neighborsParamsSchema,
  neighborsQuerySchema,
  neighborsResponseSchema,
  graphQuerySchema,
  queryRequestSchema,
  queryResponseSchema,
  uploadFieldsSchema,
} from '@trove/graph/api';
import { jsonResponse, jsonOrOtherResponse } from '../response.js';
import { formBody, jsonBody } from '../body.js';
import { withCommands, withoutCommand } from '../exposure.js';
import { graphErrors } from '../graph-errors.js';
import { operation, type GateLimits } from '../operation.js';

const maxAddBytes = 64 * 1024 * 1024;
const maxUploadFiles = 100;

const healthSchema = {
  type: 'object',
  title: 'GraphHealth',
  properties: {
    status: { const: 'ok', type: 'string', description: 'Always ok.' },
    version: { type: 'string', description: 'Of the server.' },
  },
  required: ['status', 'version'],
  additionalProperties: false,
} as const satisfies JsonSchema;

/** An answer as clients of the original read it. */
const classicResponseSchema = {
  ...queryResponseSchema,
  properties: {
    ...queryResponseSchema.properties,
    query_entities: { type: 'array', items: { type: 'string' } },
    retrieved_passages: { type: 'array', items: { type: 'string' } },
  },
} as const satisfies JsonSchema;

const buildErrors = ['graph_busy', 'index_mismatch'] as const satisfies readonly ErrorCode[];
const replacementNote =
  'The graph is replaced once it is whole; until then, questions see the old one.';

const common = { tag: 'Graph', errorFormat: graphErrors } as const;
// Each running request may hold a body of the largest size, with what is parsed from it.
const addGate: GateLimits = { maxRunning: 2, maxWaiting: 8 };
const importGate: GateLimits = { maxRunning: 4, maxWaiting: 16 };

/** The graph API. Its paths are relative to the base at which the server offers graphs, by default the root. */
export const graphOperations = {
  graphHealth: operation({
    ...common,
    method: 'GET',
    path: '/health',
    summary: 'Whether the server is up, and its version',
    response: jsonResponse('It is.', healthSchema),
    errors: [],
    isPublic: true,
    isPolled: true,
    withoutEngine: true,
    exposure: withoutCommand('Programs ask it to see whether the graph routes are served.'),
  }),
  listGraphs: operation({
    ...common,
    method: 'GET',
    path: '/graphs',
    summary: 'All graphs',
    response: jsonResponse('Graphs, by name.', graphsResponseSchema),
    errors: [],
    exposure: withCommands('graph list'),
  }),
  graphSettings: operation({
    ...common,
    method: 'GET',
    path: '/settings',
    summary: 'What graphs are built and asked with; no secrets',
    response: jsonResponse('The settings.', graphSettingsSchema),
    errors: [],
    withoutEngine: true,
    exposure: withCommands('doctor'),
  }),
  addDocuments: operation({
    ...common,
    method: 'POST',
    path: '/add_documents',
    summary: 'Build a graph from texts',
    description: `The body may have 64 MiB. ${replacementNote}`,
    query: addDocumentsQuerySchema,
    body: jsonBody(addDocumentsRequestSchema, maxAddBytes),
    gate: addGate,
    response: jsonResponse('What the graph holds.', addDocumentsResponseSchema),
    errors: buildErrors,
    exposure: withCommands('graph add'),
  }),
  importSources: operation({
    ...common,
    method: 'POST',
    path: '/import',
    summary: 'Build a graph from pages of the web, files, folders and registered sources',
    description: `What cannot be loaded is named in \`errors\`, the others go on. ${replacementNote}`,
    body: jsonBody(importRequestSchema),
    gate: importGate,
    response: jsonResponse('What was imported.', importResponseSchema),
    errors: buildErrors,
    exposure: withCommands('graph import'),
  }),
  uploadDocuments: operation({
    ...common,
    method: 'POST',
    path: '/upload',
    summary: 'Build a graph from files that are sent',
    description:
      `At most ${maxUploadFiles} files, together of at most \`[uploads].max_bytes\`. What cannot be read is named in \`errors\`, ` +
      `the others go on. ${replacementNote}`,
    body: formBody({ fields: uploadFieldsSchema, files: 'files', maxFiles: maxUploadFiles }),
    gate: importGate,
    response: jsonResponse('What was imported.', importResponseSchema),
    errors: buildErrors,
    exposure: withCommands('graph import'),
  }),
  graphBuild: operation({
    ...common,
    method: 'GET',
    path: '/build',
    summary: 'How far a graph is that is being built',
    description: 'The server that was asked to build it knows; others answer with 404.',
    query: addDocumentsQuerySchema,
    response: jsonResponse('The build.', graphBuildSchema),
    errors: ['not_found'],
    exposure: withCommands('graph add', 'graph import'),
  }),
  listDocuments: operation({
    ...common,
    method: 'GET',
    path: '/documents',
    summary: 'The documents of a graph, all or those about something',
    query: documentsQuerySchema,
    response: jsonResponse('Documents.', documentsResponseSchema),
    errors: ['not_found', 'embedding_unavailable'],
    exposure: withoutCommand('The page `/graph` shows documents.'),
  }),
  getDocument: operation({
    ...common,
    method: 'GET',
    path: '/documents/{document_id}',
    summary: 'One document',
    params: documentParamsSchema,
    query: graphQuerySchema,
    response: jsonResponse('The document.', documentSchema),
    errors: ['not_found'],
    exposure: withoutCommand('The page `/graph` shows documents.'),
  }),
  queryGraph: operation({
    ...common,
    method: 'POST',
    path: '/query',
    isReadOnly: true,
    summary: 'Answer a question from a graph',
    description:
      'Without a language model the answer quotes the sentences that fit best, each with the id of its passage. With the header `Trove-Graph-Answers: classic`, `query_entities` and `retrieved_passages` are lists of strings, names and texts, as clients of the original expect.',
    query: graphQuerySchema,
    body: jsonBody(queryRequestSchema),
    response: jsonOrOtherResponse(
      'The answer, and what it is from.',
      queryResponseSchema,
      classicResponseSchema,
    ),
    errors: ['not_found', 'filter_invalid', 'embedding_unavailable'],
    exposure: withCommands('graph query'),
  }),
  graphStats: operation({
    ...common,
    method: 'GET',
    path: '/graph/{graph_name}/stats',
    summary: 'How much a graph holds',
    params: graphParamsSchema,
    response: jsonResponse('Counts.', graphStatsSchema),
    errors: ['not_found'],
    exposure: withCommands('graph stats', 'graph list'),
  }),
  graphNeighbors: operation({
    ...common,
    method: 'GET',
    path: '/graph/{graph_name}/neighbors/{entity_id}',
    summary: 'What an entity is connected with',
    params: neighborsParamsSchema,
    query: neighborsQuerySchema,
    response: jsonResponse('Entities and relations.', neighborsResponseSchema),
    errors: ['not_found'],
    exposure: withCommands('graph neighbors'),
  }),
  deleteGraph: operation({
    ...common,
    method: 'DELETE',
    path: '/graph/{graph_name}',
    summary: 'Delete a graph with its collections',
    params: graphParamsSchema,
    response: jsonResponse('It is deleted.', graphDeletedSchema),
    errors: ['not_found', 'graph_busy'],
    exposure: withCommands('graph delete'),
  }),
};
