import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './workspaces.mjs';

const skipped = new Set(['node_modules', 'dist', 'lancedb']);
/** Generated from types that the compiler has checked. */
const apiReports = /\/api\/[^/]+\.api\.md$/;
const fence = /^(`{3,})(.*)$/;
/** Marks a block that cannot stand alone. Readers do not see it. */
const excerptMarker = /^<!-- excerpt: (.+) -->$/;

/**
 * Returns every Markdown file of the tree, relative to its root and sorted, without hidden, built and installed
 * folders.
 */
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

/** Returns the pages for readers, without API reports. */
export function pages() {
  return markdownFiles().filter((file) => !apiReports.test(file));
}

/** Returns the code blocks of a page or of all pages. See `blocksOf`. */
export function codeBlocks(page) {
  const files = page === undefined ? pages() : [page];
  return files.flatMap((file) => blocksOf(file, readFileSync(join(root, file), 'utf8')));
}

/**
 * Returns the code blocks of a Markdown text: `{ page, line, language, code, excerpt }`. `line` is the first line of
 * code, and `excerpt` the reason why the block is incomplete. Throws for an unclosed block.
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
  if (open !== undefined) throw new Error(`${page}:${open.line - 1}: the code block is not closed`);
  return blocks;
}

/** Returns the commands of a page's shell blocks in order, without comments: `{ page, line, command }`. */
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
