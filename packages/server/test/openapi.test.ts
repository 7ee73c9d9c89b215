import { errorCatalogue, isErrorCode } from '@trove/core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorsOf, openApiDocument, tags } from '@trove/operations';
import { routes } from '../src/routes/table.js';
import { version } from '../src/version.js';
import { operationsOf, record, type Json } from './support/document.js';
import { DocumentSchemas } from './support/schemas.js';
import { call, withHost } from './support/server.js';

const test = suite('OpenAPI document');
const document = record(JSON.parse(JSON.stringify(openApiDocument(routes, version))));

function* nodes(node: unknown): Generator<Json> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield record(node);
  for (const child of Object.values(node)) yield* nodes(child);
}

test('the server returns it with the requested address', () =>
  withHost({}, async (host) => {
    const { body } = await call(host, '/openapi.json');
    assert.equal(body, { ...document, servers: [{ url: host.url }] });
  }));

test('behind a proxy, the address is relative, whatever the headers name', () =>
  withHost({}, async (host) => {
    for (const [name, value] of [
      ['x-forwarded-proto', 'https'],
      ['x-forwarded-host', 'evil.example'],
      ['x-forwarded-prefix', '/trove'],
      ['forwarded', 'proto=https;host=evil.example'],
    ] as const) {
      const { body } = await call(host, '/openapi.json', { headers: { [name]: value } });
      assert.equal(record(body)['servers'], [{ url: '.' }], name);
    }
  }));

test('is valid OpenAPI 3.1, and a faulty document is not', async () => {
  const accepts = async (text: string) => (await new Validator().validate(JSON.parse(text))).valid;
  const whole = JSON.stringify(document);
  assert.match(whole, '"openapi":"3.1.');
  assert.ok(await accepts(whole));
  for (const [right, wrong] of [
    ['"operationId"', '"operation_id"'],
    ['"in":"query"', '"in":"quarry"'],
    ['"description":"The server is running."', '"descriptor":"The server is running."'],
    ['"openapi":"3.1.', '"openapi":"4.1.'],
  ] as const) {
    assert.ok(whole.includes(right), right);
    assert.not.ok(await accepts(whole.replace(right, wrong)), wrong);
  }
});

test('contains exactly the routes of the table', () => {
  const inDocument = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
  const inTable = routes.map(({ method, path }) => `${method} ${path}`);
  assert.equal(inDocument.sort(), inTable.sort());
  assert.is(new Set(routes.map(({ name }) => name)).size, routes.length);
});

test('contains the operations of the specification', () => {
  const expected = {
    'GET /healthz': 'healthz',
    'GET /v1/server/info': 'getServerInfo',
    'GET /v1/status': 'status',
    'POST /v1/add': 'addSource',
    'GET /v1/jobs': 'listJobs',
    'GET /v1/jobs/{job_id}': 'getJob',
    'POST /v1/jobs/{job_id}/cancel': 'cancelJob',
    'POST /v1/connectors/probe': 'probeConnector',
    'POST /v1/connectors/estimate': 'estimateConnector',
    'GET /v1/connectors/inspect': 'inspectConnector',
    'DELETE /v1/connectors': 'removeConnector',
    'GET /v1/search': 'search',
    'POST /v1/ask': 'ask',
    'GET /v1/grep': 'grep',
    'GET /v1/symbols': 'symbols',
    'POST /v1/search/batch': 'searchBatch',
    'POST /v1/read/batch': 'readBatch',
    'GET /v1/ls': 'ls',
    'GET /v1/cat': 'cat',
    'GET /v1/head': 'head',
    'GET /v1/tail': 'tail',
    'GET /v1/export': 'export',
  };
  for (const [route, operationId] of Object.entries(expected)) {
    const found = routes.find(({ method, path }) => `${method} ${path}` === route);
    assert.is(found?.name, operationId, route);
  }
});

test('every reference resolves, and every component is used', () => {
  const references = [...nodes(document)].flatMap(({ $ref }) =>
    typeof $ref === 'string' ? [$ref] : [],
  );
  assert.ok(references.length > 50);
  for (const reference of references) {
    let target: unknown = document;
    for (const step of reference.slice(2).split('/')) target = record(target)[step];
    assert.type(target, 'object', reference);
  }
  for (const name of Object.keys(record(record(document['components'])['schemas']))) {
    assert.ok(references.includes(`#/components/schemas/${name}`), name);
  }
});

test('every schema is valid JSON Schema 2020-12', () => {
  const schemas = new DocumentSchemas(document);
  for (const name of Object.keys(record(record(document['components'])['schemas']))) {
    assert.type(schemas.component(name), 'function', name);
  }
});

test('every member of every schema is described', () => {
  let members = 0;
  const missing: string[] = [];
  for (const node of nodes(document['components'])) {
    const properties = node['type'] === 'object' ? node['properties'] : undefined;
    for (const [name, schema] of Object.entries(
      properties === undefined ? {} : record(properties),
    )) {
      members++;
      if (!('description' in record(schema))) missing.push(`${String(node['title'])}.${name}`);
    }
  }
  assert.equal(missing, []);
  assert.ok(members > 100);
});

test('every operation has a tag and described parameters and successes', () => {
  for (const { operation, path } of operationsOf(document)) {
    assert.ok(
      tags.some((tag) => tag === (operation['tags'] as string[])[0]),
      path,
    );
    const parameters = (operation['parameters'] ?? []) as Json[];
    for (const parameter of parameters) {
      assert.ok(['path', 'query'].includes(String(parameter['in'])));
      assert.type(parameter['schema'], 'object');
      assert.type(parameter['description'], 'string', `${path} ${String(parameter['name'])}`);
      if (parameter['in'] === 'path') assert.is(parameter['required'], true);
    }
    const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
    const templated = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.equal(
      inPath.map(({ name }) => name),
      templated,
    );
    assert.type(operation['summary'], 'string');
    const successes = Object.entries(record(operation['responses'])).filter(
      ([status]) => status < '300',
    );
    assert.ok(successes.length >= 1, path);
    for (const [, success] of successes) assert.type(record(success)['description'], 'string');
  }
});

test('every error of every route is documented under its status', () => {
  for (const route of routes) {
    const found = operationsOf(document).find(
      ({ operation }) => operation['operationId'] === route.name,
    );
    const responses = record(found?.operation['responses']);
    const documented = Object.entries(responses).flatMap(([status, response]) => {
      const codes = record(response)['x-error-codes'] ?? [];
      return (codes as string[]).map((code) => `${status} ${code}`);
    });
    const expected = errorsOf(route).map((code) => `${errorCatalogue[code].status} ${code}`);
    assert.equal(documented.sort(), expected.sort(), route.path);
    assert.ok(
      errorsOf(route).every((code) => isErrorCode(code) && errorCatalogue[code].status > 0),
    );
  }
});

test('only liveness and readiness need no token', () => {
  assert.equal(document['security'], [{ bearer: [] }]);
  const open = operationsOf(document).filter(({ operation }) => 'security' in operation);
  assert.equal(
    open.map(({ path }) => path),
    ['/healthz', '/readyz', '/health'],
  );
});

test.run();
