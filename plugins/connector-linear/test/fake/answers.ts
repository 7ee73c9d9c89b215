import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import {
  graphql,
  GraphQLError,
  parse,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';

import { complexityOf, maxComplexity } from './complexity.js';
import { fillIn } from './missing-values.js';
import { problem } from './problems.js';
import { rootOf } from './root.js';
import type { LinearWorld } from './world.js';

const requestsPerHour = 5000;
const complexityPerHour = 3_000_000;
const hourMs = 3_600_000;

/** Which limit the service states as reached. */
export type LimitForm = 'complexity' | 'requests';

/** Answers queries about a workspace by a schema. */
export function linearModel(
  world: LinearWorld,
  schema: GraphQLSchema,
  limitForm: () => LimitForm,
): ServiceModel {
  let requests = 0;
  let complexity = 0;
  const quota = (own: number): Record<string, string> => ({
    'x-complexity': String(Math.ceil(own)),
    'x-ratelimit-requests-limit': String(requestsPerHour),
    'x-ratelimit-requests-remaining': String(requestsPerHour - requests),
    'x-ratelimit-requests-reset': String(Date.now() + hourMs),
    'x-ratelimit-complexity-limit': String(complexityPerHour),
    'x-ratelimit-complexity-remaining': String(Math.floor(complexityPerHour - complexity)),
    'x-ratelimit-complexity-reset': String(Date.now() + hourMs),
  });
  const unauthorized = (): FakeAnswer =>
    problem(401, 'AUTHENTICATION_ERROR', 'Authentication required, not authenticated');
  return {
    unauthorized,
    rateLimited(_request, retryAfterMs) {
      const form = limitForm();
      return problem(400, 'RATELIMITED', `Rate limit exceeded for ${form}.`, {
        ...quota(0),
        [`x-ratelimit-${form}-remaining`]: '0',
        [`x-ratelimit-${form}-reset`]: String(Date.now() + retryAfterMs),
      });
    },
    async answer(request) {
      if (request.path !== '/graphql' || request.method !== 'POST')
        return { status: 404, body: 'Not found' };
      const { authorization = '' } = request.headers;
      if (authorization.startsWith('Bearer lin_api_'))
        return problem(
          400,
          'AUTHENTICATION_ERROR',
          'It looks like you are trying to use an API key as a Bearer token. Remove the Bearer prefix.',
        );
      if (!world.tokens.has(authorization.replace(/^Bearer /, ''))) return unauthorized();
      if (!world.mayRead) return problem(403, 'FORBIDDEN', 'Invalid scope: `read` required');
      requests++;
      const query = readQuery(request, schema);
      if ('status' in query) return query;
      const { document, variables } = query;
      const own = complexityOf(schema, document, variables);
      if (own > maxComplexity) return problem(400, 'INPUT_ERROR', 'Query too complex', quota(own));
      complexity += own;
      const json = await resultOf(world, schema, query);
      return { json, headers: { date: new Date(world.now).toUTCString(), ...quota(own) } };
    },
  };
}

interface Query {
  readonly source: string;
  readonly document: DocumentNode;
  readonly variables: Record<string, unknown>;
}

/** Parses the query of a request, or returns the refusal of an invalid one. */
function readQuery(
  { body }: FakeRequest,
  schema: GraphQLSchema,
): Query | (FakeAnswer & { readonly status: number }) {
  const { query, variables } = Object(body);
  const source = String(query);
  const refuse = (error: Error): FakeAnswer & { readonly status: number } => ({
    ...problem(400, 'GRAPHQL_VALIDATION_FAILED', error.message),
    status: 400,
  });
  try {
    const document = parse(source);
    const [error] = validate(schema, document);
    return error === undefined
      ? { source, document, variables: { ...Object(variables) } }
      : refuse(error);
  } catch (error) {
    if (error instanceof GraphQLError) return refuse(error);
    throw error;
  }
}

/** Runs a query. Errors of its fields have the status 200. */
async function resultOf(
  world: LinearWorld,
  schema: GraphQLSchema,
  { source, variables }: Query,
): Promise<unknown> {
  const { data, errors } = await graphql({
    schema,
    source,
    variableValues: variables,
    rootValue: rootOf(world),
    fieldResolver: fillIn,
  });
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined ? {} : { errors }),
  };
}
