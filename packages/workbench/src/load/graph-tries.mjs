import { generateGraph } from '../bench/graph/passages.mjs';
import { get, post } from './request.mjs';

const GRAPH = 'load';
const PASSAGES = 2000;
const QUESTIONS = 100;
const SEED = 5;

/** What is sent to each route of a graph, as in `triesFor`; builds it first. */
export async function graphTries(client) {
  const { passages, questions } = generateGraph(PASSAGES, QUESTIONS, SEED);
  const ofGraph = { graph_name: GRAPH };
  await client.post(get('/add_documents', ofGraph).path, {
    documents: passages.map(({ text }) => text),
    ids: passages.map(({ id }) => id),
    triplets: passages.map(({ triplets }) => triplets),
    metadatas: passages.map(({ title }) => ({ title })),
  });
  const ask = (question) => post(get('/query', ofGraph).path, { question });
  const [question] = questions;
  const { subgraph } = await client.post(get('/query', ofGraph).path, { question });
  const some = passages.slice(0, QUESTIONS);
  return [
    { name: 'graph, health', operation: 'graphHealth', requests: [get('/health', {})] },
    { name: 'graphs', operation: 'listGraphs', requests: [get('/graphs', {})] },
    { name: 'graph, settings', operation: 'graphSettings', requests: [get('/settings', {})] },
    { name: 'graph, question', operation: 'queryGraph', requests: questions.map(ask) },
    {
      name: 'graph, stats',
      operation: 'graphStats',
      requests: [get(`/graph/${GRAPH}/stats`, {})],
    },
    {
      name: 'graph, neighbors',
      operation: 'graphNeighbors',
      requests: subgraph.entity_ids.map((id) => get(`/graph/${GRAPH}/neighbors/${id}`, {})),
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
