import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { OpenApiDocument, Operation, Schema } from '../scripts/generator/document.js';
import { pythonFiles } from '../scripts/generator/python/files.js';

const test = suite('the generator of the Python client');

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

const methods = (operation: Partial<Operation>, path?: string) =>
  pythonFiles(documentOf(operation, path)).get('things_api.py') ?? '';

function model(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): string {
  const schema = { title: 'M', type: 'object', properties, required };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  return pythonFiles(documentOf({ responses })).get('models.py') ?? '';
}

test('writes a type and a decoder for each kind of schema', () => {
  const node = { $ref: '#/components/schemas/Node' };
  for (const [schema, type, decoded] of [
    [{ type: 'integer' }, 'int', 'value["m"]'],
    [{ type: ['string', 'null'] }, 'str | None', 'value["m"]'],
    [{ enum: ['a', 'b'] }, 'Literal["a", "b"]', 'value["m"]'],
    [{ const: true }, 'Literal[True]', 'value["m"]'],
    [{}, 'Any', 'value["m"]'],
    [{ type: 'array', items: { type: ['number', 'null'] } }, 'list[float | None]', 'value["m"]'],
    [
      { type: ['array', 'null'], items: node },
      'list[Node] | None',
      'optional(list_of(Node.from_json))(value["m"])',
    ],
    [{ type: 'object' }, 'dict[str, Any]', 'value["m"]'],
    [
      { type: 'object', additionalProperties: node },
      'dict[str, Node]',
      'dict_of(Node.from_json)(value["m"])',
    ],
    [{ type: 'object', properties: { a: { type: 'string' } } }, 'MM', 'MM.from_json(value["m"])'],
  ] as const) {
    const code = model({ m: schema }, ['m']);
    assert.match(code, `    m: ${type}\n`);
    assert.match(code, `            m=${decoded},\n`);
  }
});

test('marks optional fields, sorts them last, and renames invalid names', () => {
  const code = model(
    {
      a: { type: 'boolean', description: 'Say """no""" \\ yes.' },
      from: { type: 'string' },
      'x-y': {},
    },
    ['from'],
  );
  assert.match(
    code,
    '    from_: str = field(metadata={"json": "from"})\n    a: bool | None = None\n',
  );
  assert.match(code, '    x_y: Any = field(default=None, metadata={"json": "x-y"})\n');
  assert.match(code, String.raw`    """Say \"\"\"no\"\"\" \\ yes."""`);
  assert.match(code, 'from_=value["from"],');
  assert.match(code, 'a=value.get("a"),');
});

test('writes a schema that refers to itself', () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } };
  const code = pythonFiles(documentOf({ responses: { 200: { content } } })).get('models.py') ?? '';
  assert.match(code, 'next: Node | None = None');
  assert.match(code, 'next=optional(Node.from_json)(value.get("next")),');
});

test('takes required parameters by position and the others by name', () => {
  const parameters = [
    { name: 'n', in: 'query', schema: { type: 'integer' } },
    { name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
  ];
  const code = methods({ parameters }, '/things/{thing_id}');
  assert.match(
    code,
    'self,\n        thing_id: str,\n        *,\n        n: int | None = None,\n        timeout: float | None = None,\n    ) -> str:',
  );
  assert.match(code, `f"/things/{path_segment('thing_id', thing_id)}",`);
  assert.match(code, 'query={"n": n},');
  assert.not.match(code, 'Trace');
});

test('takes members of a JSON body and of a form as parameters', () => {
  const schema = {
    type: 'object',
    properties: {
      files: { type: 'array', items: { type: 'string', format: 'binary' } },
      n: { type: 'integer' },
    },
    required: ['files'],
  };
  for (const [type, kind] of [
    ['application/json', 'Json'],
    ['multipart/form-data', 'Form'],
  ] as const) {
    const code = methods({ requestBody: { content: { [type]: { schema } } } });
    assert.match(
      code,
      '        files: list[FormFile],\n        *,\n        n: int | None = None,\n',
    );
    assert.match(code, `body=${kind}({"files": files, "n": n}),`);
  }
});

test('sends other bodies as streams of the chosen media type', () => {
  const one = methods({ requestBody: { content: { 'application/x-tar': {} } } });
  assert.match(one, '        body: UploadBody,\n        *,\n');
  assert.match(one, 'body=Stream(body, "application/x-tar"),');
  const content = { 'application/x-tar': {}, 'application/gzip': {} };
  const two = methods({ requestBody: { content } });
  assert.match(two, '        content_type: Literal["application/x-tar", "application/gzip"],\n');
  assert.match(two, 'body=Stream(body, content_type),');
});

test('gives back what the operation answers with, whatever its status', () => {
  const jsonOf = (schema: object) => ({ content: { 'application/json': { schema } } });
  for (const [responses, type, call] of [
    [{ 201: jsonOf({ type: 'integer' }) }, 'int', 'json'],
    [{ 200: jsonOf({ type: 'integer' }), 204: {} }, 'int | None', 'json'],
    [{ 200: { content: { 'text/html': {} } } }, 'str', 'text'],
    [{ 200: { content: { 'application/x-tar': {} } } }, 'Iterator[bytes]', 'stream'],
    [{ 204: {} }, 'None', 'nothing'],
  ] as const) {
    const code = methods({ responses });
    assert.match(code, `) -> ${type}:\n`);
    assert.match(code, `self._http.${call}(\n`);
  }
});

test('rejects ambiguous documents', () => {
  const content = { 'application/json': { schema: { type: 'array' } } };
  const twice = [
    { name: 'a-b', in: 'query', schema: {} },
    { name: 'a_b', in: 'query', schema: {} },
  ];
  const objects = { oneOf: [{ type: 'array', items: { $ref: '#/components/schemas/Node' } }, {}] };
  for (const [operation, message] of [
    [{ requestBody: { content } }, /has a body that is not an object/],
    [{ parameters: twice }, /two parameters with the same name/],
    [
      { responses: { 200: { content: { 'application/json': { schema: objects } } } } },
      /an ambiguous union/,
    ],
  ] as const) {
    assert.throws(() => pythonFiles(documentOf(operation)), message);
  }
});

test.run();
