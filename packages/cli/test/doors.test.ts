import { readdirSync, readFileSync } from 'node:fs';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { TroveClient } from '@trove/client';
import { openApiDocument, operations, type NamedOperation } from '@trove/operations';
import { apiRoutes } from '@trove/server';
import { root } from '../src/commands/root.js';

/*
 * Every operation exists in each public interface that its row names, and in no other.
 */

const test = suite('the doors of every operation');
const namesOf = (chosen: readonly NamedOperation[]) => chosen.map(({ name }) => name).sort();
const onHttp = operations.filter(({ doors }) => doors.http);
const inClients = operations.filter(({ doors }) => doors.clients);

interface CommandNode {
  readonly name: string;
  readonly commands?: readonly CommandNode[];
}

/** The names of all commands in a group: `job list`. */
function commandsIn({ commands = [] }: CommandNode): string[] {
  return commands.flatMap((item) =>
    item.commands === undefined
      ? [item.name]
      : commandsIn(item).map((name) => `${item.name} ${name}`),
  );
}

test('the table has every operation once', () => {
  assert.ok(operations.length > 30);
  assert.is(new Set(namesOf(operations)).size, operations.length);
});

test('the server has a route for each operation, and no other', () => {
  const routes = apiRoutes({ base: '' });
  assert.equal(namesOf(routes), namesOf(onHttp));
  for (const { name, method, path } of onHttp) {
    const route = routes.find((candidate) => candidate.name === name);
    assert.equal([route?.method, route?.path], [method, path], name);
  }
});

test('the OpenAPI document describes each operation, and no other', () => {
  const { paths } = openApiDocument(operations, '1');
  const described = Object.values(Object(paths)).flatMap((methods) =>
    Object.values(Object(methods)).map((operation) => String(Object(operation).operationId)),
  );
  assert.equal(described.sort(), namesOf(onHttp));
});

test('the TypeScript client has a method for each operation, and no other', () => {
  const { http: _, ...groups } = new TroveClient();
  const methods = Object.values(groups).flatMap((group) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(group)).filter(
      (name) => name !== 'constructor',
    ),
  );
  assert.equal(methods.sort(), namesOf(inClients));
});

test('the Python client has a method for each operation, and no other', () => {
  const folder = new URL('../../client-python/src/trove_client/generated/', import.meta.url);
  const methods = readdirSync(folder)
    .filter((name) => name.endsWith('_api.py'))
    .flatMap((name) => [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(/^ {4}def ([a-z]\w*)\(/gm),
    ])
    .map(([, name = '']) => name);
  const expected = namesOf(inClients).map((name) =>
    name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase(),
  );
  assert.equal(methods.sort(), expected.sort());
});

test('the command line has every command that a row names', () => {
  const known = new Set(commandsIn(root));
  const named = operations.flatMap(({ name, doors: { cli } }) =>
    'none' in cli ? [] : cli.map((command) => ({ name, command })),
  );
  assert.ok(named.length > 30);
  const missing = named.filter(({ command }) => !known.has(command));
  assert.equal(missing, []);
});

test('no command calls an operation whose row names none', () => {
  const folder = new URL('../src/', import.meta.url);
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const isCalled = (name: string) => new RegExp(`\\.${name}\\(`).test(code);
  assert.ok(isCalled('addSource'));
  const without = operations.filter(({ doors: { cli } }) => 'none' in cli);
  assert.ok(without.length > 3);
  assert.equal(namesOf(without.filter(({ name }) => isCalled(name))), []);
});

test.run();
