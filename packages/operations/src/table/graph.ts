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
  ofGraphQuerySchema,
  queryRequestSchema,
  queryResponseSchema,
  uploadFieldsSchema,
} from '@trove/graph/api';
import { json, jsonOrOther } from '../answer.js';
import { formBody, jsonBody } from '../body.js';
import { withCommands, withoutCommand } from '../doors.js';
import { graphErrors } from '../graph-errors.js';
import { operation, type GateLimits } from '../operation.js';

const addedBytes = 64 * 1024 * 1024;
const uploadedFiles = 100;

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

const building = ['graph_busy', 'index_mismatch'] as const satisfies readonly ErrorCode[];
const replaces = 'The graph is replaced once it is whole; until then, questions see the old one.';

const common = { tag: 'Graph', errorShape: graphErrors } as const;
// Each running request may hold a body of the largest size, with what is parsed from it.
const additions: GateLimits = { maxRunning: 2, maxWaiting: 8 };
const imports: GateLimits = { maxRunning: 4, maxWaiting: 16 };

/** The graph API. Its paths are relative to the base at which the server offers graphs, by default the root. */
export const graphOperations = {
  graphHealth: operation({
    ...common,
    method: 'GET',
    path: '/health',
    summary: 'Whether the server is up, and its version',
    answer: json('It is.', healthSchema),
    errors: [],
    open: true,
    polled: true,
    withoutEngine: true,
    doors: withoutCommand('Programs ask it to see whether the graph routes are served.'),
  }),
  listGraphs: operation({
    ...common,
    method: 'GET',
    path: '/graphs',
    summary: 'All graphs',
    answer: json('Graphs, by name.', graphsResponseSchema),
    errors: [],
    doors: withCommands('graph list'),
  }),
  graphSettings: operation({
    ...common,
    method: 'GET',
    path: '/settings',
    summary: 'What graphs are built and asked with; no secrets',
    answer: json('The settings.', graphSettingsSchema),
    errors: [],
    withoutEngine: true,
    doors: withCommands('doctor'),
  }),
  addDocuments: operation({
    ...common,
    method: 'POST',
    path: '/add_documents',
    summary: 'Build a graph from texts',
    description: `The body may have 64 MiB. ${replaces}`,
    query: addDocumentsQuerySchema,
    body: jsonBody(addDocumentsRequestSchema, addedBytes),
    gate: additions,
    answer: json('What the graph holds.', addDocumentsResponseSchema),
    errors: building,
    doors: withCommands('graph add'),
  }),
  importSources: operation({
    ...common,
    method: 'POST',
    path: '/import',
    summary: 'Build a graph from pages of the web, files, folders and registered sources',
    description: `What cannot be loaded is named in \`errors\`, the others go on. ${replaces}`,
    body: jsonBody(importRequestSchema),
    gate: imports,
    answer: json('What was imported.', importResponseSchema),
    errors: building,
    doors: withCommands('graph import'),
  }),
  uploadDocuments: operation({
    ...common,
    method: 'POST',
    path: '/upload',
    summary: 'Build a graph from files that are sent',
    description:
      `At most ${uploadedFiles} files, together of at most \`[uploads].max_bytes\`. What cannot be read is named in \`errors\`, ` +
      `the others go on. ${replaces}`,
    body: formBody({ fields: uploadFieldsSchema, files: 'files', maxFiles: uploadedFiles }),
    gate: imports,
    answer: json('What was imported.', importResponseSchema),
    errors: building,
    doors: withCommands('graph import'),
  }),
  graphBuild: operation({
    ...common,
    method: 'GET',
    path: '/build',
    summary: 'How far a graph is that is being built',
    description: 'The server that was asked to build it knows; others answer with 404.',
    query: addDocumentsQuerySchema,
    answer: json('The build.', graphBuildSchema),
    errors: ['not_found'],
    doors: withCommands('graph add', 'graph import'),
  }),
  listDocuments: operation({
    ...common,
    method: 'GET',
    path: '/documents',
    summary: 'The documents of a graph, all or those about something',
    query: documentsQuerySchema,
    answer: json('Documents.', documentsResponseSchema),
    errors: ['not_found', 'embedding_unavailable'],
    doors: withoutCommand('The page `/graph` shows documents.'),
  }),
  getDocument: operation({
    ...common,
    method: 'GET',
    path: '/documents/{document_id}',
    summary: 'One document',
    params: documentParamsSchema,
    query: ofGraphQuerySchema,
    answer: json('The document.', documentSchema),
    errors: ['not_found'],
    doors: withoutCommand('The page `/graph` shows documents.'),
  }),
  queryGraph: operation({
    ...common,
    method: 'POST',
    path: '/query',
    reads: true,
    summary: 'Answer a question from a graph',
    description:
      'Without a language model the answer quotes the sentences that fit best, each with the id of its passage. With the header `Trove-Graph-Answers: classic`, `query_entities` and `retrieved_passages` are lists of strings, names and texts, as clients of the original expect.',
    query: ofGraphQuerySchema,
    body: jsonBody(queryRequestSchema),
    answer: jsonOrOther(
      'The answer, and what it is from.',
      queryResponseSchema,
      classicResponseSchema,
    ),
    errors: ['not_found', 'filter_invalid', 'embedding_unavailable'],
    doors: withCommands('graph query'),
  }),
  graphStats: operation({
    ...common,
    method: 'GET',
    path: '/graph/{graph_name}/stats',
    summary: 'How much a graph holds',
    params: graphParamsSchema,
    answer: json('Counts.', graphStatsSchema),
    errors: ['not_found'],
    doors: withCommands('graph stats', 'graph list'),
  }),
  graphNeighbors: operation({
    ...common,
    method: 'GET',
    path: '/graph/{graph_name}/neighbors/{entity_id}',
    summary: 'What an entity is connected with',
    params: neighborsParamsSchema,
    query: neighborsQuerySchema,
    answer: json('Entities and relations.', neighborsResponseSchema),
    errors: ['not_found'],
    doors: withCommands('graph neighbors'),
  }),
  deleteGraph: operation({
    ...common,
    method: 'DELETE',
    path: '/graph/{graph_name}',
    summary: 'Delete a graph with its collections',
    params: graphParamsSchema,
    answer: json('It is deleted.', graphDeletedSchema),
    errors: ['not_found', 'graph_busy'],
    doors: withCommands('graph delete'),
  }),
};
