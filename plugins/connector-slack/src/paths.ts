import { membersOf, type SlackChannel, type SlackFile } from './forms.js';

/** Returns the path of the messages of a conversation. */
export function messagesPath(channel: unknown): string {
  const { id = '', name = id, is_im: isDirect, user = id } = membersOf<SlackChannel>(channel);
  const folder = isDirect === true ? `direct-messages/${step(user)}` : `channels/${step(name)}`;
  return `${folder}/messages.jsonl`;
}

/** Returns the path of a file. Names of files are not unique, so the path begins with the id. */
export function filePath(file: unknown): string {
  const { id = '', name } = membersOf<SlackFile>(file);
  return `files/${step(name === undefined || name === '' ? id : `${id}-${name}`)}`;
}

/** Whether a file has bytes to download. Others are links, canvases, deleted, or hidden by the limits of a free workspace. */
export function hasBytes(file: unknown): boolean {
  const { mode = 'hosted' } = membersOf<SlackFile>(file);
  return mode === 'hosted' || mode === 'snippet';
}

function step(name: string): string {
  const text = name.replaceAll('/', '∕').replaceAll('\0', '').trim();
  return /^\.{0,2}$/.test(text) ? `${text}_` : text;
}
