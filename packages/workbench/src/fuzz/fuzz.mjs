// npm run fuzz: sends valid, nearly valid and hostile requests, files and plugins to a real server. See
// docs/benchmarks/fuzz.md.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { build } from '../lib/build.mjs';
import { parseOptions } from './options.mjs';
import { pageOf } from './report/page.mjs';
import { summaryOf } from './report/summary.mjs';

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  let options;
  try {
    options = parseOptions(args);
  } catch (error) {
    console.error(error.message);
    return 2;
  }
  const code = await build({ quiet: true });
  if (code !== 0) return code;
  // Imports a module that was just built.
  const { runCampaign } = await import('./campaign.mjs');
  const { seed, seconds, parts, path, report } = options;
  console.error(`seed ${seed}, ${seconds} s, ${parts.join(', ')}`);
  const deadline = performance.now() + seconds * 1000;
  const figures = await runCampaign({
    seed,
    parts,
    path,
    more: (done) => (path === undefined ? performance.now() < deadline : done === 0),
    folder: join(tmpdir(), `trove-fuzz-findings-${seed}`),
  });
  console.log(summaryOf(figures));
  if (report !== undefined) {
    writeFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), report), pageOf(figures));
  }
  return figures.findings.length === 0 ? 0 : 1;
}
