import type { JsonSchema } from '@trove/core';

/* Parts of the JSON Schema of descriptions. Names equal those of the types in `description/`. */

/** Schemas in whose place a description in code may have a function. */
export const functionPlaces = new Set<JsonSchema>();

/** Marks a schema as one that a function may replace. */
function orFunction<const S extends JsonSchema>(schema: S): S {
  functionPlaces.add(schema);
  return schema;
}

export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', additionalProperties: false, properties, required };
}

export function mapOf(schema: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: schema };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export const path: JsonSchema = {
  type: 'string',
  minLength: 1,
  description: 'A path in JSON: `fields.summary`, `labels[].name`, `.` for the value itself.',
};

export const text = orFunction({
  type: 'string',
  description: 'A text with placeholders such as `{id}`, `{config.team}` or `{since}`.',
});

export const value = orFunction({
  type: 'string',
  minLength: 1,
  description: 'A path in the item, or a text with placeholders such as `{title} ({state})`.',
});

export const duration: JsonSchema = {
  anyOf: [
    { type: 'string', pattern: '^\\d+(\\.\\d+)?[smhd]$' },
    { type: 'integer', minimum: 0 },
  ],
  description: '`30s`, `10m`, `3h`, `30d`, or milliseconds.',
};

const place: JsonSchema = {
  type: 'string',
  pattern: '^(query|header|body|form)\\..+$',
  description: 'A place in a request: `query.page`, `header.X-Page`, `body.variables.after`.',
};

const parameter: JsonSchema = {
  anyOf: [text, { type: 'number' }, { type: 'boolean' }, listOf({ type: 'string' })],
};
functionPlaces.add(parameter);

export const timeFormat: JsonSchema = {
  type: 'string',
  enum: ['iso', 'seconds', 'milliseconds', 'date'],
};

/** Members of `RequestPart`. */
const requestParts = {
  query: mapOf(parameter),
  headers: mapOf(text),
  body: orFunction({ description: 'A JSON body. Its texts are templates.' }),
  form: mapOf(parameter),
  graphql: objectOf({
    query: { type: 'string', minLength: 1, description: 'The document of a GraphQL query.' },
    variables: mapOf(orFunction({ description: 'A JSON value. Its texts are templates.' })),
  }),
} as const;

/** Members of `RequestDescription`. */
export const requestMembers = { get: text, post: text, ...requestParts } as const;

export const requestPart = objectOf(requestParts);

const token: JsonSchema = { type: 'string', minLength: 1 };
const flag: JsonSchema = { type: 'boolean' };
/** Members of `MorePaging`. */
const morePaging = { more: path, moreOptional: flag } as const;

export const paging = orFunction({
  anyOf: [
    { type: 'string', enum: ['none', 'link'] },
    objectOf({ by: { const: 'next' }, from: path, required: flag }, ['by', 'from']),
    objectOf(
      {
        by: { const: 'cursor' },
        from: token,
        send: place,
        required: flag,
        until: path,
        ...morePaging,
      },
      ['by', 'from', 'send'],
    ),
    objectOf({ by: { const: 'connection' }, from: path, variable: token }, ['by', 'from']),
    objectOf(
      {
        by: { const: 'page' },
        send: place,
        first: { type: 'integer' },
        pages: path,
        ...morePaging,
      },
      ['by', 'send'],
    ),
    objectOf({ by: { const: 'offset' }, send: place, total: path, ...morePaging }, ['by', 'send']),
    objectOf({ by: { const: 'keyset' }, from: path, send: place, ...morePaging }, [
      'by',
      'from',
      'send',
    ]),
  ],
});

const scalar: JsonSchema = { type: ['string', 'number', 'boolean', 'null'] };

export const errorRules = listOf(
  objectOf(
    {
      when: orFunction(
        objectOf({
          status: { anyOf: [{ type: 'integer' }, listOf({ type: 'integer' })] },
          body: mapOf({ anyOf: [scalar, listOf(scalar)] }),
          graphql: { anyOf: [token, listOf(token)] },
          text: { type: 'string' },
        }),
      ),
      do: {
        type: 'string',
        enum: ['retry', 'wait', 'skip', 'incomplete', 'absent', 'expired', 'login', 'fail', 'ok'],
      },
      code: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
      say: { type: 'string' },
    },
    ['when', 'do'],
  ),
);
