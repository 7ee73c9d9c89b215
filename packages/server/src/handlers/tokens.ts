import type { tokenOperations } from '@trove/operations';
import type { HandlersOf } from '../routes/route.js';

export const tokenHandlers: HandlersOf<typeof tokenOperations> = {
  listTokens: (engine, _input, options) => engine.tokens(options),
  createToken: (engine, { body }, options) => engine.createToken(body, options),
  rotateToken: (engine, { params, body }, options) =>
    engine.rotateToken(params.name, body, options),
  revokeToken: (engine, { params }, options) => engine.revokeToken(params.name, options),
};
