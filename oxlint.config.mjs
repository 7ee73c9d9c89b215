import { readdirSync } from 'node:fs';

const INNER_FILES = {
  regex: '^(\\.\\./)+[^./][^/]*(/[^/]+)*/(src|dist)/',
  message: 'Import another package by its name, never by a path into its folder.',
};
const DRIVERS = {
  regex: '^(koa|@koa/.+|knex|pg|sqlite3|@lancedb/.+|apache-arrow)(/|$)',
  message: 'Drivers and HTTP belong to plugins and to the server.',
};
const INJECTION = {
  regex: '^(tsyringe|reflect-metadata)(/|$)',
  message: 'Plugins are plain objects: two copies of tsyringe do not know each other.',
};
const FAKES = {
  regex: '^(@trove/connector-kit/http|\\.(/http)?|(\\.\\./)+http)/fake(/|$)',
  message: 'Fakes of web services are for tests: no connector loads them.',
};
const GLOBAL_CONTAINER = {
  name: 'tsyringe',
  importNames: ['container'],
  message: 'Two engines in one process share nothing: use a child container per engine.',
};
const WORKERS =
  'Only runtime/src/workers/start.ts starts threads and processes: use `Workers` of @trove/core/workers.';
const STARTS = [
  { name: 'node:worker_threads', importNames: ['Worker'], message: WORKERS },
  { name: 'node:child_process', importNames: ['fork'], message: WORKERS },
];
const UNSCOPED = 'trove';

/** The names of the packages under plugins/. */
function plugins() {
  return readdirSync(new URL('plugins', import.meta.url)).map((folder) => `@trove/${folder}`);
}

/** Restricts imports of our packages in `files` to those in `allow`, with their entries. */
function layer(files, allow, message, extra = [], paths = []) {
  const scoped = allow.filter((name) => name !== UNSCOPED);
  const group = ['@trove/**', ...scoped.flatMap((name) => [`!${name}`, `!${name}/*`])];
  const patterns = [{ group, message }, INNER_FILES, ...extra];
  const starts = files.every((each) => each.includes('/src/') && each.endsWith('**')) ? STARTS : [];
  if (!allow.includes(UNSCOPED)) patterns.push({ regex: '^trove(/|$)', message });
  return {
    files,
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [GLOBAL_CONTAINER, ...starts, ...paths], patterns },
      ],
    },
  };
}

/** The rooms of the engine, from top to bottom. Each imports only those below it, `api`, `di` of core and `settings.ts`. */
const ROOMS = ['query', 'ingest', 'content', 'sources', 'generations'];
const ENGINE_ROOT =
  '(compose|compose-queries|restrict-services|create-engine|index|open-dependencies|operations|options|plugins-in-use|resolve-options|di/.*)';

/** Restricts one room of the engine to the rooms below it. */
function room(name) {
  const above = ROOMS.slice(0, ROOMS.indexOf(name));
  return layer(
    [`packages/engine/src/${name}/**`],
    [CORE, TEXT, RUNTIME],
    'The engine and the graph import core, text and runtime only.',
    [
      DRIVERS,
      {
        regex: `^(\\.\\./)+(${[...above, ENGINE_ROOT].join('|')})(/|\\.js$)`,
        message: `${name} imports only the rooms below it: ${ROOMS.join(' > ')}.`,
      },
    ],
  );
}

const CORE = '@trove/core';
const TEXT = '@trove/text';
const SUPPORT = ['', '/mongo', '/programs', '/sql'].map((folder) => `@trove/test-support${folder}`);
const RUNTIME = '@trove/runtime';
const KIT = '@trove/connector-kit';
const KIT_FAKES = '@trove/connector-kit/http';
const TESTKIT = '@trove/testkit';
const CLIENT = '@trove/client';
const COMMANDS = '@trove/commands';
const OPERATIONS = '@trove/operations';
const EVERYTHING = ['@trove/*', KIT_FAKES, ...SUPPORT, UNSCOPED];

/** The allowed imports. A later entry replaces an earlier one for files that both match. */
const layers = [
  layer(['packages/*/src/**'], [], 'This package has no layer yet: add one to oxlint.config.mjs.'),
  layer(['packages/core/src/**'], [], 'core imports no other package of ours.', [DRIVERS]),
  layer(
    ['packages/core/test/**'],
    [CORE, TESTKIT, ...SUPPORT],
    'Tests of core use core, testkit and test-support.',
  ),
  layer(['packages/text/src/**'], [CORE], 'text imports @trove/core only.', [DRIVERS]),
  layer(
    ['packages/text/test/**'],
    [CORE, TEXT, ...SUPPORT],
    'Tests of text use text, core and test-support.',
  ),
  layer(
    ['packages/test-support/**'],
    [CORE, RUNTIME, TESTKIT, '@trove/store-knex', ...SUPPORT],
    'The support of tests imports core, runtime, testkit and store-knex only.',
  ),
  layer(['packages/runtime/src/**'], [CORE, TEXT], 'runtime imports core and text only.', [
    DRIVERS,
  ]),
  layer(['packages/runtime/src/workers/start.ts'], [CORE], 'Workers import core only.', [DRIVERS]),
  layer(
    ['packages/runtime/test/**'],
    [RUNTIME, CORE, TEXT, TESTKIT, ...SUPPORT],
    'Tests of runtime use runtime, core, text, testkit and test-support.',
  ),
  layer(
    ['packages/{engine,graph}/src/**'],
    [CORE, TEXT, RUNTIME],
    'The engine and the graph import core, text and runtime only.',
    [DRIVERS],
  ),
  ...ROOMS.map(room),
  layer(
    ['packages/engine/src/api/**'],
    [CORE],
    'The schemas of the engine import @trove/core only.',
    [
      DRIVERS,
      {
        regex: `^(\\.\\./)+(${[...ROOMS, ENGINE_ROOT].join('|')})(/|\\.js$)`,
        message: 'api imports no room: it is imported by all.',
      },
    ],
  ),
  layer(
    ['packages/engine/test/**'],
    ['@trove/engine', CORE, TEXT, RUNTIME, TESTKIT, ...SUPPORT],
    'Tests of the engine use engine, runtime, core, text, testkit and test-support.',
  ),
  layer(
    ['packages/graph/test/**'],
    ['@trove/graph', CORE, TEXT, RUNTIME, TESTKIT, ...SUPPORT],
    'Tests of the graph use graph, runtime, core, text, testkit and test-support.',
  ),
  layer(
    ['packages/testkit/src/**'],
    [CORE, TEXT, RUNTIME],
    'testkit imports core, text and runtime only: connectors under test get the real HTTP client and workers.',
    [DRIVERS],
  ),
  layer(
    ['packages/testkit/test/**'],
    [CORE, TEXT, TESTKIT, ...SUPPORT],
    'Tests of testkit use testkit, core, text and test-support.',
  ),
  layer(['packages/connector-kit/src/**'], [CORE, TEXT], 'The kit imports core and text only.', [
    DRIVERS,
    FAKES,
  ]),
  layer(
    ['packages/connector-kit/src/http/fake/**'],
    [CORE, TEXT],
    'The kit imports core and text only.',
    [DRIVERS],
  ),
  layer(
    ['packages/connector-kit/test/**'],
    [CORE, TEXT, KIT, TESTKIT, ...SUPPORT],
    'Tests of the kit use core, text, testkit, test-support and ../src.',
  ),
  layer(
    ['plugins/*/src/**'],
    [CORE, TEXT, KIT],
    'A plugin imports core, text and connector-kit only.',
    [INJECTION, FAKES],
  ),
  layer(
    ['plugins/*/test/**'],
    [CORE, TEXT, KIT, KIT_FAKES, TESTKIT, ...SUPPORT],
    'Tests of a plugin use core, text, the kit, testkit, test-support and ../src only.',
    [INJECTION],
  ),
  layer(
    ['packages/trove/src/**'],
    [CORE, TEXT, RUNTIME, '@trove/engine', '@trove/graph', ...plugins()],
    'trove is the composition root: it knows the engine and its plugins, none of its callers.',
  ),
  layer(['packages/commands/src/**'], [], 'What both commands share imports nothing of ours.', [
    DRIVERS,
  ]),
  layer(
    ['packages/commands/test/**'],
    SUPPORT,
    'Tests of what both commands share use test-support and ../src.',
  ),
  layer(
    ['packages/operations/src/**'],
    [CORE, '@trove/engine/api', '@trove/graph/api'],
    'operations imports core and the schemas of the engine and the graph only.',
    [
      DRIVERS,
      { regex: '^@trove/(engine|graph)$', message: 'Only the entry `api`, which loads schemas.' },
    ],
  ),
  layer(
    ['packages/operations/test/**'],
    [OPERATIONS, CORE, ...SUPPORT],
    'Tests of operations use operations, core and test-support.',
  ),
  layer(['packages/mcp/src/**'], [CORE, UNSCOPED], 'mcp imports trove and core only.', [DRIVERS]),
  layer(
    ['packages/server/src/**'],
    [CORE, COMMANDS, OPERATIONS, '@trove/mcp', UNSCOPED],
    'The server imports trove, operations, mcp, commands and core.',
  ),
  layer(['packages/client/src/**'], [], 'The client imports nothing of ours.'),
  layer(
    ['packages/console/src/**'],
    [CLIENT],
    'The console imports the client only: it uses the public API.',
  ),
  layer(
    ['packages/cli/src/**'],
    [CLIENT, COMMANDS, '@trove/connector-file'],
    'The command line imports @trove/client and @trove/commands, and of plugins only what sees the files of this machine.',
    [],
    [{ name: '@trove/connector-file', message: 'Only its entry `local`.' }],
  ),
  layer(
    ['packages/create-trove-connector/src/**'],
    [],
    'What makes a connector needs nothing of ours: what it makes does.',
  ),
  layer(
    [
      'packages/{trove,mcp,server,client,cli,console,create-trove-connector}/test/**',
      'examples/**',
      'packages/workbench/**',
    ],
    EVERYTHING,
    'Import packages by their public names.',
  ),
];

export default {
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['**/dist/**', '**/bundle/**', '**/node_modules/**', '**/fixtures/**'],
  rules: {
    eqeqeq: 'error',
    'no-console': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    'no-shadow': ['error', { allow: ['_'] }],
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
    'unicorn/prefer-node-protocol': 'error',
    // Character classes with escapes, also of control characters, are intended.
    'no-misleading-character-class': ['error', { allowEscape: true }],
    'no-control-regex': 'off',
    // toSorted() would copy twice after a spread; sorting an own copy in place is fine.
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    // TypeScript already checks a `return;` in a function that also returns values.
    'typescript/consistent-return': 'off',
    // Contexts and subjects are plain objects, so their methods may be destructured.
    'typescript/unbound-method': 'off',
    // Some modules are imported for their effect: reflect-metadata, the entry of a command.
    'import/no-unassigned-import': 'off',
    // The postMessage of Node's workers has no origin parameter.
    'unicorn/require-post-message-target-origin': 'off',
    // @koa/router exports its class twice.
    'import/no-named-as-default': 'off',
    // A constructor may validate; a loop may wait for a flag that a callback sets.
    'no-new': 'off',
    'no-unmodified-loop-condition': 'off',
    // A small helper may be declared next to its use.
    'unicorn/consistent-function-scoping': 'off',
    // An entry may have no exports.
    'unicorn/require-module-specifiers': 'off',
  },
  overrides: [
    ...layers,
    {
      files: [
        'packages/workbench/**',
        'packages/test-support/**',
        'packages/cli/src/**',
        '**/test/**',
        'examples/**',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      // Starters follow the manual of node:test, and trust the responses of their service.
      files: ['packages/create-trove-connector/template/**'],
      rules: {
        'typescript/no-floating-promises': 'off',
        'typescript/no-unsafe-type-assertion': 'off',
      },
    },
    {
      files: ['**/test/**'],
      rules: {
        // A wrong cast makes a test fail. A test may plant a generator that never yields.
        'typescript/no-unsafe-type-assertion': 'off',
        'require-yield': 'off',
      },
    },
    // The length of a generated file depends on its source.
    { files: ['packages/client/src/generated/**'], rules: { 'max-lines': 'off' } },
    // Plain JavaScript uses the value of an enum's member.
    { files: ['**/*.mjs'], rules: { 'typescript/no-unsafe-enum-assignment': 'off' } },
  ],
};
