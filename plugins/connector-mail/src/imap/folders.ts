import { codeOf } from '@trove/connector-kit';
import type { ImapFlow, ListResponse, StatusObject } from 'imapflow';

import type { ImapConfig } from './config.js';
import type { ImapSession } from './session.js';

/** A folder of a server, and its state. */
export interface ImapFolder {
  /** As a path of the source. */
  readonly name: string;
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
const defaultExclusions = new Set(['\\All', '\\Junk', '\\Trash']);

const statusQuery = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };

/** So long, whoever only wants to know of one folder takes what was told of it last: a sync under load takes a while. */
const maxCacheAgeMs = 10_000;

/** The folders of a source. A server may look at its whole disk before it tells of them. */
export class FolderCache {
  readonly #session: ImapSession;
  readonly #config: ImapConfig;
  #told: { readonly at: number; readonly folders: readonly ImapFolder[] } | null = null;

  constructor(session: ImapSession, config: ImapConfig) {
    this.#session = session;
    this.#config = config;
  }

  /** As they are now. */
  async refresh(signal: AbortSignal): Promise<readonly ImapFolder[]> {
    const at = performance.now();
    const folders = await listFolders(this.#session, this.#config, signal);
    this.#told = { at, folders };
    return folders;
  }

  /** As they were a moment ago, if that is known. */
  async recent(signal: AbortSignal): Promise<readonly ImapFolder[]> {
    const told = this.#told;
    const isGood = told !== null && performance.now() - told.at < maxCacheAgeMs;
    return isGood ? told.folders : this.refresh(signal);
  }
}

/** The folders that are taken in, in the order of their names. */
export async function listFolders(
  session: ImapSession,
  { folders: wanted }: ImapConfig,
  signal: AbortSignal,
): Promise<ImapFolder[]> {
  const found = await session.withClient(signal, async (client) => {
    // Of the folder that is selected, a server tells what it told last.
    await session.refresh(client);
    const folders: ImapFolder[] = [];
    for (const each of await client.list({ statusQuery })) {
      const folder = [...each.parent, each.name].map(segmentOf).join('/');
      if (!isIncluded(each, folder, wanted)) continue;
      signal.throwIfAborted();
      const state = await stateOf(client, each);
      if (state !== null) folders.push({ name: folder, path: each.path, ...state });
    }
    return folders;
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isIncluded(
  { flags, specialUse = '' }: ListResponse,
  folder: string,
  wanted: readonly string[],
): boolean {
  if (flags.has('\\Noselect') || flags.has('\\NonExistent')) return false;
  return wanted.length === 0
    ? !defaultExclusions.has(specialUse)
    : wanted.some((each) => folder === each || folder.startsWith(`${each}/`));
}

/** Null for a folder that was deleted meanwhile. One whose state is not told must not be taken for one without messages. */
async function stateOf(
  client: ImapFlow,
  { path, status }: ListResponse,
): Promise<Omit<ImapFolder, 'name' | 'path'> | null> {
  const told = isStatus(status) ? status : await fetchStatus(client, path);
  if (told === null) return null;
  const { messages = 0, uidNext = 0, uidValidity = 0, highestModseq } = told;
  const modseq = highestModseq === undefined ? '' : String(highestModseq);
  return { validity: String(uidValidity), modseq, uidNext, count: messages };
}

async function fetchStatus(client: ImapFlow, path: string): Promise<StatusObject | null> {
  try {
    const status: unknown = await client.status(path, statusQuery);
    if (isStatus(status)) return status;
  } catch (error) {
    if (codeOf(error) === 'NotFound') return null;
    throw error;
  }
  // All that the client tells of it.
  throw Object.assign(new Error(`it does not tell the state of the folder "${path}"`), {
    code: client.usable ? '' : 'NoConnection',
  });
}

function isStatus(status: unknown): status is StatusObject {
  return typeof status === 'object' && status !== null && 'messages' in status;
}

export function stampOf({ validity, modseq, uidNext, count }: ImapFolder): string {
  return [validity, modseq, uidNext, count].join(' ');
}

export function stampsOf(folders: readonly ImapFolder[]): string {
  return folders.map((each) => `${each.name}\n${stampOf(each)}`).join('\n');
}

function segmentOf(name: string): string {
  const escaped = name.replaceAll('%', '%25').replaceAll('/', '%2F');
  return /^\.{0,2}$/.test(escaped) ? `%${escaped}` : escaped;
}
