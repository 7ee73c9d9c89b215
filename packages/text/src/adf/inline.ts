import { formatLink } from '../markdown/index.js';
import { childrenOf, readNode, textAttribute, type AdfNode } from './nodes.js';

const maxDepth = 50;

/** Returns the text of nodes within a line: text with its links, mentions, dates, emoji and statuses. */
export function inlineText(nodes: readonly AdfNode[], depth = 0): string {
  return depth > maxDepth ? '' : nodes.map((node) => nodeText(node, depth)).join('');
}

function nodeText(node: AdfNode, depth: number): string {
  switch (node.type) {
    case 'text':
      return formatLink(node.text, linkOf(node));
    case 'hardBreak':
      return '\n';
    case 'mention':
    case 'status':
      return textAttribute(node, 'text', 'id');
    case 'emoji':
      return textAttribute(node, 'text', 'shortName');
    case 'date':
      return dateText(textAttribute(node, 'timestamp'));
    case 'inlineCard':
    case 'blockCard':
    case 'embedCard':
      return textAttribute(node, 'url');
    case 'media':
    case 'mediaInline':
      return textAttribute(node, 'alt');
    case 'paragraph':
    case 'heading':
      return `${inlineText(childrenOf(node), depth + 1)}\n`;
    default:
      return node.text + inlineText(childrenOf(node), depth + 1);
  }
}

function linkOf({ marks }: AdfNode): string {
  const links = marks.flatMap((mark) => readNode(mark) ?? []);
  const link = links.find(({ type }) => type === 'link');
  return link === undefined ? '' : textAttribute(link, 'href');
}

/** A timestamp is a text of milliseconds since 1970. */
function dateText(timestamp: string): string {
  const date = new Date(timestamp === '' ? Number.NaN : Number(timestamp));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}
