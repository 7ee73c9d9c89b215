import {
  grepQuerySchema,
  grepResponseSchema,
  searchQuerySchema,
  searchResponseSchema,
} from 'trove';
import { json } from '../http/answer.js';
import { route } from './route.js';

export const retrievalRoutes = [
  route(
    {
      method: 'GET',
      path: '/v1/search',
      operationId: 'search',
      tag: 'Retrieval',
      summary: 'Search by meaning, by words, or both',
      query: searchQuerySchema,
      answer: json('Hits, best first.', searchResponseSchema),
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
      query: grepQuerySchema,
      answer: json('Matches in the order of the sources.', grepResponseSchema),
      errors: ['not_found'],
    },
    (engine, { query }, options) => engine.grep(query, options),
  ),
];
