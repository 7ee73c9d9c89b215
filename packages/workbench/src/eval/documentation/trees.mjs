import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root } from '../../lib/workspaces.mjs';

/** Trees of documentation: our own pages, and those of installed packages under the MIT licence. */
export const trees = {
  trove: join(root, 'docs'),
  pino: join(root, 'node_modules/pino/docs'),
  undici: join(root, 'node_modules/undici/docs/docs'),
};

/** Returns the judged questions. `half` is `tuning` or `held`; `wanted` lists texts, one of which the answer quotes. */
export async function readJudgedQuestions() {
  const text = await readFile(new URL('questions.jsonl', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
