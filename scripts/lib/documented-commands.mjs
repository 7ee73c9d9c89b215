import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './workspaces.mjs';

/** The code blocks of a Markdown file in a language, without their fences. */
export function codeBlocks(file, language) {
  const text = readFileSync(join(root, file), 'utf8');
  const blocks = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].filter(([, found]) => found === language).map(([, , code]) => code);
}

/** The commands of a file's shell blocks, in order, without their comments. */
export function shellCommands(file) {
  return codeBlocks(file, 'sh')
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/(^|\s+)# .*$/, '').trim())
    .filter((line) => line !== '');
}
