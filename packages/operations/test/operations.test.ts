import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorsOf, openApiDocument, operation, operations, withCommands } from '../src/index.js';
import { jsonResponse } from '../src/response.js';

const test = suite('operations');

const manifestUrl = new URL('../package.json', import.meta.url);
const documentUrl = new URL('../openapi.json', import.meta.url);

async function parsed(url: URL): Promise<unknown> {
  return JSON.parse(await readFile(url, 'utf8'));
}

test('openapi.json is up to date (npm run openapi -w @trove/operations)', async () => {
  const { version } = Object(await parsed(manifestUrl));
  const document = JSON.parse(JSON.stringify(openApiDocument(operations, String(version))));
  assert.equal(await parsed(documentUrl), document);
});

test('operations have unique names and routes', () => {
  const names = operations.map(({ name }) => name);
  const routes = operations.map(({ method, path }) => `${method} ${path}`);
  assert.equal([...new Set(names)], names);
  assert.equal([...new Set(routes)], routes);
});

test('the parameters of each path are those that its schema requires', () => {
  for (const { name, path, params } of operations) {
    const inPath = new Set(Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter));
    assert.equal(new Set(Object.keys(params.properties ?? {})), inPath, name);
    assert.equal(new Set(params.required), inPath, name);
  }
});

test('GET and DELETE operations declare no body', () => {
  const withBody = operations.filter(({ body }) => Object.keys(body.content).length > 0);
  const methods = new Set(withBody.map(({ method }) => method));
  assert.equal([...methods].sort(), ['POST', 'PUT']);
});

test('defaults: no input, and the errors of every operation', () => {
  const ping = operation({
    rights: 'read',
    tag: 'Server',
    summary: 'Ping',
    method: 'GET',
    path: '/ping',
    response: jsonResponse('Pong.', { type: 'string' }),
    errors: ['not_found'],
    exposure: withCommands('ping'),
  });
  assert.equal(ping.query.properties, {});
  assert.equal(ping.body.content, {});
  const common = errorsOf({ ...ping, errors: [] });
  assert.ok(common.includes('internal_error'));
  assert.equal(
    errorsOf(ping).filter((code) => !common.includes(code)),
    ['not_found'],
  );
});

test.run();
