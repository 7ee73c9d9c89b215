// Type-checks tests and examples with the sources that they import.
import { report } from '../lib/report.mjs';
import { runTool } from '../lib/run.mjs';

const { code, output } = await runTool(
  'typescript/bin/tsc',
  ['-p', 'tsconfig.json', '--listFiles'],
  {
    capture: true,
  },
);
const lines = output.split('\n');
const isOurs = (line) => !line.includes('node_modules');
const tests = lines.filter((line) => isOurs(line) && /[\\/]test[\\/].*\.ts$/.test(line.trim()));
const errors = lines.filter((line) => /error TS\d+|^ /.test(line));
report('types', tests.length, 'test files', code === 0 ? [] : [`\n${errors.join('\n')}`]);
