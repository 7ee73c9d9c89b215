import type { Message } from '../mail/objects.js';
import type { Folder } from './folders.js';
import { messagesOf } from './messages.js';
import { searched } from './search.js';
import type { Session } from './session.js';

/** The messages of a conversation, which the server looks for. */
export async function inThread(
  session: Session,
  folder: Folder,
  thread: string,
  signal: AbortSignal,
): Promise<Message[]> {
  const named = (['Message-ID', 'References', 'In-Reply-To'] as const).map((header) => ({
    header: { [header]: thread },
  }));
  const uids = await searched(session, folder.path, { deleted: false, or: named }, signal);
  const messages: Message[] = [];
  for await (const message of messagesOf(session, folder, uids, true, signal))
    if (message.mail.thread === thread) messages.push(message);
  return messages;
}
