import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './workspaces.mjs';

const skipped = new Set(['node_modules', 'dist', 'lancedb']);
/** Generated from types that the compiler has checked already. */
const apiReports = /\/api\/[^/]+\.api\.md$/;
const fence = /^(`{3,})(.*)$/;
/** Put above a block that cannot stand alone; readers do not see it. */
const excerptMarker = /^<!-- excerpt: (.+) -->$/;

/** Every Markdown file of the tree, relative to its root, sorted. Hidden folders and what is built or installed are not. */
export function markdownFiles(folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && !skipped.has(name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return markdownFiles(path);
      return entry.isFile() && path.endsWith('.md') ? [path] : [];
    })
    .sort((a, b) => a.localeCompare(b, 'en'));
}

/** The pages that people read: all but the API reports. */
export function pages() {
  return markdownFiles().filter((file) => !apiReports.test(file));
}

/** The code blocks of a page, or of all pages: see `blocksOf`. */
export function codeBlocks(page) {
  const files = page === undefined ? pages() : [page];
  return files.flatMap((file) => blocksOf(file, readFileSync(join(root, file), 'utf8')));
}

/**
 * The code blocks of a Markdown text: `{ page, line, language, code, excerpt }`. `line` is that of the first line of
 * code, `excerpt` the reason why the block is not whole. Throws for a block that never ends.
 */
function blocksOf(page, text) {
  const lines = text.split('\n');
  const blocks = [];
  let open;
  for (const [index, line] of lines.entries()) {
    const [, ticks, info] = fence.exec(line) ?? [];
    if (open === undefined && ticks !== undefined) {
      const above = lines.slice(0, index).findLast((each) => each.trim() !== '');
      const excerpt = excerptMarker.exec(above ?? '')?.[1];
      open = { page, line: index + 2, language: info.trim(), excerpt, ticks };
    } else if (open !== undefined && ticks === open.ticks && info === '') {
      const { ticks: _, ...block } = open;
      const code = lines.slice(block.line - 1, index).map((part) => `${part}\n`);
      blocks.push({ ...block, code: code.join('') });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.line - 1}: the code block has no end`);
  return blocks;
}

/** The commands of a page's shell blocks, in order, without their comments: `{ page, line, command }`. */
export function shellCommands(page) {
  return codeBlocks(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ line: first, code }) =>
      code.split('\n').map((text, index) => ({
        page,
        line: first + index,
        command: text.replace(/(^|\s+)# .*$/, '').trim(),
      })),
    )
    .filter(({ command }) => command !== '');
}
