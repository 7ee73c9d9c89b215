import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './workspaces.mjs';

/** Inline links and images, reference definitions, bare URLs in angle brackets, and HTML. */
const link = new RegExp(
  [
    /\]\(<?([^()\s<>]*)>?(?:\s+"[^"]*")?\)/,
    /^\[[^\]]+\]:\s+<?([^\s>]+)/,
    /<([a-z]+:[^\s<>]+)>/,
    /\b(?:href|src)="([^"]*)"/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const otherSite = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Returns the problems of links in a Markdown file as `page:line: reason`. Files and headings must exist. Links to
 * other sites are only checked for their form.
 */
export function brokenLinks(page, text) {
  return linksOf(text).flatMap(({ line, target }) => {
    const problem = linkProblem(page, text, target);
    return problem === undefined ? [] : [`${page}:${line}: "${target}" ${problem}`];
  });
}

/** Returns the links of a Markdown text as `{ line, target }`, except in code. */
export function linksOf(text) {
  return withoutInlineCode(withoutBlocks(text))
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(link)].map((match) => ({
        line: index + 1,
        target: match.slice(1).find((part) => part !== undefined),
      })),
    );
}

function linkProblem(page, text, target) {
  if (otherSite.test(target)) {
    const isSound = URL.canParse(target) && /^https:\/\/[^/]+\.[^/]+/.test(target);
    return isSound ? undefined : 'is not an https URL';
  }
  if (target === '' || target.startsWith('/')) return 'is not a relative path';
  const [path, anchor] = target.split('#');
  const file = join(page, '..', decodeURIComponent(path));
  if (file.startsWith('..')) return 'leads out of the repository';
  if (path !== '' && !existsSync(join(root, file))) return 'does not exist';
  if (anchor === undefined) return undefined;
  if (path !== '' && !file.endsWith('.md')) return 'has an anchor, but is not a Markdown file';
  const linked = path === '' ? text : readFileSync(join(root, file), 'utf8');
  return anchorsOf(linked).has(anchor) ? undefined : 'names a heading that does not exist';
}

/** Returns the anchors of a Markdown text as GitHub derives them from headings. */
function anchorsOf(text) {
  const anchors = new Set();
  for (const [, heading] of withoutBlocks(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const name = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let anchor = name;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${name}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Replaces code blocks by empty lines, which keeps line numbers. */
function withoutBlocks(text) {
  return text.replace(/^(`{3,}).*\n(?:[\s\S]*?\n)?\1$/gm, lineBreaks);
}

function withoutInlineCode(text) {
  return text.replace(/(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, lineBreaks);
}

function lineBreaks(code) {
  return code.replace(/[^\n]/g, '');
}
