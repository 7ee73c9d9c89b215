import { codeOf } from '@trove/connector-kit';
import type { ImapFlow, ListResponse, StatusObject } from 'imapflow';

import type { Config } from './config.js';
import type { Session } from './session.js';

/** A folder of a server, and its state. */
export interface Folder {
  /** As a path of the source. */
  readonly folder: string;
  /** As the server calls it. */
  readonly path: string;
  /** Of which numbers of messages are good. */
  readonly validity: string;
  /** The highest number of a change; '' for a server that counts none. */
  readonly modseq: string;
  readonly uidNext: number;
  readonly count: number;
}

/** What shows messages of other folders, or what nobody looks for. */
const usuallyLeftOut = new Set(['\\All', '\\Junk', '\\Trash']);

const statusQuery = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };

/** So long, whoever only wants to know of one folder takes what was told of it last: a sync under load takes a while. */
const goodForMs = 10_000;

/** The folders of a source. A server may look at its whole disk before it tells of them. */
export class Folders {
  readonly #session: Session;
  readonly #config: Config;
  #told: { readonly at: number; readonly folders: readonly Folder[] } | null = null;

  constructor(session: Session, config: Config) {
    this.#session = session;
    this.#config = config;
  }

  /** As they are now. */
  async all(signal: AbortSignal): Promise<readonly Folder[]> {
    const at = performance.now();
    const folders = await foldersOf(this.#session, this.#config, signal);
    this.#told = { at, folders };
    return folders;
  }

  /** As they were a moment ago, if that is known. */
  async lately(signal: AbortSignal): Promise<readonly Folder[]> {
    const told = this.#told;
    const isGood = told !== null && performance.now() - told.at < goodForMs;
    return isGood ? told.folders : this.all(signal);
  }
}

/** The folders that are taken in, in the order of their names. */
export async function foldersOf(
  session: Session,
  { folders: wanted }: Config,
  signal: AbortSignal,
): Promise<Folder[]> {
  const found = await session.use(signal, async (client) => {
    // Of the folder that is selected, a server tells what it told last.
    await session.refresh(client);
    const folders: Folder[] = [];
    for (const each of await client.list({ statusQuery })) {
      const folder = [...each.parent, each.name].map(segmentOf).join('/');
      if (!isWanted(each, folder, wanted)) continue;
      signal.throwIfAborted();
      const state = await stateOf(client, each);
      if (state !== null) folders.push({ folder, path: each.path, ...state });
    }
    return folders;
  });
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

function isWanted(
  { flags, specialUse = '' }: ListResponse,
  folder: string,
  wanted: readonly string[],
): boolean {
  if (flags.has('\\Noselect') || flags.has('\\NonExistent')) return false;
  return wanted.length === 0
    ? !usuallyLeftOut.has(specialUse)
    : wanted.some((each) => folder === each || folder.startsWith(`${each}/`));
}

/** Null for a folder that was deleted meanwhile. One whose state is not told must not be taken for one without messages. */
async function stateOf(
  client: ImapFlow,
  { path, status }: ListResponse,
): Promise<Omit<Folder, 'folder' | 'path'> | null> {
  const told = isTold(status) ? status : await askedFor(client, path);
  if (told === null) return null;
  const { messages = 0, uidNext = 0, uidValidity = 0, highestModseq } = told;
  const modseq = highestModseq === undefined ? '' : String(highestModseq);
  return { validity: String(uidValidity), modseq, uidNext, count: messages };
}

async function askedFor(client: ImapFlow, path: string): Promise<StatusObject | null> {
  try {
    const status: unknown = await client.status(path, statusQuery);
    if (isTold(status)) return status;
  } catch (error) {
    if (codeOf(error) === 'NotFound') return null;
    throw error;
  }
  // All that the client tells of it.
  throw Object.assign(new Error(`it does not tell the state of the folder "${path}"`), {
    code: client.usable ? '' : 'NoConnection',
  });
}

function isTold(status: unknown): status is StatusObject {
  return typeof status === 'object' && status !== null && 'messages' in status;
}

export function stampOf({ validity, modseq, uidNext, count }: Folder): string {
  return [validity, modseq, uidNext, count].join(' ');
}

export function stampsOf(folders: readonly Folder[]): string {
  return folders.map((each) => `${each.folder}\n${stampOf(each)}`).join('\n');
}

function segmentOf(name: string): string {
  const escaped = name.replaceAll('%', '%25').replaceAll('/', '%2F');
  return /^\.{0,2}$/.test(escaped) ? `%${escaped}` : escaped;
}
