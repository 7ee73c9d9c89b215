import { errorCatalogue, type ErrorCode, type JsonSchema } from '@trove/core';
import { eventsType, jsonType, type Success } from '../response.js';
import { errorsOf } from '../errors.js';
import { tags, type NamedOperation, type Operation, type Tag } from '../operation.js';
import { Components } from './components.js';

const tagDescriptions: Record<Tag, string> = {
  Access: 'Create, list, rotate and revoke tokens.',
  Browse: 'Read sources as one tree.',
  Connectors: 'Inspect, schedule, move, define and remove sources.',
  Graph: 'Build and query knowledge graphs.',
  Ingest: 'Add sources and follow their jobs.',
  Retrieval: 'Search and grep sources.',
  Server: 'Inspect and back up the server.',
};

/** Builds the OpenAPI 3.1 document of the operations. `version` is the version of the server. */
export function openApiDocument(
  operations: readonly NamedOperation[],
  version: string,
): Record<string, unknown> {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const each of operations) {
    const methods = (paths[each.path] ??= {});
    methods[each.method.toLowerCase()] = describe(each, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trove',
      version,
      description: 'Search, grep, list and read all sources as one tree.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:13619' }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token in `server.token`, or one that `createToken` returned. `x-rights` of an operation names the rights that it needs.',
        },
      },
      headers: {
        RequestId: {
          description: 'Id of the request. The log contains it.',
          schema: { type: 'string' },
        },
        ErrorCode: { description: 'Stable error code, for programs.', schema: { type: 'string' } },
      },
      schemas: components.schemas(),
    },
  };
}

function describe(operation: NamedOperation, components: Components): Record<string, unknown> {
  const untyped = operation.untypedParameters ?? [];
  const parameters = [
    ...parametersOf(operation.params, 'path', components),
    ...parametersOf(operation.query, 'query', components),
  ].map((each) => (untyped.includes(each.name) ? { ...each, 'x-untyped': true } : each));
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.isPublic === true ? { security: [] } : { 'x-rights': operation.rights }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(operation, components),
    responses: {
      ...successResponses(operation, components),
      ...errorResponses(operation, components),
    },
  };
}

function requestBody(
  { body, untypedParameters = [] }: Operation,
  components: Components,
): Record<string, unknown> {
  const content = Object.entries(body.content).map(
    ([type, schema]) => [type, markUntyped(schema, untypedParameters)] as const,
  );
  return content.length === 0
    ? {}
    : { requestBody: { required: true, content: contentOf(content, components) } };
}

/** Marks the members with these names in a body, and in the items of its lists. */
function markUntyped(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties, items } = schema;
  if (names.length === 0) return schema;
  return {
    ...schema,
    ...(items === undefined ? {} : { items: markUntyped(items, names) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [
              name,
              names.includes(name) ? { ...member, 'x-untyped': true } : markUntyped(member, names),
            ]),
          ),
        }),
  };
}

function successResponses(
  { response }: Operation,
  components: Components,
): Record<string, unknown> {
  return Object.fromEntries(
    response.successes.map((success) => {
      const content = contentsOf(success);
      return [
        String(success.status),
        describeResponse(
          success.description,
          content.length === 0 ? null : contentOf(content, components),
        ),
      ];
    }),
  );
}

function contentsOf({ content, events }: Success): (readonly [string, JsonSchema])[] {
  return [
    ...(content === null ? [] : [[content.type, content.schema] as const]),
    ...(events === undefined
      ? []
      : [[eventsType, { type: 'string', description: events }] as const]),
  ];
}

function parametersOf(
  schema: JsonSchema,
  place: 'path' | 'query',
  components: Components,
): ({ readonly name: string } & Record<string, unknown>)[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: place,
      required: required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: components.refer(rest),
    };
  });
}

/** One response per status, with its codes. */
function errorResponses(operation: Operation, components: Components): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => {
        const causes = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].cause}`);
        const content = contentOf([[jsonType, operation.errorFormat.schema(status)]], components);
        const { headers, ...rest } = describeResponse(causes.join('\n\n'), content);
        const code = { 'X-Error-Code': { $ref: '#/components/headers/ErrorCode' } };
        return [
          String(status),
          { ...rest, headers: { ...headers, ...code }, 'x-error-codes': codes },
        ];
      }),
  );
}

function describeResponse(description: string, content: unknown) {
  return {
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    ...(content === null ? {} : { content }),
  };
}

/** Media types appear without their parameters. */
function contentOf(
  schemas: readonly (readonly [string, JsonSchema])[],
  components: Components,
): Record<string, unknown> {
  return Object.fromEntries(
    schemas.map(([type, schema]) => [
      type.replace(/;.*/, ''),
      { schema: components.refer(schema) },
    ]),
  );
}
