// Finds unused files, exports and dependencies (knip), after proving that the same configuration finds planted ones.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { report } from '../lib/report.mjs';
import { runTool } from '../lib/run.mjs';
import { root, workspaces } from '../lib/workspaces.mjs';

const knip = 'knip/bin/knip.js';
const options = ['--no-progress', '--no-config-hints'];

const problems = await findMissedFaults();
const { code, output } = await runTool(knip, options, { capture: true });
if (code !== 0) problems.push(`\n${output.trim()}`);
report('unused', workspaces().length, 'workspaces', problems);

/** Runs knip on a tiny workspace with three known faults and returns the missed ones. */
async function findMissedFaults() {
  const scratch = mkdtempSync(join(tmpdir(), 'trove-unused-'));
  try {
    plant(scratch);
    const found = await runTool(knip, options, { capture: true, cwd: scratch });
    return ['orphan.ts', 'forgotten', 'left-pad']
      .filter((fault) => !found.output.includes(fault))
      .map((fault) => `knip does not see the planted "${fault}":\n${found.output}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function plant(scratch) {
  const folder = join(scratch, 'packages/planted');
  mkdirSync(join(folder, 'src'), { recursive: true });
  copyFileSync(join(root, 'knip.json'), join(scratch, 'knip.json'));
  const files = {
    'package.json': { name: 'scratch', private: true, workspaces: ['packages/*'] },
    'packages/planted/package.json': {
      name: 'planted',
      exports: { '.': './dist/index.js' },
      dependencies: { 'left-pad': '1.3.0' },
    },
    'packages/planted/tsconfig.json': { compilerOptions: { rootDir: 'src', outDir: 'dist' } },
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(scratch, name), JSON.stringify(content));
  }
  writeFileSync(join(folder, 'src/index.ts'), "export { used } from './part.js';\n");
  writeFileSync(
    join(folder, 'src/part.ts'),
    'export const used = 1;\nexport const forgotten = 2;\n',
  );
  writeFileSync(join(folder, 'src/orphan.ts'), 'export const orphan = 3;\n');
}
