import type { Scope } from '@trove/connector-kit/http';

/** Against pages that contain themselves. A page of 20,000 blocks has a few dozen subtrees. */
const maxSubtrees = 500;

/** The Markdown of a page, or of a subtree of one. */
export interface PageMarkdown {
  readonly markdown: string;
  /** Subtrees that the answer leaves out. Tags with their ids are in their places. */
  readonly unknown_block_ids: readonly string[];
}

/** Returns the Markdown of a page with the subtrees that the answer leaves out. */
export async function wholeMarkdown(page: PageMarkdown, { lookup }: Scope): Promise<string> {
  let text = page.markdown;
  const seen = new Set<string>();
  const queue = [...page.unknown_block_ids];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (seen.has(id) || seen.size >= maxSubtrees) continue;
    seen.add(id);
    const subtree = await lookup('subtrees', id);
    if (!isMarkdown(subtree)) continue;
    text = insert(text, id, subtree.markdown);
    queue.push(...subtree.unknown_block_ids);
  }
  return text;
}

/** Replaces the tag of a block, or appends to a text without one. */
function insert(text: string, id: string, markdown: string): string {
  const tag = new RegExp(`<unknown [^>]*${id.replaceAll('-', '')}[^>]*/>`);
  return tag.test(text) ? text.replace(tag, () => markdown) : `${text}\n\n${markdown}`;
}

function isMarkdown(value: unknown): value is PageMarkdown {
  return typeof value === 'object' && value !== null && 'markdown' in value;
}
