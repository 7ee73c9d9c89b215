import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { OpenApiDocument, Operation } from '../scripts/generator/document.js';
import { generateTypescript } from '../scripts/generator/index.js';

const test = suite('the generator');

const ok = { 200: { content: { 'application/json': { schema: { type: 'string' } } } } } as const;

function documentOf(operation: Partial<Operation>, path = '/things'): OpenApiDocument {
  return {
    info: { title: 'Test', version: '1' },
    paths: {
      [path]: { put: { operationId: 'doIt', tags: ['Things'], responses: ok, ...operation } },
    },
    components: {
      schemas: {
        Node: {
          title: 'Node',
          type: 'object',
          properties: { next: { $ref: '#/components/schemas/Node' } },
        },
      },
    },
  };
}

async function generate(document: OpenApiDocument, file: string): Promise<string> {
  return (await generateTypescript(document)).get(file) ?? '';
}

async function model(schema: object): Promise<string> {
  const content = { 'application/json': { schema: { title: 'M', ...schema } } };
  const code = await generate(documentOf({ responses: { 200: { content } } }), 'models.ts');
  return code.split('\n').slice(1).join('\n').trim();
}

test('writes a type for each kind of schema', async () => {
  const types: [object, string][] = [
    [{ type: 'integer' }, 'export type M = number;'],
    [{ type: ['string', 'null'] }, 'export type M = string | null;'],
    [{ enum: ['a', 'b'] }, "export type M = 'a' | 'b';"],
    [{ const: '' }, "export type M = '';"],
    [{ oneOf: [{ type: 'string' }, { type: 'boolean' }] }, 'export type M = string | boolean;'],
    [
      { type: 'array', items: { type: ['number', 'null'] } },
      'export type M = readonly (number | null)[];',
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      'export type M = Readonly<Record<string, number>>;',
    ],
    [{}, 'export type M = unknown;'],
  ];
  for (const [schema, expected] of types) assert.is(await model(schema), expected);
});

test('marks optional members and quotes names that are not identifiers', async () => {
  const text = await model({
    type: 'object',
    properties: { a: { type: 'string' }, 'x-y': { type: 'boolean' } },
    required: ['a'],
  });
  assert.match(text, 'readonly a: string;');
  assert.match(text, "readonly 'x-y'?: boolean | undefined;");
});

test('does not close a comment early', async () => {
  assert.match(await model({ type: 'string', description: 'globs like **/*.ts' }), '**\\/*.ts');
});

test('writes a recursive schema', async () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } };
  const document = documentOf({ responses: { 200: { content } } });
  assert.match(await generate(document, 'models.ts'), 'readonly next?: Node | undefined;');
});

test('merges path and query parameters into one object and encodes them', async () => {
  const parameters = [
    { name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'n', in: 'query', schema: { type: 'integer' } },
    { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
  ];
  const code = await generate(documentOf({ parameters }, '/things/{thing_id}'), 'things-api.ts');
  assert.match(code, "path: `/things/${pathSegment('thing_id', parameters.thing_id)}`");
  assert.match(code, 'query: { n: parameters.n }');
  assert.not.match(code, 'X-Trace');
});

test('writes the parameters of each operation as data', async () => {
  const parameters = [
    { name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } },
    {
      name: 'n',
      in: 'query',
      description: 'How many.',
      schema: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    },
    { name: 'mode', in: 'query', schema: { enum: ['a', 'b'] } },
  ];
  const code = await generate(documentOf({ parameters }, '/things/{thing_id}'), 'parameters.ts');
  assert.match(code, "thing_id: { in: 'path', type: 'string', required: true }");
  assert.match(code, "mode: { in: 'query', type: 'string', required: false, enum: ['a', 'b'] }");
  const facts = ["type: 'integer'", 'default: 3', 'minimum: 1', 'maximum: 9'];
  for (const fact of [...facts, "description: 'How many.'"]) assert.match(code, fact);
  assert.match(code, '} as const;');
});

test('writes the simple properties of a body as parameters', async () => {
  const properties = {
    size: { type: ['integer', 'null'], default: null },
    kind: { enum: ['a', 'b'] },
    names: { type: 'array', items: { type: 'string' } },
    things: { type: 'array', items: { type: 'object' } },
    config: { type: 'object' },
    file: { type: 'string', format: 'binary' },
  };
  const schema = { type: 'object', properties, required: ['names'] };
  const requestBody = { content: { 'application/json': { schema } } };
  const code = await generate(documentOf({ requestBody }), 'parameters.ts');
  assert.match(code, "size: { in: 'body', type: 'integer', required: false }");
  assert.match(code, "kind: { in: 'body', type: 'string', required: false, enum: ['a', 'b'] }");
  assert.match(code, "names: { in: 'body', type: 'array', required: true }");
  for (const other of ['things:', 'config:', 'file:']) assert.not.match(code, other);
});

test('sends a body that is not JSON as a stream of its media type', async () => {
  const requestBody = { content: { 'application/x-tar': { schema: { type: 'string' } } } };
  const code = await generate(documentOf({ requestBody }), 'things-api.ts');
  assert.match(code, 'readonly body: UploadBody;');
  assert.match(code, "upload: { contentType: 'application/x-tar', body: parameters.body }");
});

test('lets the caller choose one of several media types of a body', async () => {
  const requestBody = { content: { 'application/x-tar': {}, 'application/gzip': {} } };
  const code = await generate(documentOf({ requestBody }), 'things-api.ts');
  assert.match(code, "readonly contentType: 'application/x-tar' | 'application/gzip';");
  assert.match(code, 'upload: { contentType: parameters.contentType, body: parameters.body }');
});

test('returns the result of an operation for any status', async () => {
  for (const [content, signature, call] of [
    [{ 'application/json': { schema: { type: 'integer' } } }, 'Promise<number>', 'json<number>('],
    [{ 'text/html': {} }, 'Promise<string>', 'text('],
    [{ 'application/octet-stream': {} }, 'AsyncIterable<Uint8Array>', 'bytes('],
    [undefined, 'Promise<void>', 'nothing('],
  ] as const) {
    const responses = { 201: content === undefined ? {} : { content }, 404: ok[200] };
    const code = await generate(documentOf({ responses }), 'things-api.ts');
    assert.match(code, `doIt(options?: CallOptions): ${signature} {`);
    assert.match(code, `this.#http.${call}`);
  }
});

test('returns any of several successful results', async () => {
  const jsonOf = (schema: object) => ({ content: { 'application/json': { schema } } });
  for (const [responses, type] of [
    [{ 200: jsonOf({ type: 'string' }), 201: jsonOf({ type: 'integer' }) }, 'string | number'],
    [{ 200: jsonOf({ type: 'string' }), 201: jsonOf({ type: 'string' }) }, 'string'],
    [{ 200: jsonOf({ type: 'string' }), 204: {} }, 'string | void'],
  ] as const) {
    const code = await generate(documentOf({ responses }), 'things-api.ts');
    assert.match(code, `doIt(options?: CallOptions): Promise<${type}> {`);
    assert.match(code, `this.#http.json<${type}>(`);
  }
});

test('sends a form with its files', async () => {
  const schema = {
    type: 'object',
    properties: {
      files: { type: 'array', items: { type: 'string', format: 'binary' } },
      n: { type: 'integer' },
    },
    required: ['files'],
  };
  const requestBody = { content: { 'multipart/form-data': { schema } } };
  const code = await generate(documentOf({ requestBody }), 'things-api.ts');
  assert.match(code, 'readonly files: readonly Blob[];');
  assert.match(code, 'readonly n?: number | undefined;');
  assert.match(code, 'form: parameters.body');
});

test('rejects an ambiguous document', async () => {
  const { operationId: _, ...nameless } = { operationId: 'x', tags: ['T'], responses: ok };
  const bad: [OpenApiDocument, RegExp][] = [
    [{ ...documentOf({}), paths: { '/a': { get: nameless } } }, /no operationId/],
    [
      {
        ...documentOf({}),
        paths: {
          '/a': { get: { ...nameless, operationId: 'x' }, put: { ...nameless, operationId: 'x' } },
        },
      },
      /two operations have the id x/,
    ],
    [
      documentOf({
        responses: {
          200: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Gone' } } },
          },
        },
      }),
      /does not exist/,
    ],
    [
      documentOf({
        parameters: [{ name: 'size', in: 'query' }],
        requestBody: {
          content: {
            'application/json': { schema: { properties: { size: { type: 'integer' } } } },
          },
        },
      }),
      /doIt has two parameters with the same name/,
    ],
    [
      documentOf({ responses: { ...ok, 201: { content: { 'text/plain': {} } } } }),
      /doIt has successful responses of different kinds/,
    ],
    [
      documentOf({
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  items: {
                    oneOf: [
                      { title: 'A', type: 'string' },
                      { title: 'A', type: 'number' },
                    ],
                  },
                },
              },
            },
          },
        },
      }),
      /two different schemas have the title A/,
    ],
  ];
  for (const [document, message] of bad) {
    try {
      await generateTypescript(document);
      assert.unreachable(String(message));
    } catch (error) {
      assert.match(String(error), message);
    }
  }
});

test.run();
