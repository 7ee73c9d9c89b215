import type { JsonSchema } from '@trove/core';

import { functionPlaces, listOf, mapOf, objectOf, path, text } from './parts.js';

const setting: JsonSchema = { type: 'string', minLength: 1, description: 'The name of a setting.' };

const named = objectOf({ name: { type: 'string', minLength: 1 }, value: text }, ['name', 'value']);

const client = objectOf(
  {
    id: text,
    secret: text,
    send: { type: 'string', enum: ['form', 'basic'] },
    scopes: listOf({ type: 'string' }),
  },
  ['id'],
);

const interactive = objectOf(
  {
    authorizeUrl: text,
    deviceUrl: text,
    scopes: listOf({ type: 'string' }),
    params: mapOf(text),
    help: { type: 'string' },
  },
  ['scopes'],
);

const jwt = objectOf(
  {
    algorithm: { type: 'string', enum: ['RS256', 'ES256'] },
    key: text,
    keyId: text,
    claims: mapOf(text),
    seconds: { type: 'integer', minimum: 30, maximum: 3600 },
  },
  ['algorithm', 'key', 'claims'],
);

const answer = {
  token: path,
  expires: path,
  header: objectOf({ name: { type: 'string' }, prefix: { type: 'string' } }, ['name', 'prefix']),
} as const;

const oauth2: JsonSchema = {
  anyOf: [
    objectOf(
      {
        ...answer,
        grant: { const: 'refresh' },
        refreshToken: setting,
        tokenUrl: text,
        client,
        login: interactive,
      },
      ['grant', 'refreshToken', 'tokenUrl', 'client'],
    ),
    objectOf(
      { ...answer, grant: { const: 'client' }, tokenUrl: text, client, params: mapOf(text) },
      ['grant', 'tokenUrl', 'client'],
    ),
    objectOf(
      {
        ...answer,
        grant: { const: 'jwt' },
        jwt,
        send: { type: 'string', enum: ['assertion', 'bearer', 'direct'] },
        tokenUrl: text,
      },
      ['grant', 'jwt', 'send'],
    ),
    objectOf(
      { ...answer, grant: { const: 'request' }, tokenUrl: text, body: {}, form: mapOf(text) },
      ['grant', 'tokenUrl'],
    ),
  ],
};

const login: JsonSchema = {
  anyOf: [
    { const: 'none' },
    objectOf({ bearer: setting }, ['bearer']),
    objectOf({ basic: objectOf({ user: text, password: text }, ['user', 'password']) }, ['basic']),
    objectOf({ header: named }, ['header']),
    objectOf({ query: named }, ['query']),
    objectOf({ oauth2 }, ['oauth2']),
  ],
};
functionPlaces.add(login);

export const auth: JsonSchema = { anyOf: [login, listOf(login)] };
functionPlaces.add(auth);
