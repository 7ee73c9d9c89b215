import {
  grepQuerySchema,
  grepResponseSchema,
  searchQuerySchema,
  searchResponseSchema,
} from 'trove';
import { none, route } from './route.js';

export const retrievalRoutes = [
  route(
    {
      method: 'GET',
      path: '/v1/search',
      operationId: 'search',
      tag: 'Retrieval',
      summary: 'Search by meaning, by words, or both',
      params: none,
      query: searchQuerySchema,
      body: none,
      response: { description: 'Hits, best first.', schema: searchResponseSchema },
      errors: ['not_found', 'embedding_unavailable'],
    },
    (engine, { query }, options) => engine.search(query, options),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/grep',
      operationId: 'grep',
      tag: 'Retrieval',
      summary: 'Lines that contain a text or match a regular expression',
      description: 'A notice among the results names a source that could not be searched.',
      params: none,
      query: grepQuerySchema,
      body: none,
      response: { description: 'Matches in the order of the sources.', schema: grepResponseSchema },
      errors: ['not_found'],
    },
    (engine, { query }, options) => engine.grep(query, options),
  ),
];
