import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { type ClientOperation, contractOf } from '../scripts/generator/contract.js';
import { readDocument } from '../scripts/generator/index.js';
import { pascalCase } from '../scripts/generator/names.js';

/* The types of the client are compared with those that openapi-typescript makes of the same document. */

const test = suite('the types of the client');
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const document = readDocument();

let folder = '';
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'trove-types-'));
  writeFileSync(join(folder, 'openapi.json'), documentOfClients());
  const made = run('../../../node_modules/openapi-typescript/bin/cli.js', [
    join(folder, 'openapi.json'),
    '--output',
    join(folder, 'theirs.ts'),
    '--immutable',
    '--default-non-nullable=false',
  ]);
  assert.is(made.status, 0, made.said);
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the document without the members of bodies that the clients omit. */
function documentOfClients(): string {
  const text = readFileSync(at('../../operations/openapi.json'), 'utf8');
  const withoutUntyped = (key: string, value: unknown): unknown =>
    key === 'properties'
      ? Object.fromEntries(
          Object.entries(Object(value)).filter(([, member]) => !Object(member)['x-untyped']),
        )
      : value;
  return JSON.stringify(JSON.parse(text, withoutUntyped));
}

function run(script: string, args: readonly string[]): { status: number | null; said: string } {
  const hook = at('./support/own-compiler.mjs');
  const options = { encoding: 'utf8' } as const;
  const child = spawnSync(process.execPath, ['--import', hook, at(script), ...args], options);
  return { status: child.status, said: child.stdout + child.stderr };
}

/** Returns the compiler's messages for a program that compares one pair of types per line. */
function problems(pairs: readonly string[]): string {
  writeFileSync(
    join(folder, 'pairs.ts'),
    `import type * as ours from ${JSON.stringify(at('../dist/index.js'))};
import type { components, operations } from './theirs.js';
type Client = ours.TroveClient;
type Theirs = components['schemas'];
type Flat<T> = { [K in keyof T]: T[K] };
type Equal<A, B> =
  (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
function same<_T extends true>(): void {}
${pairs.join('\n')}
`,
  );
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'NodeNext',
    target: 'ES2023',
    lib: ['ES2023', 'ESNext.Disposable'],
    types: ['node'],
    typeRoots: [at('../../../node_modules/@types')],
  };
  const config = JSON.stringify({ compilerOptions, files: ['pairs.ts'] });
  writeFileSync(join(folder, 'tsconfig.json'), config);
  return run('../../../node_modules/typescript/bin/tsc', ['-p', folder]).said;
}

/** The client has its own class of errors. */
const errors = new Set(['ErrorEnvelope', 'GraphError', 'GraphValidationError', 'GraphViolation']);

const models = Object.keys(document.components?.schemas ?? {})
  .filter((name) => !errors.has(name))
  .map((name) => `same<Equal<ours.${pascalCase(name)}, Theirs['${name}']>>();`);

/** The parameters that the clients omit, as a union of their names, by operation. */
const untyped = new Map(
  Object.values(document.paths ?? {})
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, parameters = [] }): [string, string] => {
      const names = parameters.filter((parameter) => parameter['x-untyped'] === true);
      return [String(operationId), names.map((each) => `'${each.name}'`).join(' | ')];
    })
    .filter(([, names]) => names !== ''),
);

/** The parameters, the body and the answer of an operation. */
function pairsOf({ name, group, parameters, body, answer }: ClientOperation): string[] {
  const method = `Client['${group.toLowerCase()}']['${name}']`;
  const given = `NonNullable<Parameters<${method}>[0]>`;
  const theirs = `operations['${name}']`;
  const places = [...new Set(parameters.map((parameter) => parameter.in))];
  const parts = places.map((place) => {
    const all = `NonNullable<${theirs}['parameters']['${place}']>`;
    return untyped.has(name) ? `Omit<${all}, ${untyped.get(name)}>` : all;
  });
  const content = `${theirs}['requestBody']['content']`;
  return [
    ...(parts.length === 0
      ? []
      : [`same<Equal<Omit<${given}, 'body' | 'contentType'>, ${parts.join(' & ')}>>();`]),
    ...(body?.kind === 'json'
      ? [`same<Equal<${given}['body'], ${content}['application/json']>>();`]
      : []),
    ...(body?.kind === 'stream'
      ? [`same<Equal<${given}['contentType'], keyof ${content}>>();`]
      : []),
    ...(answer.kind === 'json'
      ? [
          `same<Equal<Awaited<ReturnType<${method}>>, ${theirs}['responses'][200]['content']['application/json']>>();`,
        ]
      : []),
  ];
}

test('equal the types of openapi-typescript', () => {
  const pairs = [...models, ...contractOf(document).flatMap(pairsOf)];
  assert.ok(pairs.length > 60, `${pairs.length} pairs`);
  assert.is(problems(pairs), '');
});

test('a wrong type fails the comparison', () => {
  const said = problems([
    `same<Equal<ours.AddResponse, Theirs['CancelResponse']>>();`,
    `same<Equal<Omit<ours.AddResponse, 'job_id'>, Theirs['AddResponse']>>();`,
    `same<Equal<Partial<ours.AddResponse>, Theirs['AddResponse']>>();`,
    `same<Equal<ours.LsResponse['entries'], readonly unknown[]>>();`,
  ]);
  assert.is(said.match(/error TS2344/g)?.length, 4, said);
});

test.run();
