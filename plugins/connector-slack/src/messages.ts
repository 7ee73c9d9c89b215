import type { RecordParts, Scope } from '@trove/connector-kit/http';

import { membersOf, type SlackChannel, type SlackMessage, type SlackPerson } from './forms.js';
import { filePath, hasBytes } from './paths.js';
import { messageText } from './text.js';

/** Notices about the channel itself. */
const noise: ReadonlySet<string> = new Set([
  'bot_add',
  'bot_remove',
  'channel_archive',
  'channel_canvas_updated',
  'channel_convert_to_private',
  'channel_join',
  'channel_leave',
  'channel_name',
  'channel_posting_permissions',
  'channel_purpose',
  'channel_topic',
  'channel_unarchive',
  'ekm_access_denied',
  'group_archive',
  'group_join',
  'group_leave',
  'group_name',
  'group_purpose',
  'group_topic',
  'group_unarchive',
  'pinned_item',
  'reminder_add',
  'unpinned_item',
]);

/** Whether a row of a history is a message that people search for. */
export function isMessage(item: unknown, withBots: boolean): boolean {
  const { subtype = '', bot_id: bot } = membersOf<SlackMessage>(item);
  return !noise.has(subtype) && (withBots || (bot === undefined && subtype !== 'bot_message'));
}

/** Makes a record of a message. `ts` stays a text, because a number would lose digits. */
export async function messageRecord(
  item: unknown,
  scope: Scope,
  withFiles: boolean,
): Promise<RecordParts> {
  const message = membersOf<SlackMessage>(item);
  const { ts = '', thread_ts: thread = ts, files = [] } = message;
  const nameOfId = (id: string): Promise<string | undefined> => nameOf(id, scope.lookup);
  const attachments = withFiles ? files.filter((file) => hasBytes(file)).map(filePath) : [];
  return {
    text: await messageText(message, nameOfId),
    at: ts,
    author: await authorOf(message, nameOfId),
    url: messageUrl(scope, ts, thread),
    thread,
    ...(thread === ts ? { threadFields: { replies: message.reply_count ?? 0 } } : {}),
    fields: fieldsOf(message),
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

/** Returns the name of a person of this workspace or of another one. */
export async function nameOf(
  id: string | undefined,
  lookup: Scope['lookup'],
): Promise<string | undefined> {
  const name = (await lookup('people', id)) ?? (await lookup('guests', id));
  return typeof name === 'string' ? name : undefined;
}

/** Returns the name that Slack shows for a person. */
export function personName(item: unknown): string | undefined {
  const { name, real_name: realName, profile = {} } = membersOf<SlackPerson>(item);
  const names = [profile.display_name, profile.real_name, realName, name];
  return names.find((each) => each !== undefined && each !== '');
}

async function authorOf(
  { user, username, bot_id: bot, bot_profile: profile, subtype }: SlackMessage,
  nameOfId: (id: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (subtype === 'tombstone') return undefined;
  const app = [username, profile?.name].find((name) => name !== undefined && name !== '');
  if (app !== undefined) return app;
  return user === undefined ? bot : ((await nameOfId(user)) ?? user);
}

function messageUrl(scope: Scope, ts: string, thread: string): string {
  const { id = '' } = membersOf<SlackChannel>(scope.parents['channels']);
  const page = `https://${scope.target.authority}.slack.com/archives/${id}/p${ts.replace('.', '')}`;
  return thread === ts ? page : `${page}?thread_ts=${thread}&cid=${id}`;
}

function fieldsOf({ subtype, edited, reactions = [], files = [] }: SlackMessage): object {
  const names = files.flatMap(({ title, name }) => title ?? name ?? []);
  const shown = reactions.flatMap(({ name }) => name ?? []);
  return {
    ...(subtype === undefined || subtype === '' ? {} : { subtype }),
    ...(edited === undefined ? {} : { edited: true }),
    ...(shown.length === 0 ? {} : { reactions: shown }),
    ...(names.length === 0 ? {} : { files: names }),
  };
}
