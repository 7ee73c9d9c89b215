import type { graphOperations } from '@trove/operations';
import type { QueryResponse } from 'trove';
import type { HandlersOf } from '../routes/route.js';
import { version } from '../version.js';

/** With `classicAnswers`, questions get answers in the format of the original, even without its header. */
export function graphHandlers(classicAnswers: boolean): HandlersOf<typeof graphOperations> {
  return {
    graphHealth: () => ({ status: 'ok', version }),
    listGraphs: ({ graph }, _input, options) => graph.graphs(options),
    graphSettings: ({ graph }) => graph.settings(),
    addDocuments: ({ graph }, { query, body }, options) =>
      graph.addDocuments(query.graph_name, body, options),
    importSources: ({ graph }, { body }, options) => graph.importSources(body, options),
    uploadDocuments: ({ graph }, { body }, options) =>
      graph.upload(body.files, body.fields, options),
    graphBuild: ({ graph }, { query }, options) => graph.build(query.graph_name, options),
    listDocuments: ({ graph }, { query }, options) => graph.documents(query, options),
    getDocument: ({ graph }, { params, query }, options) =>
      graph.document(query.graph_name, params.document_id, options),
    queryGraph: async ({ graph }, { query, body }, options) => {
      const answer = await graph.query(query.graph_name, body, options);
      const format = options.header('trove-graph-answers').toLowerCase();
      const isClassic = format === '' ? classicAnswers : format === 'classic';
      return isClassic ? classicAnswer(answer) : answer;
    },
    graphStats: ({ graph }, { params }, options) => graph.stats(params.graph_name, options),
    graphNeighbors: ({ graph }, { params, query }, options) =>
      graph.neighbors(params.graph_name, params.entity_id, query.limit, options),
    deleteGraph: ({ graph }, { params }, options) => graph.deleteGraph(params.graph_name, options),
  };
}

function classicAnswer(answer: QueryResponse) {
  return {
    ...answer,
    query_entities: answer.query_entities.map(({ name }) => name),
    retrieved_passages: answer.retrieved_passages.map(({ text }) => text),
  };
}
