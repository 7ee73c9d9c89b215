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
import { withCommands, withoutCommand, withTools } from '../exposure.js';
import { graphErrors } from '../graph-errors.js';
import { operation, type GateLimits } from '../operation.js';

const maxAddBytes = 64 * 1024 * 1024;
const maxUploadFiles = 100;

const healthSchema = {
  type: 'object',
  title: 'GraphHealth',
  properties: {
    status: { const: 'ok', type: 'string', description: 'Always ok.' },
    version: { type: 'string', description: 'Version of the server.' },
  },
  required: ['status', 'version'],
  additionalProperties: false,
} as const satisfies JsonSchema;

/** The response in the form that clients of the original expect. */
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
  'The new graph replaces the old one when it is complete. Until then, queries use the old one.';

const common = { tag: 'Graph', errorFormat: graphErrors } as const;
// Each running request may hold a body of maximum size and its parsed form.
const addGate: GateLimits = { maxRunning: 2, maxWaiting: 8 };
const importGate: GateLimits = { maxRunning: 4, maxWaiting: 16 };

/** The graph API. Its paths are relative to the configured base, by default the root. */
export const graphOperations = {
  graphHealth: operation({
    ...common,
    rights: 'read',
    method: 'GET',
    path: '/health',
    summary: 'Check that the server is running, and get its version',
    response: jsonResponse('The server is running.', healthSchema),
    errors: [],
    isPublic: true,
    isPolled: true,
    withoutEngine: true,
    exposure: withoutCommand('Programs use it to check that the graph routes exist.'),
  }),
  listGraphs: operation({
    ...common,
    rights: 'read',
    method: 'GET',
    path: '/graphs',
    summary: 'List graphs',
    response: jsonResponse('The graphs, by name.', graphsResponseSchema),
    errors: [],
    exposure: withTools(withCommands('graph list'), 'ask_graph'),
  }),
  graphSettings: operation({
    ...common,
    rights: 'read',
    method: 'GET',
    path: '/settings',
    summary: 'Get the settings for building and querying graphs, without secrets',
    response: jsonResponse('The settings.', graphSettingsSchema),
    concernsAllSources: true,
    errors: [],
    withoutEngine: true,
    exposure: withCommands('doctor'),
  }),
  addDocuments: operation({
    ...common,
    rights: 'admin',
    method: 'POST',
    path: '/add_documents',
    summary: 'Build a graph from texts',
    description: `The body may have up to 64 MiB. ${replacementNote}`,
    query: addDocumentsQuerySchema,
    body: jsonBody(addDocumentsRequestSchema, maxAddBytes),
    gate: addGate,
    response: jsonResponse('The size of the graph.', addDocumentsResponseSchema),
    errors: buildErrors,
    exposure: withCommands('graph add'),
  }),
  importSources: operation({
    ...common,
    rights: 'admin',
    method: 'POST',
    path: '/import',
    summary: 'Build a graph from web pages, files, folders and registered sources',
    description: `\`errors\` lists documents that could not be loaded. All others are imported. ${replacementNote}`,
    body: jsonBody(importRequestSchema),
    gate: importGate,
    response: jsonResponse('The imported documents.', importResponseSchema),
    errors: buildErrors,
    exposure: withCommands('graph import'),
  }),
  uploadDocuments: operation({
    ...common,
    rights: 'admin',
    method: 'POST',
    path: '/upload',
    summary: 'Build a graph from uploaded files',
    description:
      `At most ${maxUploadFiles} files with a total of \`[uploads].max_bytes\`. \`errors\` lists files that could not be ` +
      `read. All others are imported. ${replacementNote}`,
    body: formBody({ fields: uploadFieldsSchema, files: 'files', maxFiles: maxUploadFiles }),
    gate: importGate,
    response: jsonResponse('The imported documents.', importResponseSchema),
    errors: buildErrors,
    exposure: withCommands('graph import'),
  }),
  graphBuild: operation({
    ...common,
    rights: 'read',
    method: 'GET',
    path: '/build',
    summary: 'Get the progress of a graph build',
    description:
      'Only the server that builds the graph knows the progress. Other servers respond with 404.',
    query: addDocumentsQuerySchema,
    response: jsonResponse('The progress of the build.', graphBuildSchema),
    errors: ['not_found'],
    exposure: withCommands('graph add', 'graph import'),
  }),
  listDocuments: operation({
    ...common,
    rights: 'read',
    method: 'GET',
    path: '/documents',
    summary: 'List the documents of a graph, or those on a topic',
    query: documentsQuerySchema,
    response: jsonResponse('The documents.', documentsResponseSchema),
    errors: ['not_found', 'embedding_unavailable'],
    exposure: withoutCommand('The console shows documents.'),
  }),
  getDocument: operation({
    ...common,
    rights: 'read',
    method: 'GET',
    path: '/documents/{document_id}',
    summary: 'Get a document',
    params: documentParamsSchema,
    query: graphQuerySchema,
    response: jsonResponse('The document.', documentSchema),
    errors: ['not_found'],
    exposure: withoutCommand('The console shows documents.'),
  }),
  queryGraph: operation({
    ...common,
    rights: 'read',
    method: 'POST',
    path: '/query',
    summary: 'Answer a question from a graph',
    description:
      'Without a language model, the answer quotes the best matching sentences, each with the id of its passage. With the header `Trove-Graph-Answers: classic`, `query_entities` is a list of names and `retrieved_passages` a list of texts, as clients of the original expect.',
    query: graphQuerySchema,
    body: jsonBody(queryRequestSchema),
    response: jsonOrOtherResponse(
      'The answer and its evidence.',
      queryResponseSchema,
      classicResponseSchema,
    ),
    errors: ['not_found', 'filter_invalid', 'embedding_unavailable'],
    exposure: withTools(withCommands('graph query'), 'ask_graph'),
  }),
  graphStats: operation({
    ...common,
    rights: 'read',
    method: 'GET',
    path: '/graph/{graph_name}/stats',
    summary: 'Get the size of a graph',
    params: graphParamsSchema,
    response: jsonResponse('The counts.', graphStatsSchema),
    errors: ['not_found'],
    exposure: withCommands('graph stats', 'graph list'),
  }),
  graphNeighbors: operation({
    ...common,
    rights: 'read',
    method: 'GET',
    path: '/graph/{graph_name}/neighbors/{entity_id}',
    summary: 'Get the neighbors of an entity',
    params: neighborsParamsSchema,
    query: neighborsQuerySchema,
    response: jsonResponse('The entities and relations.', neighborsResponseSchema),
    errors: ['not_found'],
    exposure: withCommands('graph neighbors'),
  }),
  deleteGraph: operation({
    ...common,
    rights: 'admin',
    method: 'DELETE',
    path: '/graph/{graph_name}',
    summary: 'Delete a graph with its collections',
    params: graphParamsSchema,
    response: jsonResponse('The graph was deleted.', graphDeletedSchema),
    errors: ['not_found', 'graph_busy'],
    exposure: withCommands('graph delete'),
  }),
};
