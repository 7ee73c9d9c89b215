import { membersOf, type FeishuMessage } from './forms.js';

const maxDepth = 10;

/** Returns the text of a message as people read it. Empty for one without text, such as an image. */
export function messageText(message: Partial<FeishuMessage>): string {
  const { msg_type: type = '', body = {}, mentions = [] } = message;
  const text = contentText(type, parse(body.content ?? ''));
  return mentions.reduce((all, { key, name }) => all.replaceAll(key, `@${name}`), text).trim();
}

function contentText(type: string, content: unknown): string {
  const { text, file_name: fileName }: { readonly text?: unknown; readonly file_name?: unknown } =
    Object(content);
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (type === 'file' || type === 'media') return typeof fileName === 'string' ? fileName : '';
  if (type === 'post') return postText(content);
  return type === 'interactive' ? textsIn(content).join('\n') : '';
}

/** A post has a title and lines of elements, directly or below a language. */
function postText(content: unknown): string {
  const post = membersOf<{ title: string; content: unknown }>(content);
  const { title = '', content: lines } = Array.isArray(post.content)
    ? post
    : membersOf<{ title: string; content: unknown }>(Object.values(Object(content))[0]);
  const rows: readonly unknown[] = Array.isArray(lines) ? lines : [];
  const texts = rows.map((row) => (Array.isArray(row) ? row.map(elementText).join('') : ''));
  return [title, ...texts].filter((line) => line !== '').join('\n');
}

function elementText(element: unknown): string {
  const {
    tag,
    text = '',
    href,
    user_name: name,
  } = membersOf<{
    tag: string;
    text: string;
    href: string;
    user_name: string;
  }>(element);
  if (tag === 'at') return name === undefined ? '' : `@${name}`;
  return tag === 'a' && href !== undefined && href !== text ? `${text} (${href})` : text;
}

/** Collects the texts of a card, whose elements nest. */
function textsIn(value: unknown, depth = 0): string[] {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1));
  return Object.entries(value).flatMap(([name, member]) =>
    (name === 'text' || name === 'content' || name === 'title') && typeof member === 'string'
      ? [member]
      : textsIn(member, depth + 1),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
