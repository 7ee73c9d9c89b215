import { readdirSync, readFileSync } from 'node:fs';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { TroveClient } from '@trove/client';
import { parameters } from '@trove/client/parameters';
import type { ArgumentDefs } from '@trove/commands';
import { openApiDocument, operations, type NamedOperation } from '@trove/operations';
import { apiRoutes } from '@trove/server';
import { root } from '../src/commands/root.js';

/*
 * Every operation exists in each public interface that its row names, and in no other.
 */

const test = suite('the public interfaces of every operation');
const namesOf = (chosen: readonly NamedOperation[]) => chosen.map(({ name }) => name).sort();
const onHttp = operations.filter(({ exposure }) => exposure.http);
const inClients = operations.filter(({ exposure }) => exposure.clients);

interface CommandNode {
  readonly name: string;
  readonly args?: ArgumentDefs;
  readonly commands?: readonly CommandNode[];
}

/** Returns all commands in a group with the names of their groups: `job list`. */
function commandsIn({ commands = [] }: CommandNode): CommandNode[] {
  return commands.flatMap((item) =>
    item.commands === undefined
      ? [item]
      : commandsIn(item).map((inner) => ({ ...inner, name: `${item.name} ${inner.name}` })),
  );
}

/** Optional parameters that no command of their operation offers, and the reason. */
const withoutOption: Readonly<Record<string, string>> = {
  'addSource.process': 'The command follows the job instead of one long request.',
  'filesUpload.process': 'The command follows the job instead of one long request.',
  'probeConnector.since': 'It is for estimates.',
  'grep.cursor': 'The command requests all pages.',
  'searchBatch.max_bytes': 'The command asks few questions in each request.',
  'symbols.cursor': 'The command prints one page, whose size is an option.',
  'addDocuments.ids': 'They are in the file of the documents.',
  'queryGraph.entity_top_k': 'It is for programs.',
  'queryGraph.relation_top_k': 'It is for programs.',
  ...Object.fromEntries(
    ['cron', 'every', 'hours', 'paused', 'watch'].map((key) => [
      `scheduleConnector.${key}`,
      '`trove connector update` changes schedules, and `pause` and `resume` state the rest.',
    ]),
  ),
};

test('the table contains every operation once', () => {
  assert.ok(operations.length > 30);
  assert.is(new Set(namesOf(operations)).size, operations.length);
});

test('the server has a route for exactly these operations', () => {
  const routes = apiRoutes({ base: '' });
  assert.equal(namesOf(routes), namesOf(onHttp));
  for (const { name, method, path } of onHttp) {
    const route = routes.find((candidate) => candidate.name === name);
    assert.equal([route?.method, route?.path], [method, path], name);
  }
});

test('the OpenAPI document describes exactly these operations', () => {
  const { paths } = openApiDocument(operations, '1');
  const described = Object.values(Object(paths)).flatMap((methods) =>
    Object.values(Object(methods)).map((operation) => String(Object(operation).operationId)),
  );
  assert.equal(described.sort(), namesOf(onHttp));
});

test('the TypeScript client has a method for exactly these operations', () => {
  const { http: _, ...groups } = new TroveClient();
  const methods = Object.values(groups).flatMap((group) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(group)).filter(
      (name) => name !== 'constructor',
    ),
  );
  assert.equal(methods.sort(), namesOf(inClients));
});

test('the Python client has a method for exactly these operations', () => {
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
  const known = new Set(commandsIn(root).map(({ name }) => name));
  const named = operations.flatMap(({ name, exposure: { cli } }) =>
    'none' in cli ? [] : cli.map((command) => ({ name, command })),
  );
  assert.ok(named.length > 30);
  const missing = named.filter(({ command }) => !known.has(command));
  assert.equal(missing, []);
});

test('commands offer every optional parameter and simple property of a body', () => {
  const commands = new Map(commandsIn(root).map(({ name, args = {} }) => [name, args]));
  const missing = operations.flatMap(({ name, exposure: { cli } }) => {
    if ('none' in cli) return [];
    const offered = new Set(
      cli
        .flatMap((command) => Object.entries(commands.get(command) ?? {}))
        .map(([argument, { parameter = argument.replaceAll('-', '_') }]) => parameter),
    );
    const rows = Object.entries<{ readonly required: boolean }>(Object(parameters)[name] ?? {});
    return rows.flatMap(([key, { required }]) =>
      required || offered.has(key) ? [] : [`${name}.${key}`],
    );
  });
  assert.equal(missing.sort(), Object.keys(withoutOption).sort());
});

test('commands call only operations whose rows name them', () => {
  const folder = new URL('../src/', import.meta.url);
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const isCalled = (name: string) => new RegExp(`\\.${name}\\(`).test(code);
  assert.ok(isCalled('addSource'));
  const without = operations.filter(({ exposure: { cli } }) => 'none' in cli);
  assert.ok(without.length > 3);
  assert.equal(namesOf(without.filter(({ name }) => isCalled(name))), []);
});

test.run();
