import type { browseOperations } from '@trove/operations';
import { exportJson } from '../http/export.js';
import type { HandlersOf } from '../routes/route.js';

export const browseHandlers: HandlersOf<typeof browseOperations> = {
  ls: (engine, { query }, options) => engine.ls(query, options),
  cat: (engine, { query }, options) => engine.cat(query, options),
  readBatch: (engine, { body }, options) => engine.readBatch(body, options),
  head: (engine, { query }, options) => engine.head(query, options),
  tail: (engine, { query }, options) => engine.tail(query, options),
  export: async (engine, { query }, options) =>
    exportJson(await engine.exportStream(query, options)),
};
