import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { runTool } from './run.mjs';
import { root } from './workspaces.mjs';

/** Allowed imports of each folder. */
const cases = [
  {
    file: 'packages/not-in-any-layer/src/a.ts',
    allowed: ['node:path', './b.js'],
    forbidden: ['@trove/core', 'trove'],
  },
  {
    file: 'packages/core/src/a/b.ts',
    allowed: ['./c.js', '../filter/index.js'],
    forbidden: [
      '@trove/engine',
      '@trove/text/analyzer',
      'trove',
      'knex',
      'koa',
      '../../../engine/src/a.js',
    ],
  },
  {
    file: 'packages/core/test/a.ts',
    allowed: ['../src/a.js', '@trove/testkit', '@trove/test-support/a.js'],
    forbidden: ['@trove/engine', 'trove'],
  },
  {
    file: 'packages/text/src/a/b.ts',
    allowed: ['./c.js', '@trove/core', 'stemmer'],
    forbidden: ['@trove/runtime', '@trove/test-support/a.js', 'knex', '../../../core/src/a.js'],
  },
  {
    file: 'packages/test-support/src/a.ts',
    allowed: ['@trove/core', '@trove/runtime', '@trove/testkit', '@trove/store-knex', 'pg'],
    forbidden: ['@trove/engine', '@trove/index-lancedb', 'trove'],
  },
  {
    file: 'packages/runtime/src/a.ts',
    allowed: ['@trove/core', '@trove/text/analyzer', 'ajv'],
    forbidden: ['@trove/engine', '@trove/testkit', '@trove/store-knex', 'koa', 'knex', 'trove'],
  },
  {
    file: 'packages/runtime/test/a.ts',
    allowed: ['@trove/core', '@trove/testkit'],
    forbidden: ['@trove/engine', '@trove/store-knex'],
  },
  {
    file: 'packages/engine/src/a.ts',
    allowed: ['@trove/core', '@trove/core/di', '@trove/runtime', 'tsyringe'],
    forbidden: [
      '@trove/testkit',
      '@trove/connector-file',
      '@trove/runtime/dist/a.js',
      '@trove/core/dist/a.js',
      'koa',
      '@koa/router',
      '@lancedb/lancedb',
      'knex',
    ],
  },
  {
    file: 'packages/engine/src/api/a.ts',
    allowed: ['@trove/core', './b.js'],
    forbidden: ['../generations/a.js', '../options.js', '@trove/runtime'],
  },
  {
    file: 'packages/engine/src/query/search/a.ts',
    allowed: [
      '@trove/core',
      '@trove/runtime',
      '../../api/a.js',
      '../../ingest/a.js',
      '../../settings.js',
    ],
    forbidden: [
      '../../compose.js',
      '../../options.js',
      '../../di/index.js',
      'knex',
      '@trove/testkit',
    ],
  },
  {
    file: 'packages/engine/src/ingest/tasks/a.ts',
    allowed: ['../jobs/a.js', '../../content/a.js', '../../generations/scheduling/a.js'],
    forbidden: ['../../query/search/a.js', '../../operations.js'],
  },
  {
    file: 'packages/engine/src/content/a.ts',
    allowed: ['./chunking/a.js', '../sources/a.js'],
    forbidden: ['../query/a.js', '../ingest/jobs/a.js'],
  },
  {
    file: 'packages/engine/src/sources/uploads/tasks/a.ts',
    allowed: ['../a.js', '../../../generations/scheduling/a.js'],
    forbidden: ['../../../content/a.js', '../../../ingest/a.js', '../../../query/grep/a.js'],
  },
  {
    file: 'packages/engine/src/generations/choice/a.ts',
    allowed: ['../scheduling/a.js', '../../api/schemas.js', '../../settings.js'],
    forbidden: [
      '../../sources/a.js',
      '../../content/a.js',
      '../../ingest/a.js',
      '../../query/a.js',
    ],
  },
  {
    file: 'packages/engine/test/a.ts',
    allowed: ['@trove/testkit', '@trove/runtime'],
    forbidden: ['@trove/store-knex', 'trove'],
  },
  {
    file: 'packages/graph/src/a.ts',
    allowed: ['@trove/core', '@trove/runtime'],
    forbidden: ['@trove/engine', 'pg'],
  },
  {
    file: 'packages/graph/test/a.ts',
    allowed: ['@trove/testkit', '@trove/graph'],
    forbidden: ['@trove/engine', '@trove/llm-rules'],
  },
  {
    file: 'packages/testkit/src/a.ts',
    allowed: ['@trove/core', '@trove/runtime'],
    forbidden: ['@trove/engine', '@trove/store-knex', 'sqlite3'],
  },
  {
    file: 'plugins/connector-file/src/a.ts',
    allowed: ['@trove/core', '@trove/text/analyzer', 'ignore'],
    forbidden: [
      '@trove/engine',
      '@trove/runtime',
      '@trove/testkit',
      '@trove/store-knex',
      '@trove/connector-kit/http/fake',
      'tsyringe',
      'trove/a',
    ],
  },
  {
    file: 'packages/connector-kit/src/a.ts',
    allowed: ['@trove/core'],
    forbidden: ['@trove/testkit', '@trove/connector-sqlite', 'pg', './http/fake/index.js'],
  },
  {
    file: 'packages/connector-kit/src/http/a.ts',
    allowed: ['@trove/core', './description/index.js'],
    forbidden: ['./fake/index.js'],
  },
  {
    file: 'packages/connector-kit/src/http/fake/a.ts',
    allowed: ['@trove/core', './b.js', '../plan.js'],
    forbidden: ['@trove/testkit', 'pg'],
  },
  {
    file: 'plugins/store-knex/src/a.ts',
    allowed: ['knex', 'pg', '@trove/connector-kit'],
    forbidden: ['@trove/core/src/a.js'],
  },
  {
    file: 'plugins/store-knex/test/a.ts',
    allowed: ['@trove/testkit', '@trove/connector-kit/http/fake', '../src/a.js'],
    forbidden: ['@trove/engine'],
  },
  {
    file: 'packages/trove/src/a.ts',
    allowed: ['@trove/core', '@trove/runtime', '@trove/engine', '@trove/store-knex'],
    forbidden: ['@trove/server', '@trove/cli', '@trove/testkit'],
  },
  {
    file: 'packages/commands/src/a.ts',
    allowed: ['node:util', 'citty', './b.js'],
    forbidden: ['@trove/core', '@trove/client', '@trove/test-support/a.js', 'trove', 'koa'],
  },
  {
    file: 'packages/commands/test/a.ts',
    allowed: ['../src/a.js', '@trove/test-support/a.js'],
    forbidden: ['@trove/core', '@trove/cli', 'trove'],
  },
  {
    file: 'packages/operations/src/table/a.ts',
    allowed: ['@trove/core', '@trove/engine/api', '@trove/graph/api', '../operation.js'],
    forbidden: [
      '@trove/engine',
      '@trove/graph',
      '@trove/engine/di',
      '@trove/runtime',
      '@trove/server',
      'trove',
      'koa',
    ],
  },
  {
    file: 'packages/operations/test/a.ts',
    allowed: ['@trove/operations', '@trove/core', '../src/index.js'],
    forbidden: ['@trove/server', '@trove/engine', 'trove'],
  },
  {
    file: 'packages/mcp/src/a.ts',
    allowed: ['trove', '@trove/core', '@modelcontextprotocol/server'],
    forbidden: ['@trove/engine', '@trove/operations', '@trove/client', 'koa'],
  },
  {
    file: 'packages/server/src/a.ts',
    allowed: ['trove', '@trove/core', '@trove/mcp', '@trove/operations', '@trove/commands', 'koa'],
    forbidden: ['@trove/engine', '@trove/runtime', '@trove/client'],
  },
  {
    file: 'packages/console/src/a.ts',
    allowed: ['@trove/client', 'preact', './b.js'],
    forbidden: ['@trove/core', '@trove/server', 'trove'],
  },
  {
    file: 'packages/create-trove-connector/src/a.ts',
    allowed: ['node:path', './b.js'],
    forbidden: ['@trove/core', 'trove'],
  },
  {
    file: 'packages/client/src/a.ts',
    allowed: ['node:path'],
    forbidden: ['@trove/core', 'trove'],
  },
  {
    file: 'packages/cli/src/a.ts',
    allowed: ['@trove/client', '@trove/commands', '@trove/connector-file/local', 'tar'],
    forbidden: ['@trove/core', '@trove/server', 'trove', '@trove/connector-file'],
  },
  {
    file: 'packages/cli/test/a.ts',
    allowed: ['@trove/client', 'trove'],
    forbidden: ['@trove/server/dist/a.js'],
  },
];
/** Files with one forbidden line. */
const refused = [
  {
    what: 'the global container',
    file: 'packages/engine/src/di.ts',
    name: 'container',
    from: 'tsyringe',
  },
  {
    what: 'a thread',
    file: 'plugins/connector-file/src/b.ts',
    name: 'Worker',
    from: 'node:worker_threads',
  },
  {
    what: 'a process',
    file: 'packages/engine/src/sources/b.ts',
    name: 'fork',
    from: 'node:child_process',
  },
];

/** Plants each case in a scratch tree with the real configuration and returns the wrong results. */
export async function layerRuleFailures() {
  const scratch = mkdtempSync(join(tmpdir(), 'trove-layers-'));
  try {
    plant(scratch);
    const { output } = await runTool(
      'oxlint/bin/oxlint',
      ['-c', 'oxlint.config.mjs', '--format=json', '-A=all', '-D=no-restricted-imports'],
      { capture: true, cwd: scratch },
    );
    return compare(JSON.parse(output));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function plant(scratch) {
  copyFileSync(join(root, 'oxlint.config.mjs'), join(scratch, 'oxlint.config.mjs'));
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'), 'junction');
  for (const { file, allowed, forbidden } of cases) {
    const lines = [...allowed, ...forbidden].map(
      (name, index) => `import { a as a${index} } from '${name}';\n`,
    );
    write(join(scratch, file), lines.join(''));
  }
  for (const { file, name, from } of refused)
    write(join(scratch, file), `import { ${name} } from '${from}';\n`);
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function compare({ diagnostics }) {
  const linesOf = (file) =>
    new Set(
      diagnostics
        .filter(({ filename }) => filename.replaceAll('\\', '/').endsWith(file))
        .map(({ labels }) => labels[0].span.line),
    );
  const problems = cases.flatMap(({ file, allowed, forbidden }) => {
    const reported = linesOf(file);
    return [...allowed, ...forbidden].flatMap((name, index) => {
      const wanted = index >= allowed.length;
      if (reported.has(index + 1) === wanted) return [];
      return [`layer rule ${wanted ? 'misses' : 'refuses'} "${name}" in ${file}`];
    });
  });
  const missed = refused.filter(({ file }) => !linesOf(file).has(1));
  return [...problems, ...missed.map(({ what }) => `layer rule misses ${what}`)];
}
