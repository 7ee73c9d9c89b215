import type { retrievalOperations } from '@trove/operations';
import type { HandlersOf } from '../routes/route.js';

export const retrievalHandlers: HandlersOf<typeof retrievalOperations> = {
  search: (engine, { query }, options) => engine.search(query, options),
  searchBatch: (engine, { body }, options) => engine.searchBatch(body, options),
  ask: (engine, { body }, options) =>
    options.acceptsEvents
      ? options.streamEvents((send) => engine.ask(body, { ...options, onEvent: send }))
      : engine.ask(body, options),
  grep: (engine, { query }, options) => engine.grep(query, options),
  symbols: (engine, { query }, options) => engine.symbols(query, options),
};
