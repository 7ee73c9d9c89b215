import { escapeText, MarkdownWriter } from '../markdown/index.js';
import { inlineText } from './inline.js';
import { childrenOf, readNode, textAttribute, type AdfNode } from './nodes.js';

const maxDepth = 50;
const lists: ReadonlySet<string> = new Set([
  'bulletList',
  'decisionList',
  'orderedList',
  'taskList',
]);

/**
 * Converts a document in Atlassian's format to Markdown. Returns '' for a document without text and for other values.
 * Unknown nodes become the text that they contain. Fonts and colours are left out.
 */
export function adfToMarkdown(document: unknown): string {
  const root = readNode(document);
  if (root === null) return '';
  const writer = new MarkdownWriter();
  writeBlocks(writer, childrenOf(root), 0);
  return writer.hasText ? writer.finish(undefined, '').markdown.trimEnd() : '';
}

function writeBlocks(writer: MarkdownWriter, nodes: readonly AdfNode[], depth: number): void {
  if (depth > maxDepth) return;
  for (const node of nodes) {
    if (writer.isFull) return;
    writeBlock(writer, node, depth);
  }
}

function writeBlock(writer: MarkdownWriter, node: AdfNode, depth: number): void {
  const { type } = node;
  const children = childrenOf(node);
  if (lists.has(type)) return writeList(writer, node, 0);
  switch (type) {
    case 'heading':
      return writer.heading(Number(node.attrs['level']), inlineText(children));
    case 'codeBlock':
      return writer.code(inlineText(children), textAttribute(node, 'language'));
    case 'blockquote':
    case 'panel':
      return writer.quote(inlineText(children));
    case 'rule':
      return writer.rule();
    case 'table':
      return writer.table(tableRows(children));
    case 'expand':
    case 'nestedExpand':
      writer.paragraph(textAttribute(node, 'title'));
      return writeBlocks(writer, children, depth + 1);
    case 'bodiedExtension':
    case 'layoutColumn':
    case 'layoutSection':
    case 'mediaGroup':
    case 'mediaSingle':
      return writeBlocks(writer, children, depth + 1);
    default:
      return writer.paragraph(inlineText([node]));
  }
}

/** Writes the items of a list. Lists within an item follow it, one level deeper. */
function writeList(writer: MarkdownWriter, list: AdfNode, depth: number): void {
  if (depth > maxDepth) return;
  let number = Number(list.attrs['order'] ?? 1);
  for (const item of childrenOf(list)) {
    if (lists.has(item.type)) {
      writeList(writer, item, depth + 1);
      continue;
    }
    const children = childrenOf(item);
    const text = inlineText(children.filter(({ type }) => !lists.has(type)));
    const marker = list.type === 'orderedList' ? `${number++}.` : '-';
    writer.item(depth, marker, checkbox(item) + text);
    for (const child of children) if (lists.has(child.type)) writeList(writer, child, depth + 1);
  }
}

function checkbox(item: AdfNode): string {
  if (item.type !== 'taskItem') return '';
  return item.attrs['state'] === 'DONE' ? '[x] ' : '[ ] ';
}

function tableRows(rows: readonly AdfNode[]): string[][] {
  return rows.map((row) =>
    childrenOf(row).map((cell) => escapeText(inlineText(childrenOf(cell)).trim())),
  );
}
