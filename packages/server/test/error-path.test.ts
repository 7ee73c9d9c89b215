import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call } from './support/server.js';

const test = suite('locations of errors in requests');
let world: World;
let server: Running;

test.before(async () => {
  world = await makeWorld();
  server = await startReal(world);
});
test.after(() => server.close().then(() => removeWorld(world)));

async function detailOf(path: string, body?: object, method = 'POST'): Promise<unknown> {
  const { status, body: answer } = await call(server.host, path, {
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(body === undefined && method === 'POST' ? {} : { method }),
    headers: { 'content-type': 'application/json' },
  });
  assert.ok([400, 422].includes(status), JSON.stringify(answer));
  return Reflect.get(Object(answer), 'detail');
}

const notAPath = 'must be an absolute path or a URI';
const noPassword = 'must not carry a password';

test('prefixes fields in engine errors with their part of the request', async () => {
  assert.is(await detailOf('/v1/add', { target: 'notes' }), `body.target: ${notAPath}`);
  assert.is(
    await detailOf('/v1/add', { target: 'imap://ann:secret@host' }),
    `body.target: ${noPassword}`,
  );
  const config = { objects: [{ match: '*', render_template: '' }] };
  assert.is(
    await detailOf('/v1/add', { target: world.docs, config }),
    'body.config.objects.0.render_template: is not known',
  );
  assert.is(await detailOf('/v1/connectors/probe', { target: 'x' }), `body.target: ${notAPath}`);
  assert.is(await detailOf('/v1/ls?path=notes', undefined, 'GET'), `query.path: ${notAPath}`);
  assert.is(
    await detailOf('/v1/connectors/inspect?target=notes', undefined, 'GET'),
    `query.target: ${notAPath}`,
  );
  assert.is(
    await detailOf('/v1/connectors?target=notes', undefined, 'DELETE'),
    `query.target: ${notAPath}`,
  );
});
test.run();
