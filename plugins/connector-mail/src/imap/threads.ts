import type { Message } from '../mail/objects.js';
import type { Folder } from './folders.js';
import { messagesOf } from './messages.js';
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
  const found = await session.inFolder(folder.path, signal, (client) =>
    client.search({ deleted: false, or: named }, { uid: true }),
  );
  const uids = found === null || found === false ? [] : found.toSorted((a, b) => a - b);
  const messages: Message[] = [];
  for await (const message of messagesOf(session, folder, uids, true, signal))
    if (message.mail.thread === thread) messages.push(message);
  return messages;
}
