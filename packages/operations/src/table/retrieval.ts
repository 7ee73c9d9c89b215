import {
  askRequestSchema,
  askResponseSchema,
  grepQuerySchema,
  grepResponseSchema,
  searchBatchRequestSchema,
  searchBatchResponseSchema,
  searchQuerySchema,
  searchResponseSchema,
  symbolsQuerySchema,
  symbolsResponseSchema,
  selectedSearchResponseSchema,
  operationRights,
} from '@trove/engine/api';
import { jsonBody } from '../body.js';
import { jsonOrEventsResponse, jsonOrOtherResponse, jsonResponse } from '../response.js';
import { withCommands, withTools } from '../exposure.js';
import { operation } from '../operation.js';

export const retrievalOperations = {
  search: operation({
    rights: operationRights.search,
    method: 'GET',
    path: '/v1/search',
    tag: 'Retrieval',
    summary: 'Search by meaning, by words, or both',
    query: searchQuerySchema,
    response: jsonOrOtherResponse(
      'The hits, best first.',
      searchResponseSchema,
      selectedSearchResponseSchema,
    ),
    untypedParameters: ['fields'],
    errors: ['not_found', 'embedding_unavailable'],
    exposure: withTools(withCommands('search'), 'search'),
  }),
  searchBatch: operation({
    rights: operationRights.searchBatch,
    method: 'POST',
    path: '/v1/search/batch',
    tag: 'Retrieval',
    summary: 'Run up to 20 searches in one request',
    description: 'An error of a search becomes its result and does not affect the others.',
    body: jsonBody(searchBatchRequestSchema),
    response: jsonResponse('The results, in the order of the searches.', searchBatchResponseSchema),
    untypedParameters: ['fields'],
    errors: [],
    exposure: withCommands('eval'),
  }),
  ask: operation({
    rights: operationRights.ask,
    method: 'POST',
    path: '/v1/ask',
    tag: 'Retrieval',
    summary: 'Answer a question with verified citations',
    description:
      'Every citation quotes its passage exactly. Without a language model, or if it fails, the answer quotes the sentences that cover the words of the question.',
    body: jsonBody(askRequestSchema),
    response: jsonOrEventsResponse(
      'The answer with its citations.',
      askResponseSchema,
      '`passages`: the passages that are considered, as in the response. `text`: further verified `text` of a language ' +
        'model, one or more statements. `restart`: the model starts again, so discard the text so far. `answer`: the ' +
        'whole response, which replaces the text. `error`: the body of an error response instead of the answer. The ' +
        'last event is `answer` or `error`. An error before the passages is a regular error response. Lines that ' +
        'begin with a colon keep the connection open.',
    ),
    errors: ['not_found', 'embedding_unavailable'],
    exposure: withCommands('ask'),
  }),
  grep: operation({
    rights: operationRights.grep,
    method: 'GET',
    path: '/v1/grep',
    tag: 'Retrieval',
    summary: 'Find lines that contain a text or match a regular expression',
    description: 'A notice in the results names a source that could not be searched.',
    query: grepQuerySchema,
    response: jsonResponse('The matches, in the order of the sources.', grepResponseSchema),
    errors: ['not_found'],
    exposure: withTools(withCommands('grep'), 'grep'),
  }),
  symbols: operation({
    rights: operationRights.symbols,
    method: 'GET',
    path: '/v1/symbols',
    tag: 'Retrieval',
    summary: 'Find the definitions of a name and the lines that use it',
    query: symbolsQuerySchema,
    response: jsonResponse('The definitions, best first, and the lines.', symbolsResponseSchema),
    errors: ['not_found'],
    exposure: withCommands('symbols'),
  }),
};
