import type { ErrorCode, JsonSchema } from '@trove/core';
import {
  addDocumentsQuerySchema,
  addDocumentsRequestSchema,
  addDocumentsResponseSchema,
  documentParamsSchema,
  documentSchema,
  documentsQuerySchema,
  documentsResponseSchema,
  Gate,
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
  type QueryResponse,
} from 'trove';
import { json, jsonOrOther } from '../http/answer.js';
import { formBody } from '../http/body/form.js';
import { jsonBody } from '../http/body/json.js';
import { graphErrors } from '../http/graph-errors.js';
import { version } from '../version.js';
import { route, type Route } from './route.js';

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
type ClassicAnswer = Omit<QueryResponse, 'query_entities' | 'retrieved_passages'> & {
  readonly query_entities: readonly string[];
  readonly retrieved_passages: readonly string[];
};

function classicAnswer(answer: QueryResponse): ClassicAnswer {
  return {
    ...answer,
    query_entities: answer.query_entities.map(({ name }) => name),
    retrieved_passages: answer.retrieved_passages.map(({ text }) => text),
  };
}

const building = ['graph_busy', 'index_mismatch'] as const satisfies readonly ErrorCode[];
const replaces = 'The graph is replaced once it is whole; until then, questions see the old one.';

/** How the routes of the graph API are served. */
export interface GraphRouteOptions {
  /** A path such as `/graph`, or '' for the root. */
  readonly base: string;
  /** Whether questions get the answers of the original, also without its header. Default false. */
  readonly classicAnswers?: boolean;
}

/** The routes of the graph API. */
export function graphRoutes({ base, classicAnswers = false }: GraphRouteOptions): readonly Route[] {
  const common = { tag: 'Graph', errorShape: graphErrors } as const;
  // Each may hold a body of the largest size, with what is parsed from it.
  const additions = new Gate(2, 8);
  const imports = new Gate(4, 16);
  return [
    route(
      {
        ...common,
        method: 'GET',
        path: `${base}/health`,
        operationId: 'graphHealth',
        summary: 'Whether the server is up, and its version',
        answer: json('It is.', healthSchema),
        errors: [],
        open: true,
        polled: true,
        withoutEngine: true,
      },
      () => ({ status: 'ok', version }),
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${base}/graphs`,
        operationId: 'listGraphs',
        summary: 'All graphs',
        answer: json('Graphs, by name.', graphsResponseSchema),
        errors: [],
      },
      ({ graph }, _input, options) => graph.graphs(options),
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${base}/settings`,
        operationId: 'graphSettings',
        summary: 'What graphs are built and asked with; no secrets',
        answer: json('The settings.', graphSettingsSchema),
        errors: [],
        withoutEngine: true,
      },
      ({ graph }) => graph.settings(),
    ),
    route(
      {
        ...common,
        method: 'POST',
        path: `${base}/add_documents`,
        operationId: 'addDocuments',
        summary: 'Build a graph from texts',
        description: `The body may have 64 MiB. ${replaces}`,
        query: addDocumentsQuerySchema,
        body: jsonBody(addDocumentsRequestSchema, addedBytes),
        gate: additions,
        answer: json('What the graph holds.', addDocumentsResponseSchema),
        errors: building,
      },
      ({ graph }, { query, body }, options) => graph.addDocuments(query.graph_name, body, options),
    ),
    route(
      {
        ...common,
        method: 'POST',
        path: `${base}/import`,
        operationId: 'importSources',
        summary: 'Build a graph from pages of the web, files, folders and registered sources',
        description: `What cannot be loaded is named in \`errors\`, the others go on. ${replaces}`,
        body: jsonBody(importRequestSchema),
        gate: imports,
        answer: json('What was imported.', importResponseSchema),
        errors: building,
      },
      ({ graph }, { body }, options) => graph.importSources(body, options),
    ),
    route(
      {
        ...common,
        method: 'POST',
        path: `${base}/upload`,
        operationId: 'uploadDocuments',
        summary: 'Build a graph from files that are sent',
        description:
          `At most ${uploadedFiles} files, together of at most \`[uploads].max_bytes\`. What cannot be read is named in \`errors\`, ` +
          `the others go on. ${replaces}`,
        body: formBody({ fields: uploadFieldsSchema, files: 'files', maxFiles: uploadedFiles }),
        gate: imports,
        answer: json('What was imported.', importResponseSchema),
        errors: building,
      },
      ({ graph }, { body }, options) => graph.upload(body.files, body.fields, options),
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${base}/build`,
        operationId: 'graphBuild',
        summary: 'How far a graph is that is being built',
        description: 'The server that was asked to build it knows; others answer with 404.',
        query: addDocumentsQuerySchema,
        answer: json('The build.', graphBuildSchema),
        errors: ['not_found'],
      },
      ({ graph }, { query }, options) => graph.build(query.graph_name, options),
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${base}/documents`,
        operationId: 'listDocuments',
        summary: 'The documents of a graph, all or those about something',
        query: documentsQuerySchema,
        answer: json('Documents.', documentsResponseSchema),
        errors: ['not_found', 'embedding_unavailable'],
      },
      ({ graph }, { query }, options) => graph.documents(query, options),
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${base}/documents/{document_id}`,
        operationId: 'getDocument',
        summary: 'One document',
        params: documentParamsSchema,
        query: ofGraphQuerySchema,
        answer: json('The document.', documentSchema),
        errors: ['not_found'],
      },
      ({ graph }, { params, query }, options) =>
        graph.document(query.graph_name, params.document_id, options),
    ),
    route(
      {
        ...common,
        method: 'POST',
        path: `${base}/query`,
        reads: true,
        operationId: 'queryGraph',
        summary: 'Answer a question from a graph',
        description:
          'Without a language model the answer quotes the sentences that fit best, each with the id of its passage. With the header `Trove-Graph-Answers: classic`, `query_entities` and `retrieved_passages` are lists of strings, names and texts, as clients of the original expect.',
        query: ofGraphQuerySchema,
        body: jsonBody(queryRequestSchema),
        answer: jsonOrOther<typeof queryResponseSchema, ClassicAnswer>(
          'The answer, and what it is from.',
          queryResponseSchema,
        ),
        errors: ['not_found', 'filter_invalid', 'embedding_unavailable'],
      },
      async ({ graph }, { query, body }, options) => {
        const answer = await graph.query(query.graph_name, body, options);
        const asked = options.header('trove-graph-answers').toLowerCase();
        const isClassic = asked === '' ? classicAnswers : asked === 'classic';
        return isClassic ? classicAnswer(answer) : answer;
      },
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${base}/graph/{graph_name}/stats`,
        operationId: 'graphStats',
        summary: 'How much a graph holds',
        params: graphParamsSchema,
        answer: json('Counts.', graphStatsSchema),
        errors: ['not_found'],
      },
      ({ graph }, { params }, options) => graph.stats(params.graph_name, options),
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${base}/graph/{graph_name}/neighbors/{entity_id}`,
        operationId: 'graphNeighbors',
        summary: 'What an entity is connected with',
        params: neighborsParamsSchema,
        query: neighborsQuerySchema,
        answer: json('Entities and relations.', neighborsResponseSchema),
        errors: ['not_found'],
      },
      ({ graph }, { params, query }, options) =>
        graph.neighbors(params.graph_name, params.entity_id, query.limit, options),
    ),
    route(
      {
        ...common,
        method: 'DELETE',
        path: `${base}/graph/{graph_name}`,
        operationId: 'deleteGraph',
        summary: 'Delete a graph with its collections',
        params: graphParamsSchema,
        answer: json('It is deleted.', graphDeletedSchema),
        errors: ['not_found', 'graph_busy'],
      },
      ({ graph }, { params }, options) => graph.deleteGraph(params.graph_name, options),
    ),
  ];
}
