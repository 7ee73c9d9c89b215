import type { JsonSchema } from '@trove/core';
import {
  createdTokenSchema,
  createTokenRequestSchema,
  operationRights,
  revokedTokenSchema,
  rotateTokenRequestSchema,
  tokenNameSchema,
  tokensResponseSchema,
} from '@trove/engine/api';
import { jsonBody } from '../body.js';
import { withCommands } from '../exposure.js';
import { operation } from '../operation.js';
import { jsonResponse } from '../response.js';

const nameParams = {
  type: 'object',
  properties: { name: tokenNameSchema },
  required: ['name'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const tokenOperations = {
  listTokens: operation({
    rights: operationRights.tokens,
    method: 'GET',
    path: '/v1/tokens',
    tag: 'Access',
    summary: 'List tokens, without their secrets',
    response: jsonResponse('The tokens.', tokensResponseSchema),
    errors: [],
    exposure: withCommands('token list'),
  }),
  createToken: operation({
    rights: operationRights.createToken,
    method: 'POST',
    path: '/v1/tokens',
    tag: 'Access',
    summary: 'Create a token',
    description: 'Only this response contains the token, because the server stores only its hash.',
    body: jsonBody(createTokenRequestSchema),
    response: jsonResponse('The token.', createdTokenSchema),
    errors: ['token_exists'],
    exposure: withCommands('token create'),
  }),
  rotateToken: operation({
    rights: operationRights.rotateToken,
    method: 'POST',
    path: '/v1/tokens/{name}/rotate',
    tag: 'Access',
    summary: 'Replace a token by one with the same rights',
    description:
      'The replaced token stays valid for the overlap. The new one has the same lifetime, counted from now.',
    params: nameParams,
    body: jsonBody(rotateTokenRequestSchema),
    response: jsonResponse('The new token.', createdTokenSchema),
    errors: ['not_found'],
    exposure: withCommands('token rotate'),
  }),
  revokeToken: operation({
    rights: operationRights.revokeToken,
    method: 'DELETE',
    path: '/v1/tokens/{name}',
    tag: 'Access',
    summary: 'Revoke a token and the tokens that it replaced',
    description: 'Other servers of the same database accept the token for up to two seconds.',
    params: nameParams,
    response: jsonResponse('The revoked token.', revokedTokenSchema),
    errors: ['not_found'],
    exposure: withCommands('token revoke'),
  }),
};
