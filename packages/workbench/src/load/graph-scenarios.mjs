import { generateGraph } from '../bench/graph/passages.mjs';
import { get, post } from './request.mjs';

const graph = 'load';
const passageCount = 2000;
const questionCount = 100;
const randomSeed = 5;

/** Returns the requests for each route of a graph, as in `scenariosFor`. Builds the graph first. */
export async function graphScenarios(client) {
  const { passages, questions } = generateGraph(passageCount, questionCount, randomSeed);
  const ofGraph = { graph_name: graph };
  await client.post(get('/add_documents', ofGraph).path, {
    documents: passages.map(({ text }) => text),
    ids: passages.map(({ id }) => id),
    triplets: passages.map(({ triplets }) => triplets),
    metadatas: passages.map(({ title }) => ({ title })),
  });
  const ask = (question) => post(get('/query', ofGraph).path, { question });
  const [question] = questions;
  const { subgraph } = await client.post(get('/query', ofGraph).path, { question });
  const some = passages.slice(0, questionCount);
  return [
    { name: 'graph, health', operation: 'graphHealth', requests: [get('/health', {})] },
    { name: 'graphs', operation: 'listGraphs', requests: [get('/graphs', {})] },
    { name: 'graph, settings', operation: 'graphSettings', requests: [get('/settings', {})] },
    { name: 'graph, question', operation: 'queryGraph', requests: questions.map(ask) },
    {
      name: 'graph, stats',
      operation: 'graphStats',
      requests: [get(`/graph/${graph}/stats`, {})],
    },
    {
      name: 'graph, neighbors',
      operation: 'graphNeighbors',
      requests: subgraph.entity_ids.map((id) => get(`/graph/${graph}/neighbors/${id}`, {})),
    },
    {
      name: 'graph, documents',
      operation: 'listDocuments',
      requests: [get('/documents', ofGraph)],
    },
    {
      name: 'graph, documents about a topic',
      operation: 'listDocuments',
      requests: some.map(({ title }) => get('/documents', { ...ofGraph, query: title })),
    },
    {
      name: 'graph, a document',
      operation: 'getDocument',
      requests: some.map(({ id }) => get(`/documents/${id}`, ofGraph)),
    },
  ];
}
