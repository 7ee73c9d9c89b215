// oxlint over everything, type-aware, after a proof that its layer rules still bite.
import { report } from '../lib/report.mjs';
import { runTool } from '../lib/run.mjs';
import { layerRuleFailures } from '../lib/layer-cases.mjs';

const oxlint = ['-c', 'oxlint.config.mjs'];
const { code, output } = await runTool('oxlint/bin/oxlint', oxlint, { capture: true });
const looked = Number(/on (\d+) files/.exec(output)?.[1] ?? 0);
const problems = await layerRuleFailures();
if (code !== 0) problems.push(`\n${output.trim()}`);
report('lint', looked, 'files', problems);
