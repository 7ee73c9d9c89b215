import type { uploadOperations } from '@trove/operations';
import type { HandlersOf } from '../routes/route.js';

export const uploadHandlers: HandlersOf<typeof uploadOperations> = {
  uploadSource: (engine, { query, body }, options) => engine.upload(query, body.bytes, options),
  filesManifest: (engine, { body }, options) => engine.filesManifest(body, options),
  filesUpload: (engine, { query, body }, options) => engine.uploadFiles(query, body.bytes, options),
};
