import type { SlackAttachment, SlackMessage } from './forms.js';

/** Returns the name of a person by id, or undefined. */
export type FindName = (id: string) => Promise<string | undefined>;

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const link = /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g;
const maxBlockDepth = 10;

/** Returns the text of a message as people read it, with the texts of its attachments. */
export async function messageText(message: SlackMessage, nameOf: FindName): Promise<string> {
  const { text = '', blocks = [], attachments = [] } = message;
  const own = text === '' ? blockTexts(blocks).join('\n') : text;
  const texts = [own, ...attachments.map(attachmentText)].filter((part) => part !== '');
  return readable(texts.join('\n\n'), nameOf);
}

/** Replaces mentions by names, and links by their labels and addresses. */
export async function readable(text: string, nameOf: FindName): Promise<string> {
  const ids = [...text.matchAll(link)].flatMap(([, sign, id = '']) => (sign === '@' ? id : []));
  const names = new Map<string, string>();
  for (const id of new Set(ids)) names.set(id, (await nameOf(id)) ?? id);
  return text
    .replace(link, (_, sign: string, target: string, label: string | undefined) => {
      if (sign === '@') return `@${label ?? names.get(target) ?? target}`;
      if (sign === '#') return `#${label ?? target}`;
      if (sign === '!') return label ?? `@${target.split('^')[0] ?? target}`;
      const address = target.replace(/^mailto:/, '');
      return label === undefined || label === address ? address : `${label} (${address})`;
    })
    .replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity);
}

function attachmentText(attachment: SlackAttachment): string {
  const { pretext, author_name: author, title, text, fields = [], fallback } = attachment;
  const parts = [
    pretext,
    author,
    title,
    text,
    ...fields.map(({ title: name = '', value = '' }) => `${name}: ${value}`),
  ].filter((part) => part !== undefined && part !== '');
  return parts.length > 0 ? parts.join('\n') : (fallback ?? '');
}

/** Collects the texts of blocks, which nest. */
function blockTexts(value: unknown, depth = 0): string[] {
  if (depth > maxBlockDepth || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => blockTexts(item, depth + 1));
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'text' && typeof member === 'string' && member !== ''
      ? [member]
      : blockTexts(member, depth + 1),
  );
}
