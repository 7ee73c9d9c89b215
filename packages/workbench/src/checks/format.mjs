// Checks the oxfmt format of all source and JSON files.
import { report } from '../lib/report.mjs';
import { runTool } from '../lib/run.mjs';

const { code, output } = await runTool('oxfmt/bin/oxfmt', ['--check'], { capture: true });
const looked = Number(/on (\d+) files/.exec(output)?.[1] ?? 0);
const problems = code === 0 ? [] : [`run "npm run format"\n${output.trim()}`];
report('format', looked, 'files', problems);
